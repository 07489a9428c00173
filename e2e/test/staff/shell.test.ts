import { randomUUID } from 'node:crypto';
import { endRoutes, hold } from '../../src/browser/browser.ts';
import { onPage, stack } from '../../src/browser/browser-suite.ts';
import { elsewhere } from '../../src/browser/recipes-page.ts';
import { cutOffTexts } from '../../src/browser/cut-off.ts';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { accountTable, figures, heading, onStaffPage, sendSignIn, toasts, untilAt } from '../../src/browser/staff.ts';
import { addAccount, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const session = '/api/admin/session';
const lead = '/admin/leads/6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01';
const recipe = '/admin/recipes/6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a02';
const own = [
  '/admin/login',
  '/admin/dashboard',
  '/admin/leads',
  lead,
  '/admin/follow-ups',
  '/admin/recipes',
  recipe,
  '/admin/people',
  '/admin/team',
];

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Staff area' });
const isFocused = (page: Page, text: string) =>
  page.evaluate((expected) => document.activeElement?.textContent === expected, text);

describe('The server', () => {
  it('returns the staff page for its paths, and the 404 card for any other path under /admin', async () => {
    const get = async (path: string) => {
      const response = await fetch(stack().siteUrl + path, {
        redirect: 'manual',
        signal: AbortSignal.timeout(hangLimitSeconds * 1000),
      });
      return { status: response.status, html: await response.text() };
    };
    for (const path of own) {
      const { status, html } = await get(path);
      expect(status, path).to.equal(200);
      expect(html).to.include('<meta name="robots" content="noindex"').and.to.include('<title>Admin Portal');
      expect(html).to.not.match(/canonical|og:/);
    }
    for (const path of ['/admin/nothing', '/admin/team/1', '/admin/leads/1/2', '/admin.html', '/administrator']) {
      const { status, html } = await get(path);
      expect(status, path).to.equal(404);
      expect(html).to.include('Page Not Found');
    }
    expect((await get('/robots.txt')).html).to.not.include('/admin');
    expect((await get('/sitemap.xml')).html).to.not.include('/admin');
  });
});

describe('The public pages', () => {
  it(
    'contain no code of the staff area',
    onPage('/', async ({ page }) => {
      const scripts = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      );
      expect(scripts.length).to.be.above(5);
      for (const script of scripts) {
        expect(await (await fetch(script)).text(), script).to.not.match(/Admin Portal\b(?! –)|Logged Out|\/api\/admin/);
      }
    }),
  );
});

describe('A staff page without its scripts', () => {
  it(
    'shows an error and a link to reload',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        // The start of the application, the frame and the page.
        for (const script of ['start', 'StaffArea', 'DashboardPage']) {
          await figures(page).waitFor();
          const lost = `**/assets/${script}-*.js`;
          await page.route(lost, (route) => route.abort('aborted'));
          await page.reload();
          const notice = page.getByRole('alert');
          await notice.getByText('This part of the page could not be loaded.').waitFor();
          await endRoutes(page, lost);
          await notice.getByRole('link', { name: 'Reload the page' }).click();
        }
        await figures(page).waitFor();
      },
      { isOfflineAtTimes: true },
    ),
  );

  it(
    'shows the error under a heading in the frame when it is opened by a link',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        await figures(page).waitFor();
        await page.route('**/assets/AccountsPage-*.js', (route) => route.abort('internetdisconnected'));
        await page.getByRole('link', { name: 'Team' }).click();
        await page.getByRole('heading', { level: 1, name: 'This part of the page could not be loaded.' }).waitFor();
        await endRoutes(page);
        await page.getByRole('alert').getByRole('link', { name: 'Reload the page' }).click();
        await heading(page, 'Team').waitFor();
      },
      { isOfflineAtTimes: true },
    ),
  );

  it(
    'shows an error after a while even if the script that shows errors is missing',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        const notice = page.getByText('This page is taking a long time to load, or could not be loaded.');
        const passTime = () => page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
        await passTime();
        expect(await notice.isVisible()).to.equal(false);
        await page.route('**/assets/index-*.js', (route) => route.abort('internetdisconnected'));
        await page.reload();
        expect(await notice.isVisible()).to.equal(false);
        await passTime();
        expect(await notice.isVisible()).to.equal(true);
        await endRoutes(page);
        await page.getByRole('link', { name: 'Reload the page' }).click();
        await figures(page).waitFor();
        expect(await notice.isVisible()).to.equal(false);
      },
      { isOfflineAtTimes: true },
    ),
  );
});

describe('Without a session', () => {
  it(
    'a page redirects to the sign-in, which returns to the page',
    onStaffPage(
      '/admin',
      async ({ page, context, account, count }) => {
        expect(count(`GET ${session}`), 'a first visit asks for no session').to.equal(0);
        for (const [path, asked, name] of [
          ['/admin', '/admin/dashboard', 'Dashboard'],
          [`${lead}?tab=a#b`, `${lead}?tab=a#b`, 'CRM & Lead Management'],
        ] as const) {
          // Leave the page first, so that it makes no calls without a session.
          await page.goto(new URL('/robots.txt', stack().siteUrl).href);
          await context.clearCookies();
          await page.goto(new URL(path, stack().siteUrl).href);
          await untilAt(page, `/admin/login?${new URLSearchParams({ from: asked })}`);
          await sendSignIn(page, account);
          await toasts(page).getByText('Login Successful', { exact: true }).waitFor();
          await page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor();
          expect(page.url()).to.equal(stack().siteUrl + asked);
        }
        await page.goBack();
        expect(new URL(page.url()).pathname, 'the sign-in is not in the history').to.not.equal('/admin/login');
      },
      { isSignedIn: false, failing: [session, `/api${lead}`] },
    ),
  );
});

describe('Signing in or out in another tab', () => {
  it(
    'applies to all tabs, and to the staff area behind the website',
    onStaffPage(
      '/admin/recipes',
      async ({ page, context, account }) => {
        const next = await addAccount(stack().database, { name: 'Omar Aziz' });
        const other = await context.newPage();
        const signInThere = async (member: TestAccount) => {
          // Hold the session call: its response would redirect a signed-in member before the form is sent.
          const release = await hold(other, session);
          await other.goto(new URL('/admin/login', page.url()).href);
          await sendSignIn(other, member);
          await figures(other).waitFor();
          release();
        };
        await signInThere(next);
        await page.getByRole('banner').getByText(next.name).waitFor();
        await other.getByRole('button', { name: 'Logout' }).click();
        await untilAt(page, '/admin/login?from=%2Fadmin%2Frecipes');
        await page.getByText('Your session has ended. Please sign in again.').waitFor();
        await signInThere(account);
        await untilAt(page, '/admin/recipes');
        await page.getByRole('link', { name: 'View website' }).click();
        await untilAt(page, '/');
        await signInThere(next);
        await page.goBack();
        await page.getByRole('banner').getByText(next.name).waitFor();
        await stack().database('staff').where({ id: next.id }).delete();
      },
      { failing: [session] },
    ),
  );
});

describe('The frame', () => {
  it(
    'navigates between pages and updates the only title, the current item and the focus',
    onStaffPage('/admin/dashboard', async ({ page, account, count }) => {
      await figures(page).waitFor();
      for (const [label, path, title, name] of [
        ['Leads', '/admin/leads', 'Leads – Dune & Tide Admin', 'CRM & Lead Management'],
        ['Automatic emails', '/admin/follow-ups', 'Automatic emails – Dune & Tide Admin', 'Automatic emails'],
        ['Recipes', '/admin/recipes', 'Recipes – Dune & Tide Admin', 'Recipe Management'],
        ['Personal data', '/admin/people', 'Personal data – Dune & Tide Admin', 'Personal data'],
        ['Team', '/admin/team', 'Team – Dune & Tide Admin', 'Team'],
        ['Dashboard', '/admin/dashboard', 'Dashboard – Dune & Tide Admin', 'Dashboard'],
      ] as const) {
        await navigation(page).getByRole('link', { name: label }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await untilAt(page, path);
        await until('the title', async () => (await page.title()) === title);
        expect(await page.locator('head title').count()).to.equal(1);
        expect(await isFocused(page, name), name).to.equal(true);
        expect(await navigation(page).locator('[aria-current="page"]').innerText()).to.equal(label);
      }
      expect(await page.getByRole('banner').count()).to.equal(1);
      expect(await page.getByRole('main').count()).to.equal(1);
      expect(count('GET /api/admin/session'), 'the session is requested once').to.equal(1);
      expect(await page.getByRole('banner').innerText()).to.include(account.name);
      await navigation(page).getByRole('link', { name: 'View website' }).click();
      await until('the home page', async () => (await page.title()).startsWith('Dune & Tide:'));
    }),
  );

  it(
    'lets keyboard users skip the navigation',
    onStaffPage('/admin/team', async ({ page }) => {
      await accountTable(page).waitFor();
      await page.keyboard.press('Tab');
      expect(await isFocused(page, 'Skip to content')).to.equal(true);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await isFocused(page, 'Refresh')).to.equal(true);
    }),
  );

  it(
    'has a menu in narrow windows, closed by its button, Escape or navigation',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        const open = page.getByRole('button', { name: 'Open menu' });
        const close = page.getByRole('button', { name: 'Close menu' });
        expect(await navigation(page).isVisible()).to.equal(false);
        await open.click();
        expect(await close.getAttribute('aria-expanded')).to.equal('true');
        expect(await page.locator('main [inert]').count()).to.equal(1);
        await close.click();
        await open.click();
        await page.keyboard.press('Escape');
        expect(await navigation(page).isVisible()).to.equal(false);
        expect(await open.evaluate((button) => button === document.activeElement)).to.equal(true);
        await open.click();
        await navigation(page).getByRole('link', { name: 'Team' }).click();
        await page.getByRole('heading', { name: 'Team' }).waitFor();
        expect(await navigation(page).isVisible()).to.equal(false);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390);
        await page.waitForLoadState('networkidle');
        await open.click();
        await page.getByRole('button', { name: 'Logout' }).click();
        await heading(page).getByText('Admin Portal').waitFor();
      },
      { width: 390, height: 844 },
    ),
  );

  it(
    'adapts its layout to the font size and to the width of the window',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        await storeLeads(stack().database, [contactMessage]);
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          for (const place of ['dashboard', 'leads', 'follow-ups', 'recipes', 'team']) {
            await page.goto(new URL(`/admin/${place}`, page.url()).href);
            await page.locator('main [aria-busy="false"]:not(button)').first().waitFor();
            await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
            expect(await cutOffTexts(page), `${place}, ${width} px`).to.deep.equal([]);
          }
        }
      },
      { fontSize: 32 },
    ),
  );

  it(
    'works at 400 % zoom: nothing sticks, and no page scrolls sideways',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        const { database } = stack();
        const id = randomUUID();
        await storeLeads(database, [{ ...contactMessage, id }]);
        await database('follow_ups')
          .where({ lead_id: id })
          .update({ state: 'failed', server_answer: '550 No such user' });
        await database('email_opt_outs').insert({ id, mailbox: `${'long'.repeat(10)}@example.com` });
        const recipeToRead = await elsewhere(page).add();
        for (const place of [
          'dashboard',
          'leads',
          `leads/${id}`,
          'follow-ups?state=failed',
          'recipes',
          `recipes/${recipeToRead.id}`,
          `people?email=${contactMessage.email}`,
          'team',
          'account',
        ]) {
          await page.goto(new URL(`/admin/${place}`, page.url()).href);
          await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
          await page
            .locator('main :is(table, dl, form, h2), [role="dialog"] dl')
            .first()
            .waitFor({ state: 'attached' });
          const found = await page.evaluate(() => ({
            width: document.documentElement.scrollWidth,
            dialogs: [...document.querySelectorAll('[role="dialog"]')].map(
              ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
            ),
            stuck: [...document.querySelectorAll('body *')]
              .filter((each) => getComputedStyle(each).position === 'sticky')
              .map((each) => each.tagName),
          }));
          expect(found, place).to.deep.equal({ width: 320, dialogs: found.dialogs.map(() => 0), stuck: [] });
        }
        await database('recipes').where({ id: recipeToRead.id }).delete();
        await database('email_opt_outs').where({ id }).delete();
        await database('leads').where({ id }).delete();
      },
      { width: 320, height: 256 },
    ),
  );

  it(
    'is not printed, nor is the page behind a dialog',
    onStaffPage('/admin/team', async ({ page }) => {
      const main = page.getByRole('main');
      await page.emulateMedia({ media: 'print' });
      expect(await main.isVisible()).to.equal(true);
      expect(
        await page.getByRole('banner').or(page.getByText('Skip to content')).filter({ visible: true }).count(),
      ).to.equal(0);
      await page.emulateMedia({ media: null });
      await page.getByRole('button', { name: 'Add Member' }).click();
      await page.getByRole('dialog').waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('dialog').isVisible()).to.equal(true);
      expect(await page.locator('main').isVisible()).to.equal(false);
    }),
  );
});

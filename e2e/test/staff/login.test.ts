import { tabTo } from '../../src/browser/accessibility.ts';
import { takeTime } from '../../src/browser/browser.ts';
import { onPage } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { countSessions, figures, onStaffPage, toasts, untilAt } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/admin/login';
const anonymous = { isSignedIn: false };

const form = (page: Page) => formOn(page, 'Sign in', { username: /^Username/, password: /^Password/ });
const button = (page: Page) => page.locator('form button[type="submit"]');

describe('The sign-in', () => {
  it(
    'works with the keyboard or a password manager, opens the dashboard in all tabs and stores nothing',
    onStaffPage(
      path,
      async ({ page, context, account }) => {
        const { field } = form(page);
        expect(await field('username').getAttribute('autocomplete')).to.equal('username');
        expect(await field('password').getAttribute('autocomplete')).to.equal('current-password');
        expect(await field('password').getAttribute('type')).to.equal('password');
        expect(await field('username').evaluate((input) => input === document.activeElement)).to.equal(true);
        await page.keyboard.type(account.username);
        await tabTo(page, 'password');
        await page.keyboard.type(account.password);
        expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).to.equal(0);
        await tabTo(page, 'Sign in');
        await page.keyboard.press('Enter');
        await untilAt(page, '/admin/dashboard');
        const kept = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage].flatMap(Object.entries)));
        expect(kept).to.not.include(account.username).and.to.not.include(account.password);
        await until('the toast', async () =>
          /^Login Successful\s+Welcome to the admin dashboard!/.test(await toasts(page).innerText()),
        );
        const other = await context.newPage();
        await other.goto(new URL(path, page.url()).href);
        await untilAt(other, '/admin/dashboard');
        await other.close();
      },
      anonymous,
    ),
  );
});

/**
 * Blocks what browsers block together with cookies: the storage and, in Firefox, BroadcastChannel. A script does it,
 * because the headless shell ignores the setting.
 */
const blockStorage = `
  function blocked() { throw new DOMException('The operation is insecure.', 'SecurityError'); }
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: blocked });
  window.BroadcastChannel = blocked;
`;

describe('A browser that blocks cookies and storage', () => {
  it(
    'shows the sign-in with a text that says what to do, and sends the forms of the site',
    onStaffPage(
      path,
      async ({ page }) => {
        await page.getByRole('alert').getByText('To sign in, allow cookies, then reload the page.').waitFor();
        expect(await button(page).isEnabled()).to.equal(true);

        await page.getByRole('link', { name: 'View website' }).click();
        await page.getByRole('button', { name: 'View All Projects' }).click();
        const modal = page.getByRole('dialog');
        await modal.getByRole('textbox').fill('no-cookies@example.com');
        await takeTime(page);
        await modal.locator('button[type="submit"]').click();
        await modal.getByText('Portfolio Sent!').waitFor();
      },
      { ...anonymous, scripts: [blockStorage] },
    ),
  );
});

const session = '/api/admin/session';

describe('A visitor without a session who opens the sign-in', () => {
  it('causes no call and no error in the console', async () => {
    const noticed: string[] = [];
    const visit = onPage(
      path,
      async ({ page }) => {
        await button(page).waitFor();
        await page.waitForLoadState('networkidle');
      },
      {
        isUntouched: true,
        prepare: async (context) => {
          context.on('console', (message) => void noticed.push(`${message.type()}: ${message.text()}`));
          context.on('request', (request) => {
            const { pathname } = new URL(request.url());
            if (pathname.startsWith('/api/admin/')) noticed.push(pathname);
          });
        },
      },
    );
    await visit();
    expect(noticed).to.deep.equal([]);
  });

  it(
    'causes one call if a session has ended unseen',
    onStaffPage(
      '/admin/dashboard',
      async ({ page, context, count }) => {
        await figures(page).waitFor();
        await context.clearCookies();
        await page.goto(new URL(path, page.url()).href);
        // The page notes the end of the session when the response to its call arrives.
        await until('the end is noted', () => page.evaluate(() => localStorage.getItem('staff-session') === null));
        await page.reload();
        await button(page).waitFor();
        await page.waitForLoadState('networkidle');
        expect(count(`GET ${session}`), 'one for the dashboard, one for the first visit').to.equal(2);
      },
      { failing: [session] },
    ),
  );
});

describe('Logout', () => {
  it(
    'ends the session, and shows the sign-in even if nothing can be loaded',
    onStaffPage('/admin/dashboard', async ({ page, account }) => {
      await figures(page).waitFor();
      // The charts are the last part to load.
      await page.getByRole('heading', { name: 'Leads per week' }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.route('**/assets/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Logout' }).click();
      await untilAt(page, path);
      await button(page).waitFor();
      await until('the end of the session', async () => (await countSessions(account)) === 0);
    }),
  );
});

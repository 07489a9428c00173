import { tabTo } from '../../src/browser/accessibility.ts';
import { hold, routeOnce, takeTime } from '../../src/browser/browser.ts';
import { onPage } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import {
  accountTable,
  countSessions,
  figures,
  focused,
  onStaffPage,
  sendSignIn,
  toasts,
  untilAt,
} from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const call = '/api/admin/login';
const path = '/admin/login';
const anonymous = { isSignedIn: false };
const meantToFail = { isSignedIn: false, failing: [call] };

const form = (page: Page) => formOn(page, 'Sign in', { username: /^Username/, password: /^Password/ });
const button = (page: Page) => page.locator('form button[type="submit"]');

describe('The sign-in', () => {
  it(
    'works with the keyboard or a password manager, opens the dashboard and stores nothing',
    onStaffPage(
      path,
      async ({ page, account }) => {
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
        const release = await hold(page, call);
        await page.keyboard.press('Enter');
        await until('the pending state', async () => (await button(page).innerText()) === 'Signing in...');
        expect(await button(page).isDisabled()).to.equal(true);
        release();
        await untilAt(page, '/admin/dashboard');
        const kept = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage].flatMap(Object.entries)));
        expect(kept).to.not.include(account.username).and.to.not.include(account.password);
        await until('the toast', async () =>
          /^Login Successful\s+Welcome to the admin dashboard!/.test(await toasts(page).innerText()),
        );
      },
      anonymous,
    ),
  );

  it(
    'does not redirect a visitor who has left for the website before the response',
    onStaffPage(
      path,
      async ({ page, account }) => {
        const release = await hold(page, call);
        await sendSignIn(page, account);
        await page.getByRole('link', { name: 'View website' }).click();
        await untilAt(page, '/');
        release();
        await toasts(page).getByText('Login Successful', { exact: true }).waitFor();
        expect(new URL(page.url()).pathname).to.equal('/');
      },
      anonymous,
    ),
  );

  it(
    'shows missing fields, failures and the time of the next attempt, and keeps the typed text',
    onStaffPage(
      path,
      async ({ page, account, calls }) => {
        const alert = page.getByRole('alert');
        const { stateOf, typed } = form(page);
        expect(await page.title()).to.equal('Admin Portal – Dune & Tide');
        expect(await page.getByRole('heading', { level: 1 }).innerText()).to.equal('Admin Portal');
        await button(page).click();
        await page.getByText('Username is required').waitFor();
        expect(await stateOf('username')).to.deep.equal({ message: 'Username is required', isInvalid: true });
        expect(await stateOf('password')).to.deep.equal({ message: 'Password is required', isInvalid: true });
        expect(calls.filter((each) => each.startsWith('POST'))).to.deep.equal([]);

        const { username, password } = account;
        const wrong = { username, password: 'not the password' };
        await sendSignIn(page, wrong);
        await until('the toast', async () => /^Login Failed\s+Login failed/.test(await toasts(page).innerText()));
        expect(await typed()).to.deep.equal(wrong);
        await alert.getByText('The username or the password is wrong.').waitFor();
        expect(await focused(page), 'the focus stays').to.equal('Sign in');
        expect(new URL(page.url()).pathname).to.equal(path);

        await routeOnce(page, `**${call}`, (route) =>
          route.fulfill({ status: 429, headers: { 'Retry-After': '840' }, json: {} }),
        );
        await sendSignIn(page, account);
        await until('the hint', async () =>
          /^Too many attempts\. Please try again in 14 minutes, at \d\d:\d\d\.$/.test(await alert.innerText()),
        );
        const [hint, above] = [await alert.boundingBox(), await button(page).boundingBox()];
        expect(hint?.y, 'below the form').to.be.above((above?.y ?? Number.NaN) + (above?.height ?? 0));
        await routeOnce(page, `**${call}`, (route) => route.abort());
        await button(page).click();
        await alert.getByText('The server did not respond. Please try again in a moment.').waitFor();
        expect(await typed()).to.deep.equal({ username, password });
        await button(page).click();
        await untilAt(page, '/admin/dashboard');
      },
      meantToFail,
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
        await until('the call', () => count(`GET ${session}`) === 2);
        await page.waitForLoadState('networkidle');
        await page.reload();
        await button(page).waitFor();
        await page.waitForLoadState('networkidle');
        expect(count(`GET ${session}`), 'one for the dashboard, one for the first visit').to.equal(2);
      },
      { failing: [session] },
    ),
  );
});

describe('A signed-in member who opens the sign-in', () => {
  it(
    'is redirected to the dashboard or to the page that the address names',
    onStaffPage('/admin/recipes', async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'Recipe Management' }).waitFor();
      await page.goto(new URL(path, page.url()).href);
      await untilAt(page, '/admin/dashboard');
      await page.goto(new URL(`${path}?from=%2Fadmin%2Fteam`, page.url()).href);
      await untilAt(page, '/admin/team');
    }),
  );

  it(
    'is redirected in a tab that was not used to sign in',
    onStaffPage(
      path,
      async ({ page, context, account }) => {
        await sendSignIn(page, account);
        await untilAt(page, '/admin/dashboard');
        const other = await context.newPage();
        await other.goto(new URL(path, page.url()).href);
        await untilAt(other, '/admin/dashboard');
      },
      anonymous,
    ),
  );

  it(
    'stays if a field was filled in before the server responded',
    onStaffPage('/admin/team', async ({ page }) => {
      await accountTable(page).waitFor();
      const release = await hold(page, session);
      await page.goto(new URL(path, page.url()).href);
      await page.getByLabel(/^Username/).fill('another member');
      const responded = page.waitForResponse(`**${session}`);
      release();
      await responded;
      await page.waitForLoadState('networkidle');
      expect(new URL(page.url()).pathname).to.equal(path);
      expect(await page.getByLabel(/^Username/).inputValue()).to.equal('another member');
    }),
  );
});

describe('Logout', () => {
  const logout = '/api/admin/logout';

  it(
    'shows the sign-in immediately and ends the session in the background',
    onStaffPage(
      '/admin/dashboard',
      async ({ page, account }) => {
        await figures(page).waitFor();
        const release = await hold(page, logout);
        await page.getByRole('button', { name: 'Logout' }).click();
        await untilAt(page, path);
        await toasts(page).getByText('Logged Out', { exact: true }).waitFor();
        await until('the heading has the focus', () =>
          page.evaluate(() => document.activeElement?.textContent === 'Admin Portal'),
        );
        expect(await countSessions(account), 'not ended yet').to.equal(1);
        release();
        await until('the end of the session', async () => (await countSessions(account)) === 0);
        await page.goBack();
        await untilAt(page, '/admin/login?from=%2Fadmin%2Fdashboard');
      },
      { failing: ['/api/admin/session'] },
    ),
  );

  it(
    'shows the sign-in even if nothing can be loaded',
    onStaffPage('/admin/dashboard', async ({ page }) => {
      await figures(page).waitFor();
      // The charts are the last part to load.
      await page.getByRole('heading', { name: 'Leads per week' }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.route('**/assets/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Logout' }).click();
      await untilAt(page, path);
      await button(page).waitFor();
    }),
  );

  it(
    'shows an error if the server did not confirm it',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        await page.route(`**${logout}`, (route) => route.fulfill({ status: 503, json: {} }));
        await page.getByRole('button', { name: 'Logout' }).click();
        await untilAt(page, path);
        await toasts(page)
          .getByText(
            'The server did not confirm the logout, so you may still be signed in. Please sign in and log out again.',
          )
          .waitFor();
        await page.waitForLoadState('networkidle');
        expect(new URL(page.url()).pathname).to.equal(path);
      },
      { failing: [logout] },
    ),
  );

  it(
    'that is still pending does not end the next session',
    onStaffPage('/admin/dashboard', async ({ page, account, count }) => {
      const release = await hold(page, logout);
      await page.getByRole('button', { name: 'Logout' }).click();
      await untilAt(page, path);
      await sendSignIn(page, account);
      await button(page).getByText('Signing in...').waitFor();
      expect(count(`POST ${call}`)).to.equal(0);
      release();
      await untilAt(page, '/admin/dashboard');
      expect(await countSessions(account), 'the next session').to.equal(1);
    }),
  );
});

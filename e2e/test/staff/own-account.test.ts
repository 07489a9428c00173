import { stack } from '../../src/browser/browser-suite.ts';
import { expectAccessible, tabTo, withAxe } from '../../src/browser/accessibility.ts';
import { heading, onStaffPage, sendSignIn, signIn, toasts, untilAt, untilToast } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

const path = '/admin/account';
const newPassword = 'another horse, another staple';

describe('The account page', () => {
  it(
    'is reached from the frame, and changes name and email address with the keyboard',
    onStaffPage('/admin/dashboard', async ({ page }) => {
      await page.getByRole('link', { name: 'Layla Haddad' }).click();
      await heading(page, 'Your account').waitFor();
      const name = page.getByLabel(/^Name/);
      await name.waitFor();
      await tabTo(page, 'name');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Layla H.');
      await tabTo(page, 'email');
      await page.keyboard.type('layla@studio.example');
      await page.keyboard.press('Enter');
      await untilToast(page, 'Profile Saved');
      await page.getByRole('link', { name: 'Layla H.' }).waitFor();
      expect(await page.getByLabel(/^Email address/).inputValue()).to.equal('layla@studio.example');
    }),
  );

  it(
    'changes the password with the current one',
    onStaffPage(
      path,
      async ({ page, account }) => {
        const form = page.getByRole('form', { name: 'Change password' });
        await form.getByLabel(/^Current password/).fill('not the password');
        await form.getByLabel(/^New password/).fill(newPassword);
        await form.getByRole('button', { name: 'Change password' }).click();
        await form.getByText('The password is wrong').waitFor();
        await form.getByLabel(/^Current password/).fill(account.password);
        await form.getByRole('button', { name: 'Change password' }).click();
        await untilToast(page, 'Password Changed');
        expect(await form.getByLabel(/^New password/).inputValue()).to.equal('');
      },
      { failing: ['/api/admin/account/password'] },
    ),
  );

  it(
    'lists the sessions and ends others',
    onStaffPage(path, async ({ page, account, context }) => {
      const others = await Promise.all([1, 2, 3].map(() => context.browser()?.newContext() ?? expect.fail()));
      try {
        for (const other of others) await signIn(other, account);
        const list = page.getByRole('list', { name: 'Sessions' });
        await page.reload();
        await until('all sessions are listed', async () => (await list.getByRole('listitem').count()) === 4);
        await list.getByText('This device').waitFor();
        await list
          .getByRole('button', { name: /^End the session of/ })
          .first()
          .click();
        await untilToast(page, 'Session Ended');
        await page.getByRole('button', { name: 'End all 2 other sessions' }).click();
        await untilToast(page, 'Sessions Ended');
        await until('only this session is left', async () => (await list.getByRole('listitem').count()) === 1);
        for (const other of others) {
          const answer = await other.request.get(`${stack().siteUrl}/api/admin/session`);
          expect(answer.status()).to.equal(401);
        }
      } finally {
        for (const other of others) await other.close();
      }
    }),
  );

  it(
    'turns the keys off in this browser',
    onStaffPage(path, async ({ page }) => {
      const keys = page.getByRole('switch', { name: 'Use the keys in this browser' });
      await keys.uncheck();
      expect(await page.evaluate(() => localStorage.getItem('lead-keys'))).to.equal('off');
      await keys.check();
      expect(await page.evaluate(() => localStorage.getItem('lead-keys'))).to.equal(null);
    }),
  );

  it(
    'has no accessibility violations',
    onStaffPage(
      path,
      async ({ page }) => {
        await page.getByRole('list', { name: 'Sessions' }).waitFor();
        await expectAccessible(page, 'the account page');
      },
      withAxe,
    ),
  );
});

describe('A password that another person has set', () => {
  it(
    'must be changed on the sign-in page, before any page of the staff area',
    onStaffPage(
      '/admin/login',
      async ({ page, account }) => {
        await stack().database('staff').where({ id: account.id }).update({ must_change_password: true });
        await sendSignIn(page, account);
        await page.getByText('Someone else has set your password.').waitFor();
        expect(await toasts(page).getByText('Login Successful').count()).to.equal(0);
        await page.goto(new URL('/admin/leads', page.url()).href);
        await untilAt(page, '/admin/login?from=%2Fadmin%2Fleads');
        await page.getByText('Someone else has set your password.').waitFor();
        await expectAccessible(page, 'a password to be changed');
        await page.getByLabel(/^Current password/).fill(account.password);
        await page.getByLabel(/^New password/).fill(newPassword);
        await page.keyboard.press('Enter');
        await heading(page, 'Leads').waitFor();
        await untilToast(page, 'Password Changed');
      },
      { ...withAxe, isSignedIn: false },
    ),
  );
});

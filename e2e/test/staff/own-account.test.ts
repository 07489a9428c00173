import { randomBytes } from 'node:crypto';
import { stack } from '../../src/browser/browser-suite.ts';
import { expectAccessible, tabTo, withAxe } from '../../src/browser/accessibility.ts';
import {
  expectAccessibleInBoth,
  focusedField,
  heading,
  onStaffPage,
  sendSignIn,
  toasts,
  untilAt,
  untilToast,
} from '../../src/browser/staff.ts';
import { expect } from 'chai';
import { generate } from 'otplib';

const path = '/admin/account';
const soon = () => new Date(Date.now() + 60 * 60_000);
const newPassword = 'another horse, another staple';

describe('The account page', () => {
  it(
    'is reached from the frame, and changes name and email address with the keyboard',
    onStaffPage(
      '/admin/dashboard',
      async ({ page, account }) => {
        const session = { id_hash: randomBytes(32).toString('hex'), staff_id: account.id, expires_at: soon() };
        await stack().database('sessions').insert(session);
        await page.getByRole('link', { name: 'Layla Haddad' }).click();
        await heading(page, 'Your account').waitFor();
        await page.getByRole('button', { name: 'End session: Unknown device, unknown address' }).waitFor();
        await expectAccessibleInBoth(page, 'the account page');
        await tabTo(page, 'name');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('Layla H.');
        await tabTo(page, 'email');
        await page.keyboard.type('layla@studio.example');
        await page.keyboard.press('Enter');
        await untilToast(page, 'Profile Saved');
        await page.getByRole('link', { name: 'Layla H.' }).waitFor();
        expect(await page.getByLabel(/^Email address/).inputValue()).to.equal('layla@studio.example');
        expect(await focusedField(page)).to.equal('email');
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
        await untilToast(page, 'Password Changed');
        await heading(page, 'CRM & Lead Management').waitFor();
      },
      { ...withAxe, isSignedIn: false },
    ),
  );
});

describe('The second factor', () => {
  const codeAt = (secret: string, steps: number): Promise<string> =>
    generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });

  it(
    'is set up on the account page, asked for at the sign-in and turned off, with the keyboard',
    onStaffPage(
      path,
      async ({ page, account }) => {
        await page.getByRole('button', { name: 'Set up' }).press('Enter');
        await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
        await expectAccessible(page, 'the set-up of an app');
        const key = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '');
        await page.getByLabel(/^Code that the app shows/).fill('000000');
        await page.keyboard.press('Enter');
        await page.getByText('The code is wrong, or it was used before').waitFor();
        await page.getByLabel(/^Code that the app shows/).fill(await codeAt(key, 0));
        await page.keyboard.press('Enter');
        const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
        await codes.first().waitFor();
        expect(await codes.count()).to.equal(10);
        const [recoveryCode = ''] = await codes.allInnerTexts();
        await expectAccessible(page, 'the recovery codes');
        await page.getByRole('button', { name: 'I have saved them' }).press('Enter');
        await page.getByText('10 recovery codes are left.').waitFor();

        await page.getByRole('button', { name: 'Logout' }).click();
        await sendSignIn(page, account);
        const code = page.getByLabel(/^Code of your authenticator app/);
        await code.waitFor();
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('code');
        expect(await code.getAttribute('autocomplete')).to.equal('one-time-code');
        await expectAccessible(page, 'the code of a sign-in');
        await page.keyboard.type('000000');
        await page.keyboard.press('Enter');
        await page.getByText('The code is wrong, or it was used before').waitFor();
        // The next code, since the current one has confirmed the app.
        await code.fill(await codeAt(key, 1));
        await page.keyboard.press('Enter');
        await untilToast(page, 'Login Successful');

        await page.getByRole('button', { name: 'Logout' }).click();
        await sendSignIn(page, account);
        await page.getByRole('button', { name: 'Use a recovery code' }).click();
        await page.getByLabel(/^Recovery code/).fill(recoveryCode);
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'Layla Haddad' }).click();
        await page.getByText('9 recovery codes are left.').waitFor();
        await page.getByRole('button', { name: 'Turn off' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).press('Enter');
        await page.getByRole('button', { name: 'Set up' }).waitFor();
      },
      { ...withAxe, failing: ['/api/admin/account/totp/confirm', '/api/admin/login/code', '/api/admin/session'] },
    ),
  );
});

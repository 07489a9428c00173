import { expectAccessible, withAxe } from '../../src/browser/accessibility.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import {
  dialog,
  expectAccessibleInBoth,
  onStaffPage,
  sendSignIn,
  untilAt,
  untilToast,
} from '../../src/browser/staff.ts';
import { expect } from 'chai';
import type { CDPSession, Page } from 'playwright-core';

const path = '/admin/account';

/** An authenticator of Chromium for tests, which responds to prompts without a person. */
interface VirtualAuthenticator {
  /** Whether the person is recognised, e.g. by the fingerprint. If not, prompts fail as if the person cancelled them. */
  recognise(isRecognised: boolean): Promise<unknown>;
  /** Whether it responds to prompts; otherwise they stay open. */
  respond(responds: boolean): Promise<unknown>;
}

/** Runs a test with an authenticator, and removes it from the tab, which other tests use. */
async function withAuthenticator(
  page: Page,
  test: (authenticator: VirtualAuthenticator) => Promise<void>,
): Promise<void> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  try {
    await test({
      recognise: (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
      respond: (enabled) => devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    });
  } finally {
    await devtools.detach();
  }
}

const cancelled = 'The prompt was cancelled or timed out. Please try again.';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds a passkey on the account page with the keyboard. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await button(page, 'Add a passkey').press('Enter');
  await dialog(page)
    .getByLabel(/^Name of the passkey/)
    .waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

describe('A passkey', () => {
  it(
    'is added on the account page, completes the sign-in and is removed, with the keyboard',
    onStaffPage(
      path,
      ({ page, account }) =>
        withAuthenticator(page, async (authenticator) => {
          await authenticator.recognise(false);
          await addPasskey(page, 'Work laptop');
          await dialog(page).getByText(cancelled).waitFor();
          await authenticator.recognise(true);
          expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Try again');
          await page.keyboard.press('Enter');
          const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
          await codes.first().waitFor();
          expect(await codes.count()).to.equal(10);
          const [recoveryCode = ''] = await codes.allInnerTexts();
          await button(page, 'I have saved them').press('Enter');
          const list = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
          expect(await list.innerText()).to.match(/Work laptop\s+Added .* · not used yet/);
          await expectAccessible(page, 'the list of passkeys');

          await page.getByRole('button', { name: 'Logout' }).click();
          await sendSignIn(page, account);
          await button(page, 'Use your passkey').waitFor();
          expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Use your passkey');
          await expectAccessibleInBoth(page, 'a sign-in with a passkey');
          await authenticator.recognise(false);
          await page.keyboard.press('Enter');
          await page.getByText(cancelled).waitFor();
          await authenticator.recognise(true);
          await button(page, 'Try again').press('Enter');
          await untilToast(page, 'Login Successful');
          await untilAt(page, '/admin/dashboard');

          await page.getByRole('button', { name: 'Logout' }).click();
          await sendSignIn(page, account);
          await button(page, 'Use a recovery code instead').press('Enter');
          await page.getByLabel(/^Recovery code/).waitFor();
          await button(page, 'Use your passkey').press('Enter');
          await button(page, 'Use a recovery code instead').press('Enter');
          await page.getByLabel(/^Recovery code/).fill(recoveryCode);
          await page.keyboard.press('Enter');
          await page.getByRole('link', { name: 'Layla Haddad' }).click();
          await page.getByText('9 recovery codes are left.').waitFor();
          expect(await list.innerText()).to.match(/last used .*:\d\d/);
          await button(page, 'Remove Work laptop').press('Enter');
          await dialog(page).getByText('Your password alone will be enough to sign in.').waitFor();
          await dialog(page).getByRole('button', { name: 'Remove' }).press('Enter');
          await untilToast(page, 'Passkey Removed');
          await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' });
        }),
      { ...withAxe, failing: ['/api/admin/session'] },
    ),
  );

  it(
    'is not added twice on one device, and an open prompt ends with its dialog',
    onStaffPage(path, ({ page, account }) =>
      withAuthenticator(page, async (authenticator) => {
        await addPasskey(page, 'Work laptop');
        await button(page, 'I have saved them').press('Enter');
        await addPasskey(page, 'Again');
        await dialog(page).getByText('Your account has a passkey on this device already.').waitFor();
        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'detached' });
        await authenticator.respond(false);
        await addPasskey(page, 'Open');
        await dialog(page).getByText('Follow the steps that your browser shows.').waitFor();
        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'detached' });
        await authenticator.respond(true);
        const stored = await stack().database('passkeys').where({ staff_id: account.id }).pluck<string[]>('name');
        expect(stored).to.deep.equal(['Work laptop']);
      }),
    ),
  );

  it('is not offered at an IP address, where the page names the address to open', async function run() {
    const { siteUrl } = stack();
    const { port } = new URL(siteUrl);
    const visit = onStaffPage(
      `http://127.0.0.1:${port}/admin/login`,
      async ({ page, account }) => {
        await stack()
          .database('passkeys')
          .insert({
            staff_id: account.id,
            credential_id: account.id,
            public_key: Buffer.from([1]),
            counter: 0,
            transports: [],
            name: 'Work laptop',
          });
        await sendSignIn(page, account);
        await page
          .getByText(`Passkeys do not work at the address 127.0.0.1. Open http://localhost:${port} instead.`)
          .waitFor();
        await page.getByLabel(/^Recovery code/).waitFor();
        expect(await button(page, 'Use your passkey').count()).to.equal(0);
      },
      { isSignedIn: false },
    );
    await visit.call(this);
  });
});

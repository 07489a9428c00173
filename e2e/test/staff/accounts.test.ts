import { endRoutes, hold, loseResponse, routeOnce } from '../../src/browser/browser.ts';
import { tabTo } from '../../src/browser/accessibility.ts';
import { staffAccount } from '../../src/browser/browser-stack.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import {
  accountTable,
  dialog,
  endSessions,
  expectHeldOpen,
  figures,
  focusedField,
  heading,
  onStaffPage,
  sendSignIn,
  toasts,
  untilAt,
  untilClosed,
} from '../../src/browser/staff.ts';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/admin/team';
const listCall = 'GET /api/admin/team';
const list = '/api/admin/team';

const row = (page: Page, name: string) => accountTable(page).getByRole('row').filter({ hasText: name });
const cells = (page: Page, name: string) =>
  row(page, name)
    .locator('th, td')
    .evaluateAll((all) => all.map((cell) => cell.textContent));
const send = (page: Page) => dialog(page).locator('button[type="submit"]');

async function openAdd(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Member' }).click();
  await dialog(page)
    .getByLabel(/^Password/)
    .waitFor();
}

async function fillMember(page: Page, name: string, username: string, password: string): Promise<void> {
  await dialog(page).getByLabel(/^Name/).fill(name);
  await dialog(page)
    .getByLabel(/^Username/)
    .fill(username);
  await dialog(page)
    .getByLabel(/^Password/)
    .fill(password);
}

/** Returns the values of the dialog's fields. */
const typed = (page: Page) =>
  dialog(page)
    .locator('input')
    .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));

/** Queries the accounts in the database. */
const accounts = () => stack().database<{ username: string; name: string; is_active: boolean }>('staff');

describe('The team page', () => {
  let nouraId = '';
  /** Calls for Noura's account that a test makes fail. */
  const meant: string[] = [];

  beforeEach(async () => {
    const { database } = stack();
    const lastSignInAt = new Date('2026-11-20T12:47:00Z');
    nouraId = (await addAccount(database, { name: 'Noura al-Harbi', username: 'noura', lastSignInAt })).id;
    await addAccount(database, { name: 'Sipho Dlamini', username: 'sipho', lastSignInAt });
    await addAccount(database, { name: 'Tariq Mansour', username: 'tariq', isActive: false });
    await addAccount(database, { name: 'Zanele Khumalo', username: 'zanele.khumalo' });
  });
  afterEach(() => accounts().whereNot({ username: staffAccount.username }).delete());

  it(
    "lists the accounts with last sign-in and status, and sets another member's password",
    onStaffPage(path, async ({ page }) => {
      await accountTable(page).waitFor();
      expect(await accountTable(page).getByRole('columnheader').allInnerTexts()).to.deep.equal([
        'Name',
        'Username',
        'Last sign-in',
        'Status',
        'Actions',
      ]);
      const [name, username, time, status] = await cells(page, 'Noura al-Harbi');
      expect([name, username, status]).to.deep.equal(['Noura al-Harbi', 'noura', 'Active']);
      expect(time).to.match(/Nov 20, 2026 \d\d:\d\d$/);
      expect((await cells(page, 'Zanele Khumalo'))[2]).to.match(/Never$/);
      expect((await cells(page, 'Tariq Mansour'))[3]).to.equal('Inactive');
      const all = await accounts();
      const active = all.filter((account) => account.is_active);
      await page.getByText(`${active.length} of ${all.length} accounts are active.`, { exact: true }).waitFor();
      expect(
        await row(page, 'Layla Haddad').getByRole('button').allInnerTexts(),
        "no deactivation of one's own account",
      ).to.deep.equal([]);
      expect(await row(page, 'Layla Haddad').getByRole('link', { name: 'Your account' }).getAttribute('href')).to.equal(
        '/admin/account',
      );

      await row(page, 'Noura al-Harbi').getByRole('button', { name: 'New password for Noura al-Harbi' }).click();
      const field = dialog(page).getByLabel(/^Password/);
      expect([await field.getAttribute('type'), await field.getAttribute('autocomplete')]).to.deep.equal([
        'password',
        'new-password',
      ]);
      await field.fill('a new password');
      expect(await field.getAttribute('type'), 'hidden by default').to.equal('password');
      await tabTo(page, 'Show password');
      await page.keyboard.press('Enter');
      expect(await field.getAttribute('type')).to.equal('text');
      expect(await dialog(page).getByRole('button', { name: 'Hide password' }).innerText()).to.equal('Hide');
      await page.keyboard.press('Enter');
      expect(await field.getAttribute('type')).to.equal('password');
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await send(page).click();
      expect((await sent).postDataJSON()).to.deep.equal({ password: 'a new password' });
      await toasts(page).getByText('Password Changed', { exact: true }).waitFor();
      await untilClosed(page);
    }),
  );

  it(
    'sets and removes the email address of an account',
    onStaffPage(path, async ({ page }) => {
      const open = () => row(page, 'Sipho Dlamini').getByRole('button', { name: 'Email of Sipho Dlamini' }).click();
      const field = dialog(page).getByLabel(/^Email address/);
      await open();
      await field.fill('no address');
      await send(page).click();
      await dialog(page).getByText('Please enter a valid email address').waitFor();
      await field.fill('sipho@example.com');
      await send(page).click();
      await row(page, 'Sipho Dlamini').getByText('sipho@example.com').waitFor();
      await untilClosed(page);
      await open();
      expect(await field.inputValue()).to.equal('sipho@example.com');
      await field.fill('');
      await send(page).click();
      await row(page, 'Sipho Dlamini').getByText('sipho@example.com').waitFor({ state: 'detached' });
    }),
  );

  it(
    'keeps the layout while the rows load, and shows a load failure',
    onStaffPage(
      path,
      async ({ page }) => {
        await page.getByText('Could not load the accounts.').waitFor();
        await page.context().unroute(`**${list}`);
        await page.getByRole('button', { name: 'Try again' }).click();
        await accountTable(page).waitFor();
      },
      {
        failing: [list],
        prepare: (context) => context.route(`**${list}`, (route) => route.fulfill({ status: 503, json: {} })),
      },
    ),
  );

  it(
    'adds a member with the keyboard',
    onStaffPage(path, async ({ page, count }) => {
      await accountTable(page).waitFor();
      await tabTo(page, 'Add Member');
      await page.keyboard.press('Enter');
      await dialog(page).waitFor();
      expect(await focusedField(page), 'the first field').to.equal('name');
      await page.keyboard.type('Amal Idris');
      await tabTo(page, 'username');
      await page.keyboard.type('amal');
      await tabTo(page, 'password');
      await page.keyboard.type('short');
      await page.keyboard.press('Enter');
      await dialog(page).getByText('Password must be at least 8 characters').waitFor();
      expect(count('POST /api/admin/team')).to.equal(0);
      await page.keyboard.type(' no more');
      await tabTo(page, 'Add Member');
      await page.keyboard.press('Enter');
      await toasts(page).getByText('Member Added', { exact: true }).waitFor();
      await untilClosed(page);
      await row(page, 'Amal Idris').waitFor();
      expect(count(listCall), 'the list is loaded again').to.equal(2);
      expect(await accounts().where({ username: 'amal', is_active: true })).to.have.length(1);
      await until('the button has the focus again', () =>
        page.evaluate(() => document.activeElement?.textContent === 'Add Member'),
      );
    }),
  );

  it(
    'keeps the dialog and its values when adding fails, shows why, and adds one account for all attempts',
    onStaffPage(
      path,
      async ({ page, count }) => {
        await accountTable(page).waitFor();
        await openAdd(page);
        await send(page).click();
        for (const message of ['Name is required', 'Username is required', 'Password must be at least 8 characters']) {
          await dialog(page).getByText(message, { exact: true }).waitFor();
        }
        await fillMember(page, 'Noura Saleh', 'noura', 'a long password');
        await send(page).click();
        await dialog(page).getByText('This username is taken').waitFor();
        await dialog(page)
          .getByLabel(/^Username/)
          .fill('noura.saleh');
        await loseResponse(page, `**${list}`);
        const release = await hold(page, list);
        await send(page).click();
        await dialog(page).getByRole('button', { name: 'Adding...' }).waitFor();
        await expectHeldOpen(page, ['Close', 'Cancel']);
        release();
        await dialog(page).getByText('Failed to add the member. Please try again.').waitFor();
        // Not by role, because the page is inert behind the dialog.
        await row(page, 'Noura Saleh').waitFor();
        await page.mouse.click(12, 880);
        expect(await typed(page)).to.deep.equal(['Noura Saleh', 'noura.saleh', 'a long password', '']);
        expect(await toasts(page).getByRole('button').count(), 'no toast').to.equal(0);
        expect(count(listCall)).to.equal(2);
        await send(page).click();
        await toasts(page).getByText('Member Added', { exact: true }).waitFor();
        expect(await accounts().where({ name: 'Noura Saleh' })).to.have.length(1);
      },
      { failing: [list] },
    ),
  );

  it(
    'keeps name and username, but no password, after the session has ended, until they are discarded',
    onStaffPage(
      path,
      async ({ page, account }) => {
        await accountTable(page).waitFor();
        await page.locator('section[aria-busy="false"]').waitFor();
        await openAdd(page);
        await fillMember(page, 'Noura Saleh', 'noura.saleh', 'a long password');
        await endSessions(account);
        await send(page).click();
        await untilAt(page, '/admin/login?from=%2Fadmin%2Fteam');
        expect(await page.evaluate(() => Object.values(sessionStorage).join())).to.not.include('a long password');
        await sendSignIn(page, account);
        await accountTable(page).waitFor();
        await openAdd(page);
        expect(await typed(page)).to.deep.equal(['Noura Saleh', 'noura.saleh', '', '']);
        await dialog(page).getByRole('button', { name: 'Cancel' }).click();
        await untilClosed(page);
        await openAdd(page);
        expect(await typed(page)).to.deep.equal(['', '', '', '']);
      },
      { failing: [list] },
    ),
  );

  it(
    'deactivates an account after confirmation, and activates it again',
    onStaffPage('/admin/dashboard', async ({ page, calls }) => {
      const goTo = async (name: string) => {
        await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name }).click();
        await heading(page).getByText(name, { exact: true }).waitFor();
      };
      const teamMembers = async () => {
        await figures(page).waitFor();
        return Number(
          await page.locator('dl > div', { hasText: 'Team Members' }).locator('dd > *').first().textContent(),
        );
      };
      const before = await teamMembers();
      await goTo('Team');
      const change = () => calls.filter((call) => call.startsWith('PATCH')).length;
      await row(page, 'Sipho Dlamini').getByRole('button', { name: 'Deactivate Sipho Dlamini' }).click();
      await dialog(page).getByRole('heading', { name: 'Deactivate Sipho Dlamini?' }).waitFor();
      await dialog(page).getByText('The account sipho will be signed out immediately').waitFor();
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await untilClosed(page);
      expect(change()).to.equal(0);
      await row(page, 'Sipho Dlamini').getByRole('button', { name: 'Deactivate Sipho Dlamini' }).click();
      await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).click();
      await toasts(page).getByText('Member Deactivated', { exact: true }).waitFor();
      await until('the new state', async () => (await cells(page, 'Sipho Dlamini'))[3] === 'Inactive');
      expect(await accounts().where({ username: 'sipho', is_active: false })).to.have.length(1);
      await goTo('Dashboard');
      expect(await teamMembers(), 'the number is loaded again').to.equal(before - 1);
      await goTo('Team');
      await row(page, 'Sipho Dlamini').getByRole('button', { name: 'Activate Sipho Dlamini' }).click();
      await dialog(page).getByRole('button', { name: 'Activate', exact: true }).click();
      await toasts(page).getByText('Member Activated', { exact: true }).waitFor();
      await until('the new state', async () => (await cells(page, 'Sipho Dlamini'))[3] === 'Active');
    }),
  );

  it(
    'shows the state of an account to staff who cancel before a response',
    onStaffPage(
      path,
      async ({ page }) => {
        await page.route(`**${list}/*`, async (route) => {
          await route.fetch();
          await route.abort('connectionreset');
        });
        meant.push(`${list}/${nouraId}`);
        await row(page, 'Noura al-Harbi').getByRole('button', { name: 'Deactivate Noura al-Harbi' }).click();
        await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).click();
        await dialog(page).getByRole('alert').waitFor();
        await dialog(page).getByRole('button', { name: 'Cancel' }).click();
        await until('the new state', async () => (await cells(page, 'Noura al-Harbi'))[3] === 'Inactive');
        await accounts().where({ username: 'noura' }).update({ is_active: true });
      },
      { failing: meant },
    ),
  );

  it(
    'shows the result as a toast after the page was left',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        meant.push(list, `${list}/${nouraId}`);
        const fails = async (submit: () => Promise<void>, method: string, text: string) => {
          await figures(page).waitFor();
          await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Team' }).click();
          let fail: (() => void) | undefined;
          await page.route(`**${list}**`, async (route) => {
            if (route.request().method() !== method) return route.fallback();
            await new Promise<void>((resolve) => (fail = resolve));
            return route.fulfill({ status: 503, json: {} });
          });
          await submit();
          await until('the call is made', () => fail !== undefined);
          await page.goBack();
          await figures(page).waitFor();
          fail?.();
          await toasts(page).getByText(text, { exact: true }).waitFor();
        };
        const deactivate = async () => {
          await row(page, 'Noura al-Harbi')
            .getByRole('button', { name: /^Deactivate/ })
            .click();
          await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).click();
        };
        await fails(deactivate, 'PATCH', 'Failed to deactivate the account. Please try again.');
        const add = async () => {
          await openAdd(page);
          await fillMember(page, 'Noura Saleh', 'noura.saleh', 'a long password');
          await send(page).click();
        };
        await fails(add, 'POST', 'Failed to add the member. Please try again.');

        await endRoutes(page);
        await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Team' }).click();
        await openAdd(page);
        const release = await hold(page, list);
        await fillMember(page, 'Noura Saleh', 'noura.saleh', 'a long password');
        await send(page).click();
        await page.goBack();
        release();
        await toasts(page).getByText('Member Added', { exact: true }).waitFor();
        await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Team' }).click();
        await openAdd(page);
        expect(await typed(page), 'the draft of a stored account is gone').to.deep.equal(['', '', '', '']);
      },
      { failing: meant },
    ),
  );

  it(
    'keeps the dialog when the request fails, and closes it with Escape only while no request is pending',
    onStaffPage(
      path,
      async ({ page }) => {
        await row(page, 'Noura al-Harbi')
          .getByRole('button', { name: /^Deactivate/ })
          .click();
        meant.push(`${list}/${nouraId}`);
        await routeOnce(page, '**/api/admin/team/*', (route) => route.fulfill({ status: 500, json: {} }));
        await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).click();
        await dialog(page).getByText('Failed to deactivate the account. Please try again.').waitFor();
        await page.keyboard.press('Escape');
        await untilClosed(page);
        expect((await cells(page, 'Noura al-Harbi'))[3]).to.equal('Active');
        expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).to.equal(
          'Deactivate Noura al-Harbi, noura',
        );

        // The change succeeds, but the list cannot be loaded afterwards.
        meant.push(list);
        await routeOnce(page, `**${list}`, (route) => route.fulfill({ status: 503, json: {} }));
        const release = await hold(page, `${list}/*`);
        await page.keyboard.press('Enter');
        await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).click();
        await dialog(page).getByRole('button', { name: 'Deactivating...' }).waitFor();
        await expectHeldOpen(page, ['Close', 'Cancel']);
        release();
        await toasts(page).getByText('Member Deactivated', { exact: true }).waitFor();
        await page.getByRole('alert').getByText('Could not refresh the list').waitFor();
        expect((await cells(page, 'Noura al-Harbi'))[3], 'the table is still shown').to.equal('Active');
        await page.getByRole('button', { name: 'Refresh' }).click();
        await until('the new state', async () => (await cells(page, 'Noura al-Harbi'))[3] === 'Inactive');
      },
      { failing: meant },
    ),
  );

  it(
    'asks for the password again if it was entered long ago, and changes nothing without it',
    onStaffPage(
      path,
      async ({ page, account, calls }) => {
        await accountTable(page).waitFor();
        const { database } = stack();
        await database('sessions')
          .where({ staff_id: account.id })
          .update({ password_at: database.raw(`now() - interval '11 minutes'`) });
        meant.push(`${list}/${nouraId}`, '/api/admin/account/confirm');
        const prompt = page.getByRole('dialog', { name: 'Enter your password' });
        const question = page.getByRole('dialog', { name: 'Deactivate Noura al-Harbi?' });

        await tabTo(page, 'Deactivate Noura al-Harbi, noura');
        await page.keyboard.press('Enter');
        await question.getByRole('button', { name: 'Deactivate', exact: true }).click();
        await prompt.waitFor();
        await page.keyboard.press('Escape');
        await question.getByText('This change needs your password. Nothing was changed.').waitFor();
        expect(await accounts().where({ username: 'noura', is_active: true })).to.have.length(1);

        await page.keyboard.press('Enter');
        await prompt.waitFor();
        await until('the field has the focus', async () => (await focusedField(page)) === 'password');
        await page.keyboard.type('not the password');
        await page.keyboard.press('Enter');
        await prompt.getByText('The password is wrong').waitFor();
        await prompt.getByLabel(/^Your password/).fill(account.password);
        await page.keyboard.press('Enter');
        await toasts(page).getByText('Member Deactivated', { exact: true }).waitFor();
        await untilClosed(page);
        expect(await accounts().where({ username: 'noura', is_active: false })).to.have.length(1);
        expect(calls.filter((call) => call === 'POST /api/admin/account/confirm')).to.have.length(2);
      },
      { failing: meant },
    ),
  );

  it(
    'asks for the password again before a member is added, and keeps what was typed',
    onStaffPage(
      path,
      async ({ page, account }) => {
        await openAdd(page);
        const { database } = stack();
        await database('sessions')
          .where({ staff_id: account.id })
          .update({ password_at: database.raw(`now() - interval '11 minutes'`) });
        const prompt = page.getByRole('dialog', { name: 'Enter your password' });
        const form = page.getByRole('dialog', { name: 'Add a member' });
        await fillMember(page, 'Amahle Zulu', 'amahle', 'a boat behind the lighthouse');
        await send(page).click();
        await prompt.waitFor();
        await page.keyboard.press('Escape');
        await form.getByText('This change needs your password. Nothing was changed.').waitFor();
        expect(await form.getByLabel(/^Name/).inputValue()).to.equal('Amahle Zulu');
        expect(await accounts().where({ username: 'amahle' })).to.deep.equal([]);

        await send(page).click();
        await prompt.getByLabel(/^Your password/).fill(account.password);
        await page.keyboard.press('Enter');
        await toasts(page).getByText('Member Added', { exact: true }).waitFor();
        await untilClosed(page);
        expect(await accounts().where({ username: 'amahle' })).to.have.length(1);
      },
      { failing: [list] },
    ),
  );
});

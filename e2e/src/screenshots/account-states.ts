import { staffEmailLimits } from '@dune-tide/domain/limits';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { confirmEmailPath } from '@dune-tide/platform/id-tokens';
import type { BrowserContext, Page } from 'playwright-core';
import { staffAccount } from '../browser/browser-stack.ts';
import { accountTable, dialog, press, sendSignIn, toasts } from '../browser/staff.ts';
import type { Shot } from './shot.ts';
import { confirmationPath, leadId, optedOut, people, visitor } from './staff-data.ts';

const isUntouched = { isUntouched: true } as const;
const asOwner = { isSignedIn: true, options: isUntouched } as const;
const asMember = { ...asOwner, account: people.noura } as const;

/** A password that the API refuses as easy to guess. */
const weakPassword = 'Summer2026!';

const recoveryCodes = [
  'k7wqm-h2xtr-9fdvb-cy4ne-pz8juh',
  'g3sxa-w9mke-7tqrh-n2vfd-b6ycpw',
  'zr8eu-5jkbm-qa4wt-hx7gn-s9dfvm',
  'm2cph-t6vwy-e8nsb-kj3qr-7uagxz',
  'yd9fw-x4hgk-r5tme-aq8vz-c2nbsj',
  'b5nta-8qyxd-w3kfh-um7rg-e6zpvc',
  'h9vke-c3rjp-m6zta-8wnyf-g4qdxs',
  'q4gzd-n7swm-f2xeb-vh9ku-t5ryac',
  'u6xrb-k2afy-p9hdw-z4ctm-j8gnqe',
  'w3mfq-y8edz-s5vbk-7hrxa-n9cptu',
];

/** Lets the API refuse a call because of a limit. */
const limited = (path: string, detail: string, seconds: number) => ({
  ...isUntouched,
  failing: [path],
  prepare: (context: BrowserContext) =>
    context.route(`**${path}*`, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': String(seconds) },
        contentType: 'application/problem+json',
        json: { type: problemTypes.limit_reached, title: 'Too Many Requests', status: 429, detail },
      }),
    ),
});

/** Lets the page send replies, which the API of the screenshots only simulates. */
const mailing = (options: ReturnType<typeof limited>): ReturnType<typeof limited> => ({
  ...options,
  prepare: async (context) => {
    await context.route('**/api/admin/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), replies: 'mail' } });
    });
    return options.prepare(context);
  },
});

const openReply = async (page: Page): Promise<void> => {
  await press(dialog(page), 'Send Email');
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).waitFor();
};

const replyLimits = [
  ['lead', `A lead gets at most ${staffEmailLimits.perLead} replies in ${staffEmailLimits.leadMinutes} minutes.`, 540],
  ['account', `You can send at most ${staffCalls.reply.perHour} emails in an hour.`, 1_500],
  ['mailbox', `A mailbox gets at most ${staffEmailLimits.perMailboxAndHour} emails from staff in an hour.`, 3_000],
] as const;

const prompt = (page: Page) => page.getByRole('dialog', { name: 'Enter your password' });

/** Calls that need the password again, each with the steps up to it. */
const promptedCalls: readonly (Pick<Shot, 'name' | 'path'> & {
  readonly call: string;
  readonly reach: (page: Page) => Promise<unknown>;
})[] = [
  {
    name: 'admin-password-for-role',
    path: '/admin/team',
    call: '/api/admin/team/*',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Role of Noura al-Harbi' }).click();
      await dialog(page).getByRole('combobox').selectOption('owner');
      await press(dialog(page), 'Save Role');
    },
  },
  {
    name: 'admin-password-for-export',
    path: '/admin/leads',
    call: '/api/admin/leads.csv',
    reach: (page) => press(page, 'Export CSV'),
  },
  {
    name: 'admin-password-for-erasure',
    path: `/admin/people?email=${visitor}`,
    call: '/api/admin/people/erase',
    reach: async (page) => {
      await press(page, 'Erase…');
      await dialog(page).getByRole('textbox').fill(visitor);
      await press(dialog(page), 'Erase for good');
    },
  },
  {
    name: 'admin-password-for-profile',
    path: '/admin/account',
    call: '/api/admin/account',
    reach: async (page) => {
      await page.getByLabel(/^Name/).fill('Layla H.');
      await press(page, 'Save profile');
    },
  },
  {
    name: 'admin-password-for-sessions',
    path: '/admin/account',
    call: '/api/admin/account/sessions',
    reach: (page) => press(page, 'Sign out everywhere else'),
  },
];

const newPassword = (page: Page) => page.getByLabel(/^New password/);

const roles: readonly Shot[] = [
  {
    name: 'admin-team-upgraded',
    path: '/admin/team',
    ...asOwner,
    options: {
      ...isUntouched,
      prepare: (context) =>
        context.route('**/api/admin/team', async (route) => {
          const response = await route.fetch();
          const accounts = (await response.json()) as readonly object[];
          await route.fulfill({ response, json: accounts.map((account) => ({ ...account, role: 'owner' })) });
        }),
    },
    reach: (page) => page.getByText('Every account is an owner').waitFor(),
  },
  {
    name: 'admin-team-audit-log',
    path: '/admin/team',
    ...asOwner,
    reach: async (page) => {
      await page.getByRole('table', { name: 'Audit log' }).getByText('Chrome on Linux').first().waitFor();
      await page.getByRole('heading', { name: 'Audit log' }).evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    name: 'admin-team-role',
    path: '/admin/team',
    ...asOwner,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Role of Noura al-Harbi' }).click();
      await dialog(page).getByRole('combobox').waitFor();
    },
  },
  {
    name: 'admin-team-email',
    path: '/admin/team',
    ...asOwner,
    reach: async (page) => {
      await page.getByRole('button', { name: `Email of ${people.zanele.name}` }).click();
      await dialog(page).getByRole('textbox').waitFor();
    },
  },
  {
    name: 'admin-team-weak-password',
    path: '/admin/team',
    ...asOwner,
    options: { ...isUntouched, failing: ['/api/admin/team'] },
    reach: async (page) => {
      await press(page, 'Add Member');
      await dialog(page).getByLabel(/^Name/).fill('Amal Idris');
      await dialog(page)
        .getByLabel(/^Username/)
        .fill('amal');
      await dialog(page)
        .getByLabel(/^Password/)
        .fill(weakPassword);
      await dialog(page).locator('button[type="submit"]').click();
      await dialog(page).getByText('easy to guess').waitFor();
    },
  },
  {
    name: 'admin-team-member',
    path: '/admin/team',
    ...asMember,
    reach: async (page) => {
      await accountTable(page).waitFor();
      await page.getByText('Only an owner can').waitFor();
    },
    isWhole: true,
  },
  {
    name: 'admin-people-member',
    path: `/admin/people?email=${visitor}`,
    ...asMember,
    reach: (page) => page.getByText('Only an owner can').waitFor(),
    isWhole: true,
  },
  {
    name: 'admin-people-limited',
    path: `/admin/people?email=${visitor}`,
    isSignedIn: true,
    options: limited('/api/admin/people/erase', 'You can erase the data of 20 people in an hour.', 2_000),
    reach: async (page) => {
      await press(page, 'Erase…');
      await dialog(page).getByRole('textbox').fill(visitor);
      await press(dialog(page), 'Erase for good');
      await dialog(page).getByText('in an hour').waitFor();
    },
  },
  {
    name: 'admin-follow-ups-member',
    path: '/admin/follow-ups?state=failed',
    ...asMember,
    reach: async (page) => {
      await page.getByRole('table', { name: 'Failed emails' }).getByRole('row').nth(1).waitFor();
      await page.getByText('Only an owner can').nth(1).waitFor();
    },
    isWhole: true,
  },
  {
    name: 'admin-leads-member',
    path: '/admin/leads',
    ...asMember,
    reach: (page) => page.getByText('Only an owner can export').waitFor(),
  },
  {
    name: 'admin-leads-export-limited',
    path: '/admin/leads?q=Rimal',
    isSignedIn: true,
    account: people.noura,
    options: limited('/api/admin/leads.csv', 'You can export 5 files in an hour.', 1_200),
    reach: async (page) => {
      await press(page, 'Export CSV');
      await toasts(page).getByText('in an hour').waitFor();
    },
  },
  ...promptedCalls.map(({ call, reach, ...shot }): Shot => ({
    ...shot,
    isSignedIn: true,
    isStale: true,
    options: { ...isUntouched, failing: [call] },
    reach: async (page) => {
      await reach(page);
      await prompt(page).getByRole('textbox').waitFor();
    },
  })),
];

const addresses: readonly Shot[] = [
  {
    name: 'admin-dashboard-no-address',
    path: '/admin/dashboard',
    ...asOwner,
    account: people.sipho,
    reach: (page) => page.getByRole('button', { name: 'Add an address' }).waitFor(),
  },
  { name: 'confirm-email', path: confirmationPath, options: isUntouched },
  {
    name: 'confirm-email-invalid',
    path: `${confirmEmailPath}/${'A'.repeat(43)}`,
    options: { ...isUntouched, failing: [`${confirmEmailPath}/${'A'.repeat(43)}`] },
  },
  {
    name: 'admin-account',
    path: '/admin/account',
    ...asOwner,
    reach: (page) => page.getByRole('button', { name: 'Set up' }).waitFor(),
    isWhole: true,
  },
  {
    name: 'admin-account-pending',
    path: '/admin/account',
    ...asOwner,
    account: people.zanele,
    reach: (page) => page.getByText('Not confirmed yet').waitFor(),
  },
];

const signIn: readonly Shot[] = [
  {
    name: 'admin-account-weak-password',
    path: '/admin/account',
    ...asOwner,
    options: { ...isUntouched, failing: ['/api/admin/account/password'] },
    reach: async (page) => {
      await page.getByLabel(/^Current password/).fill(staffAccount.password);
      await newPassword(page).fill(weakPassword);
      await press(page, 'Change password');
      await page.getByText('easy to guess').waitFor();
    },
  },
  {
    name: 'admin-login-weak-password',
    path: '/admin/login',
    options: { ...isUntouched, failing: ['/api/admin/session', '/api/admin/account/password'] },
    reach: async (page) => {
      await sendSignIn(page, people.amal);
      await page.getByLabel(/^Current password/).fill(people.amal.password);
      await newPassword(page).fill(weakPassword);
      await press(page, 'Change password');
      await page.getByText('easy to guess').waitFor();
    },
  },
  {
    name: 'admin-login-code',
    path: '/admin/login',
    options: {
      ...isUntouched,
      failing: ['/api/admin/session', '/api/admin/login/code'],
      prepare: async (context) => {
        await context.route('**/api/admin/login', (route) =>
          route.fulfill({ status: 202, json: { secondFactors: ['code'] } }),
        );
      },
    },
    reach: async (page) => {
      await sendSignIn(page, staffAccount);
      await press(page, 'Use a recovery code');
      await page.getByLabel(/^Recovery code/).fill(recoveryCodes[0] ?? '');
    },
  },
  {
    name: 'admin-login-second-factor',
    path: '/admin/login',
    options: {
      ...isUntouched,
      failing: ['/api/admin/session'],
      prepare: (context) =>
        context.route('**/api/admin/login', async (route) => {
          const response = await route.fetch();
          const session = (await response.json()) as object;
          await route.fulfill({ response, json: { ...session, needs: 'second_factor' } });
        }),
    },
    reach: async (page) => {
      await sendSignIn(page, staffAccount);
      await page.getByText('Your team requires a second factor.').waitFor();
    },
  },
  {
    name: 'admin-account-app',
    path: '/admin/account',
    ...asOwner,
    reach: async (page) => {
      await press(page, 'Set up');
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    },
  },
  {
    name: 'admin-account-recovery-codes',
    path: '/admin/account',
    ...asOwner,
    options: {
      ...isUntouched,
      prepare: (context) =>
        context.route('**/api/admin/account/totp/confirm', (route) =>
          route.fulfill({ json: { codes: recoveryCodes } }),
        ),
    },
    reach: async (page) => {
      await press(page, 'Set up');
      await page.getByLabel(/^Code that the app shows/).fill('123456');
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    },
  },
  {
    name: 'admin-signed-out',
    path: '/admin/account',
    ...asOwner,
    options: { ...isUntouched, failing: ['/api/admin/session'] },
    reach: async (page) => {
      await page.getByRole('button', { name: 'Set up' }).waitFor();
      // Narrow windows have the button in the menu.
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      await press(page, 'Logout');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
];

const note = (page: Page) => dialog(page).getByRole('textbox', { name: /^Note/ });

const leads: readonly Shot[] = [
  ...replyLimits.map(([limit, detail, seconds]): Shot => ({
    name: `admin-lead-email-limit-${limit}`,
    path: `/admin/leads/${leadId}`,
    isSignedIn: true,
    options: mailing(limited(`/api/admin/leads/${leadId}/replies`, detail, seconds)),
    reach: async (page) => {
      await openReply(page);
      await press(dialog(page), 'Send');
      await dialog(page).getByText(detail).waitFor();
    },
  })),
  {
    name: 'admin-lead-email-opted-out',
    path: `/admin/leads/${optedOut.leadId}`,
    ...asOwner,
    reach: async (page) => {
      await openReply(page);
      await dialog(page).getByText('has opted out of automatic emails').waitFor();
    },
  },
  {
    name: 'admin-lead-note-with-mention',
    path: `/admin/leads/${leadId}`,
    ...asOwner,
    reach: (page) => dialog(page).locator('li[data-kind="note"]').first().scrollIntoViewIfNeeded(),
  },
  {
    name: 'admin-lead-mention-list',
    path: `/admin/leads/${leadId}`,
    ...asOwner,
    reach: async (page) => {
      await note(page).fill('Could you call them on Sunday, ');
      await note(page).press('End');
      await note(page).pressSequentially('@');
      await dialog(page).getByRole('listbox').waitFor();
      await note(page).press('ArrowDown');
    },
  },
  {
    name: 'admin-leads-for-you',
    path: '/admin/leads?marked=me',
    ...asOwner,
    reach: (page) => page.getByText('New for you: it was assigned').first().waitFor({ state: 'attached' }),
  },
  {
    name: 'admin-leads-for-you-empty',
    path: '/admin/leads?marked=me',
    ...asOwner,
    account: people.zanele,
    reach: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
];

/** States of accounts: roles, addresses, sign-in, limits, mentions and marks. */
export const accountStates: readonly Shot[] = [...roles, ...addresses, ...signIn, ...leads];

import { randomUUID } from 'node:crypto';
import type { RunningProcess } from '@dune-tide/testkit/processes';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { addAccount, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { expect } from 'chai';
import type { Cookie, Locator, Page } from 'playwright-core';
import { printTable } from '../../src/attacks/table.ts';
import type { Visit, VisitOptions } from '../../src/browser/browser.ts';
import { firstVisit, ownAddress, stack, withPage } from '../../src/browser/browser-suite.ts';
import { leadPath, rows } from '../../src/browser/leads-page.ts';
import { signInAs } from '../../src/browser/sign-in.ts';
import { dialog, heading, press, toasts, untilClosed } from '../../src/browser/staff.ts';

const [can, asked] = ['can', 'is asked for the password'];
const newPassword = 'another horse, another staple';

/** The leads, addresses and accounts on which one person uses the powers. */
interface Subject {
  readonly leadId: string;
  /** The address of the lead. */
  readonly email: string;
  /** An address to which an email has failed. */
  readonly failed: string;
  readonly optedOut: string;
  readonly colleague: TestAccount;
  /** The password of the signed-in account, as this person knows it. */
  readonly password: string;
}

interface Power {
  readonly name: string;
  readonly path: (subject: Subject) => string;
  /** The part of the page that must be loaded before the offer is final. */
  readonly loaded?: (page: Page) => Locator;
  /** The button or table that accounts see if they may use it. */
  readonly offer: (page: Page, subject: Subject) => Locator;
  /** Uses it from the first press on. */
  readonly use?: (page: Page, subject: Subject) => Promise<unknown>;
  /** The text that follows its use. */
  readonly done?: (page: Page, subject: Subject) => Locator;
  /** The outcome for a member. */
  readonly member: string;
  /** The outcome for a thief with a session of the member whose password was entered hours ago. */
  readonly thief: string;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const toast = (text: string) => (page: Page) => toasts(page).getByText(text, { exact: true });
const field = (page: Page, name: string) => dialog(page).locator(`[name="${name}"]`);

/** A power of owners; others see a sentence instead. */
const owners = (sentence: string) => ({ member: sentence, thief: sentence });
const ofTeam = {
  path: () => '/admin/team',
  ...owners('Only an owner can add and change accounts, and read the audit log.'),
};
const ofPerson = {
  path: ({ email }: Subject) => `/admin/people?email=${email}`,
  ...owners('Only an owner can export and erase the data of a person.'),
};
const emails = () => '/admin/follow-ups?state=failed';
const exportButton = (page: Page) => page.getByRole('button', { name: 'Export CSV', disabled: false });
const exported = (page: Page) => toasts(page).getByText(/^\d+ leads? exported\.$/);
const nameOf = ({ colleague: { name, username } }: Subject) => `${name}, ${username}`;

/** In an order in which none takes away what a later one needs. */
const powers: readonly Power[] = [
  {
    name: 'export up to 500 leads',
    path: () => '/admin/leads?status=won',
    loaded: (page) => rows(page).first(),
    offer: exportButton,
    use: (page) => exportButton(page).click(),
    done: exported,
    member: can,
    thief: can,
  },
  {
    name: 'export more than 500 leads',
    path: () => '/admin/leads',
    loaded: (page) => rows(page).first(),
    offer: exportButton,
    use: (page) => exportButton(page).click(),
    done: exported,
    ...owners('Only an owner can export more than 500 leads.'),
  },
  {
    name: 'reply to a lead',
    path: ({ leadId }) => leadPath(leadId),
    offer: (page) => button(page, 'Send Email'),
    async use(page) {
      await press(page, 'Send Email');
      await dialog(page).getByLabel('Message').fill('Hello Noura, yes, we can.');
      await press(dialog(page), 'Send');
    },
    done: (page, { email }) => toast(`Sending email to ${email}`)(page),
    member: can,
    thief: can,
  },
  {
    name: 'retry one email',
    path: emails,
    offer: (page, { failed }) => button(page, `Retry the email to ${failed}`),
    use: (page, { failed }) => press(page, `Retry the email to ${failed}`),
    done: toast('Email Retried'),
    member: can,
    thief: can,
  },
  {
    name: 'retry all failed emails',
    path: emails,
    offer: (page) => button(page, 'Retry all'),
    async use(page) {
      await press(page, 'Retry all');
      await press(dialog(page), 'Retry all');
    },
    done: toast('Emails Retried'),
    ...owners('Only an owner can retry all failed emails.'),
  },
  {
    name: 'remove an opt-out',
    path: emails,
    offer: (page, { optedOut }) => button(page, `Allow emails to ${optedOut}`),
    async use(page, { optedOut }) {
      await press(page, `Allow emails to ${optedOut}`);
      await press(dialog(page), 'Allow emails');
    },
    done: toast('Emails Allowed'),
    ...owners('Only an owner can allow emails to them again.'),
  },
  {
    name: 'export the data of a person',
    ...ofPerson,
    offer: (page) => button(page, 'Export as JSON'),
    use: (page) => Promise.all([page.waitForEvent('download'), press(page, 'Export as JSON')]),
  },
  {
    name: 'erase a person',
    ...ofPerson,
    offer: (page) => button(page, 'Erase…'),
    async use(page, { email }) {
      await press(page, 'Erase…');
      await field(page, 'email').fill(email);
      await press(dialog(page), 'Erase for good');
    },
    done: (page) => dialog(page).getByText('Nothing is held about this address any more.'),
  },
  {
    name: 'read the audit log',
    ...ofTeam,
    offer: (page) => page.getByRole('table', { name: 'Audit log' }),
  },
  {
    name: 'add an account',
    ...ofTeam,
    offer: (page) => button(page, 'Add Member'),
    async use(page, { colleague }) {
      await press(page, 'Add Member');
      await field(page, 'name').fill('Mallory');
      await field(page, 'username').fill(`also-${colleague.username}`);
      await field(page, 'password').fill(newPassword);
      await field(page, 'role').selectOption('member');
      await press(dialog(page), 'Add Member');
    },
    done: toast('Member Added'),
  },
  {
    name: 'change a role',
    ...ofTeam,
    offer: (page, subject) => button(page, `Role of ${nameOf(subject)}`),
    async use(page, subject) {
      await press(page, `Role of ${nameOf(subject)}`);
      await field(page, 'role').selectOption('owner');
      await press(dialog(page), 'Save Role');
    },
    done: toast('Role Saved'),
  },
  {
    name: 'set the password of another account',
    ...ofTeam,
    offer: (page, subject) => button(page, `New password for ${nameOf(subject)}`),
    async use(page, subject) {
      await press(page, `New password for ${nameOf(subject)}`);
      await field(page, 'password').fill(newPassword);
      await press(dialog(page), 'Set password');
    },
    done: toast('Password Changed'),
  },
  {
    name: 'change the own address',
    path: () => '/admin/account',
    offer: (page) => button(page, 'Save profile'),
    async use(page) {
      await page.getByLabel(/^Email address/).fill(ownAddress());
      await press(page, 'Save profile');
    },
    done: toast('Profile Saved'),
    member: can,
    thief: asked,
  },
  {
    name: 'change the own password',
    path: () => '/admin/account',
    offer: (page) => button(page, 'Change password'),
    async use(page, { password }) {
      await page.getByLabel(/^Current password/).fill(password);
      await page.getByLabel(/^New password/).fill(newPassword);
      await press(page, 'Change password');
    },
    done: toast('Password Changed'),
    member: can,
    thief: 'The password is wrong',
  },
  {
    name: 'sign out all other devices',
    path: () => '/admin/account',
    offer: (page) => button(page, 'Sign out everywhere else'),
    use: (page) => press(page, 'Sign out everywhere else'),
    done: toast('Sessions Ended'),
    member: can,
    thief: asked,
  },
];

type Person = 'owner' | 'member' | 'thief';

describe('In three browsers, of an owner, a member and a thief', () => {
  const subjects = new Map<Person, Subject>();
  const leads: string[] = [];
  const table = new Map<string, readonly string[]>();
  let api: RunningProcess & { readonly siteUrl: string };
  let accounts: Record<'owner' | 'member', TestAccount>;
  let stolen: Cookie[] = [];
  const started = new Date();

  const storeLead = async (email: string): Promise<string> => {
    const id = randomUUID();
    leads.push(id);
    await storeLeads(stack().database, [{ ...contactMessage, id, email, status: 'won', answeredAt: new Date() }]);
    return id;
  };
  /** Stores a lead whose first email has failed. @returns its address */
  async function storeFailed(): Promise<string> {
    const [recipient, { database }] = [ownAddress(), stack()];
    const id = await storeLead(recipient);
    await database('follow_ups').insert({
      id,
      lead_id: id,
      kind: 'acknowledgement',
      recipient,
      message_id: `<${id}@example.com>`,
      state: 'failed',
      attempts: 1,
    });
    return recipient;
  }
  async function storeSubject(password: string): Promise<Subject> {
    const [email, optedOut] = [ownAddress(), ownAddress()];
    await stack().database('email_opt_outs').insert({ id: randomUUID(), mailbox: optedOut });
    const colleague = await addAccount(stack().database, { name: 'Noura al-Harbi', role: 'member' });
    return { email, leadId: await storeLead(email), failed: await storeFailed(), optedOut, colleague, password };
  }

  before(async () => {
    const { database } = stack();
    api = await stack().startApi({ STAFF_REPLIES: 'mail' });
    const [owner, member] = [
      await addAccount(database, { role: 'owner' }),
      await addAccount(database, { role: 'member' }),
    ];
    accounts = { owner, member };
    subjects.set('owner', await storeSubject(owner.password));
    subjects.set('member', await storeSubject(member.password));
    subjects.set('thief', await storeSubject('a guess'));
    await storeFailed();
    const [id = ''] = leads;
    await database.raw(
      `insert into leads (id, kind, email, answers) select gen_random_uuid(), kind, 'crowd@example.com', answers
       from leads, generate_series(1, ?) where id = ?`,
      [staffCalls.exportLeads.rowsForMembers + 1, id],
    );
  });
  const browser = (prepare: VisitOptions['prepare'], failing: readonly string[] = []) =>
    withPage('/robots.txt', { ...firstVisit, failing, ...(prepare && { prepare }) });
  const owner = browser((context) => signInAs(context, api.siteUrl, accounts.owner));
  const member = browser(async (context) => {
    const { database } = stack();
    // The laptop that the member leaves unlocked, whose cookie the thief copies. Then the member works on another.
    await signInAs(context, api.siteUrl, accounts.member);
    stolen = await context.cookies();
    await database('sessions')
      .where({ staff_id: accounts.member.id })
      .update({ password_at: database.raw(`now() - interval '3 hours'`) });
    await context.clearCookies();
    await signInAs(context, api.siteUrl, accounts.member);
  });
  const thief = browser(
    (context) => context.addCookies(stolen.filter(({ name }) => name.startsWith('session'))),
    ['/api/admin/account', '/api/admin/account/sessions', '/api/admin/account/password', '/api/admin/session'],
  );

  // Registered after those that close the pages.
  after(async () => {
    const { database } = stack();
    await api.stop();
    await database('leads').whereIn('id', leads).orWhere({ email: 'crowd@example.com' }).delete();
    await database('email_opt_outs').where('created_at', '>=', started).delete();
    await database('staff').where('created_at', '>=', started).delete();
    const lines = [...table].map(([power, shown]) => [power, ...shown]);
    printTable(['power', 'owner', 'member', 'thief'], lines);
  });

  /** Uses a power. @param sentence - the text in place of the offer. @returns the outcome */
  async function attempt(page: Page, power: Power, subject: Subject, sentence: string): Promise<string> {
    const { href } = new URL(power.path(subject), api.siteUrl);
    if (page.url() !== href) await page.goto(href);
    await power.loaded?.(page).waitFor();
    const offer = power.offer(page, subject);
    // A sentence may be one of several in its paragraph.
    const instead = page.getByText(sentence, { exact: !sentence.endsWith('.') }).first();
    await offer.or(instead).first().waitFor();
    if ((await offer.count()) === 0) return sentence;
    await power.use?.(page, subject);
    if (power.done === undefined) return can;
    const prompt = page.getByRole('dialog', { name: 'Enter your password' });
    const done = power.done(page, subject);
    const refusal = page.getByText('Only an owner can do this. Nothing was changed.');
    await done.or(prompt).or(instead).or(refusal).first().waitFor();
    if (await prompt.isVisible()) {
      await page.keyboard.press('Escape');
      await page.getByText('This change needs your password. Nothing was changed.').first().waitFor();
      return asked;
    }
    if (!(await done.isVisible())) return (await refusal.count()) > 0 ? refusal.first().innerText() : sentence;
    await page.keyboard.press('Escape');
    await untilClosed(page);
    return can;
  }

  const outcome = (person: Person, { page }: Visit, power: Power): Promise<string> =>
    attempt(page, power, subjects.get(person) ?? expect.fail(), person === 'owner' ? asked : power[person]);

  // The member then ends the session of the thief.
  for (const power of powers) {
    it(`${power.name}, tried by the thief`, async () => {
      const shown = await outcome('thief', thief(), power);
      table.set(power.name, [shown]);
      expect(shown).to.equal(power.thief);
    });
  }
  for (const power of powers) {
    it(`${power.name}, tried by the owner and the member`, async () => {
      const shown = await Promise.all([outcome('owner', owner(), power), outcome('member', member(), power)]);
      table.set(power.name, [...shown, ...(table.get(power.name) ?? [])]);
      expect(shown).to.deep.equal([can, power.member]);
    });
  }

  it('stay signed in, tried by all three', async () => {
    const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in' });
    const pages = [owner(), member(), thief()].map(({ page }) => page);
    const shown = await Promise.all(
      pages.map(async (page) => {
        await page.goto(new URL('/admin/leads', api.siteUrl).href);
        await heading(page, 'CRM & Lead Management').or(signIn(page)).waitFor();
        return (await signIn(page).count()) === 0 ? can : 'has to sign in';
      }),
    );
    table.set('stay signed in after that', shown);
    expect(shown).to.deep.equal([can, can, 'has to sign in']);
  });
});

import { randomUUID } from 'node:crypto';
import { leadHistory, leadWork, storeSettledLeads } from '@dune-tide/db/leads';
import { recipeStore } from '@dune-tide/db/recipes';
import { brand } from '@dune-tide/domain/brand';
import type { Recipe } from '@dune-tide/domain/forms/recipe';
import { confirmEmailPath } from '@dune-tide/platform/id-tokens';
import { sampleLeads } from '@dune-tide/local/seed/sample-leads';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { staffAccount, type BrowserStack } from '../browser/browser-stack.ts';

export const visitor = 'noura@example.com';
export const leadId = '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001';
export const leadName = 'Noura al-Harbi';
export const suspectId = '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c002';

/** In the order of their creation; the list shows the last one first. */
export const recipes = [
  {
    title: 'Kick-off with a new client',
    description: 'What to prepare for the first call, and what to leave it with.',
    instructions: [
      '# Before the call',
      '1. Read the **inquiry** and look at the present site on a phone.',
      '2. Note three questions that only the client can answer.',
      '# In the call',
      '- [ ] Who decides, and by when?',
      '- [ ] What is a success after six months?',
      '| Minute | Topic |\n| --- | --- |\n| 0–10 | Their business |\n| 10–35 | The project |\n| 35–45 | Next steps |',
    ].join('\n\n'),
    category: 'client-management',
    difficulty: 'easy',
    tags: ['calls', 'clients', 'discovery'],
    tools: ['Notion', 'Google Meet'],
    notionPageUrl: 'https://www.notion.so/kick-off',
    estimatedTime: '1 hour',
    isPublic: false,
  },
  {
    title: 'Handover of an internal dashboard',
    description: 'From the last merge to a team that runs it without us.',
    instructions: '# Access\n\nHand over every key and end our own.\n\n# Training\n\nTwo sessions, recorded.',
    category: 'development',
    difficulty: 'hard',
    tags: ['dashboards', 'handover'],
    tools: ['GitHub', 'Grafana'],
    estimatedTime: '2 days',
    isPublic: false,
  },
  {
    title: 'Brief for creators',
    description: 'A page that thirty creators understand alike.',
    instructions: '# The product\n\nOne sentence.\n\n# The shots\n\nFive at most, with an example each.',
    category: 'marketing',
    difficulty: 'medium',
    tags: ['ugc', 'briefing'],
    tools: ['Figma'],
    estimatedTime: '3 hours',
    isPublic: true,
  },
] as const satisfies readonly Recipe[];

/** The password of the accounts of `addAccount`. */
const password = staffAccount.password;

/** The team, besides the first account. */
export const people = {
  noura: { name: 'Noura al-Harbi', username: 'noura', password },
  sipho: { name: 'Sipho Dlamini', username: 'sipho', password },
  zanele: { name: 'Zanele Khumalo', username: 'zanele.khumalo', password },
  /** Has a password that someone else has set. */
  amal: { name: 'Amal Idris', username: 'amal.idris', password },
} as const;

/** A visitor who wants no automatic emails. */
export const optedOut = { leadId: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c003', email: 'yusuf@daleel.example' } as const;

/** An address that waits for its confirmation. */
const pendingEmail = 'zanele@studio.example';

/** Returns the path of the link that confirms it. */
export async function confirmationPath(stack: BrowserStack): Promise<string> {
  const text = await stack.textOf(await stack.mailTo(pendingEmail));
  const link = new RegExp(`https?://\\S+${confirmEmailPath}/\\S+`).exec(text)?.[0];
  if (link === undefined) throw new Error('The email has no link');
  return new URL(link).pathname;
}

/** Stores two years of leads, a team and recipes for the staff area. */
export async function storeStaffData(stack: BrowserStack): Promise<void> {
  const { database } = stack;
  const leads = [...sampleLeads({ count: 1_500, seed: 7, until: new Date() })];
  await storeSettledLeads(database, brand.mailDomain, leads);
  await storeLeads(database, [
    {
      id: leadId,
      kind: 'service_inquiry',
      email: visitor,
      fields: {
        name: leadName,
        company: 'Rimal Perfumes',
        phone: '+966 11 555 0100',
        service: 'Video Testimonials',
        serviceType: 'UGC Creatives',
        urgency: 'High',
        budget: '$10,000 - $25,000',
        timeframe: '1-2 months',
        projectDetails: 'We launch a line of oud perfumes in spring and look for thirty creators in the Gulf.',
        goals: 'A third of the orders should come through the films.',
      },
    },
  ]);
  await storeLeads(database, [{ ...contactMessage, id: suspectId, email: 'offers@cheap-backlinks.example' }]);
  await database('leads').where({ id: suspectId }).update({ spam_sign: 'honeypot' });
  await storeOwedMails(database);
  for (const recipe of recipes) await recipeStore(database).add(randomUUID(), recipe);
  await storeTeam(stack);
  await storeMarks(stack);
}

/** Stores the accounts of the team, of which one waits for the confirmation of its address. */
async function storeTeam(stack: BrowserStack): Promise<void> {
  const { database } = stack;
  const lastSignInAt = new Date(Date.now() - 20 * 60 * 60_000);
  const change = (username: string, values: object) => database('staff').where({ username }).update(values);
  await change(staffAccount.username, { name: 'Layla Haddad', email: 'layla@studio.example' });
  await addAccount(database, { ...people.noura, role: 'member', lastSignInAt });
  await addAccount(database, { ...people.sipho, role: 'owner', lastSignInAt });
  await addAccount(database, { name: 'Tariq Mansour', username: 'tariq', role: 'member', isActive: false });
  await addAccount(database, { ...people.zanele, role: 'member' });
  await addAccount(database, { ...people.amal, role: 'member' });
  await change(people.noura.username, { email: 'noura@studio.example' });
  await change(people.zanele.username, { email: 'zanele.khumalo@mail.example' });
  await change(people.amal.username, { must_change_password: true });
  await enterEmail(stack);
}

/** Enters the address that waits as its account does, so that the product sends the link. */
async function enterEmail({ siteUrl }: BrowserStack): Promise<void> {
  const call = async (method: string, path: string, body: object, cookie = '') => {
    const response = await fetch(siteUrl + path, {
      method,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Origin: siteUrl, Cookie: cookie },
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return response.headers.getSetCookie().map((each) => each.split(';')[0]);
  };
  const { name, username } = people.zanele;
  const cookies = await call('POST', '/api/admin/login', { username, password });
  await call('PATCH', '/api/admin/account', { name, email: pendingEmail }, cookies.join('; '));
}

/** Lets a colleague assign leads to the first account and mention it, and a visitor opt out. */
async function storeMarks({ database }: BrowserStack): Promise<void> {
  const personOf = async (username: string) => {
    const person = await database('staff').where({ username }).first<{ id: string; name: string } | undefined>();
    if (!person) throw new Error(`No account ${username}`);
    return { id: person.id, name: person.name };
  };
  const layla = await personOf(staffAccount.username);
  const noura = await personOf(people.noura.username);
  const given = await database('leads').whereIn('email', ['amal@sabkha.example', 'thabo@veld.example']).pluck('id');
  for (const id of given) await leadWork(database, brand.mailDomain).change(String(id), { ownerId: layla.id }, noura);
  const text = `@${staffAccount.username} they were at our talk in Riyadh. @sipho can film in Jeddah in March.`;
  await leadHistory(database).addNote(randomUUID(), leadId, text, noura);
  await storeLeads(database, [{ ...contactMessage, id: optedOut.leadId, email: optedOut.email }]);
  await database('email_opt_outs').insert({ id: randomUUID(), mailbox: optedOut.email });
}

/** Stores unsent emails that are not due for a long time, so that the worker does not send them. */
async function storeOwedMails(database: BrowserStack['database']): Promise<void> {
  const later = database.raw(`now() + interval '1 day'`);
  const required = [
    { recipient: 'amal@sabkha.example', state: 'failed', attempts: 1, server_answer: '550 5.1.1 No such user here' },
    { recipient: 'thabo@veld.example', state: 'failed', attempts: 5, server_answer: '554 5.7.1 Message refused' },
    {
      recipient: 'layan@rimal.example',
      state: 'pending',
      attempts: 2,
      server_answer: '450 4.2.0 Greylisted, try later',
    },
    { recipient: 'johan@fynbos.example', state: 'pending', attempts: 0, server_answer: null },
    {
      recipient: 'press@quota.example',
      state: 'withheld',
      attempts: 0,
      server_answer: null,
      withheld_reason: 'mailbox_limit',
    },
  ];
  for (const followUp of required) {
    const id = randomUUID();
    await storeLeads(database, [{ ...contactMessage, id, email: followUp.recipient }]);
    await database('follow_ups').insert({
      id,
      lead_id: id,
      kind: 'acknowledgement',
      message_id: `<${id}@example.com>`,
      available_at: later,
      sweep_at: later,
      ...followUp,
    });
  }
}

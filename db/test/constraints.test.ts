import { randomUUID } from 'node:crypto';
import { accountEvents } from '@dune-tide/domain/account-events';
import {
  emailKinds,
  followUpKinds,
  followUpStates,
  kindsOfLead,
  transports,
  withheldReasons,
} from '@dune-tide/domain/follow-ups';
import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import { leadEmailChoices } from '@dune-tide/domain/lead-emails';
import { leadDefinitions, leadKinds, leadStatuses, type LeadKind } from '@dune-tide/domain/leads';
import { toStored } from '@dune-tide/domain/leads/definition';
import { maxLength, maxListItems } from '@dune-tide/domain/limits';
import { auditActors } from '@dune-tide/domain/responses/audit-entry';
import { spamSigns } from '@dune-tide/domain/spam';
import { staffRoles } from '@dune-tide/domain/staff-roles';
import { validExample } from '@dune-tide/domain/test/examples';
import { webhookTypes } from '@dune-tide/domain/webhooks';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import pg from 'pg';
import { definitions } from '../sql/index.ts';
import { erasureSubjects } from '../src/personal-data/erasure-list.ts';
import { fieldsOf, followUpRow, insert, leadRow, recipeRow, staffRow, viewRow } from './rows.ts';

type Row = Record<string, unknown>;

/** The CHECKs of db/sql. The database has the same ones (definitions.test.ts). */
const checks = definitions.flatMap((statement) => {
  const [, table = '', name = '', condition = ''] =
    /^alter table (\w+) add constraint (\w+) check \(([^]*)\)$/.exec(statement) ?? [];
  return name === '' ? [] : [{ table, name, condition: condition.trim() }];
});

const values = (options: readonly { readonly value: string }[]): string[] => options.map(({ value }) => value);
const hash = 'a1'.repeat(32);
const inAnHour = new Date(Date.now() + 3_600_000);

/** Returns a row of each table that its CHECKs accept. Rows that it refers to need not exist. */
const rowOf: Readonly<Record<string, (changes: Row) => Row>> = {
  leads: (changes) => leadRow((changes['kind'] ?? 'contact') as LeadKind, changes),
  follow_ups: (changes) => followUpRow(randomUUID(), changes),
  email_opt_outs: (changes) => ({ id: randomUUID(), mailbox: 'noura@example.com', ...changes }),
  staff: staffRow,
  sessions: (changes) => ({ id_hash: hash, staff_id: randomUUID(), expires_at: inAnHour, ...changes }),
  known_devices: (changes) => ({ staff_id: randomUUID(), token_hash: hash, ...changes }),
  device_failures: (changes) => ({
    staff_id: randomUUID(),
    known_device_id: randomUUID(),
    secret: 'sign-in',
    ...changes,
  }),
  account_notices: (changes) => ({ id: randomUUID(), staff_id: randomUUID(), event: 'new_device', ...changes }),
  pending_sign_ins: (changes) => ({
    id_hash: hash,
    staff_id: randomUUID(),
    password_hash: 'x',
    expires_at: inAnHour,
    ...changes,
  }),
  pending_emails: (changes) => ({
    staff_id: randomUUID(),
    follow_up_id: randomUUID(),
    email: 'noura@studio.example',
    actor_id: randomUUID(),
    ...changes,
  }),
  totp_factors: (changes) => ({ staff_id: randomUUID(), secret: 'sealed', ...changes }),
  recovery_codes: (changes) => ({ staff_id: randomUUID(), code_hash: hash, ...changes }),
  passkeys: (changes) => ({
    staff_id: randomUUID(),
    credential_id: 'a_-1',
    public_key: Buffer.from([1]),
    counter: 0,
    transports: [],
    name: 'Work laptop',
    ...changes,
  }),
  recipes: recipeRow,
  lead_events: (changes) => ({ id: randomUUID(), lead_id: randomUUID(), kind: 'answered', ...changes }),
  lead_replies: (changes) => ({
    id: randomUUID(),
    author_id: randomUUID(),
    author_name: 'Reem',
    subject: 'Your film',
    body: 'It is ready.',
    ...changes,
  }),
  lead_notifications: (changes) => ({
    staff_id: randomUUID(),
    lead_id: randomUUID(),
    waits_for_email: true,
    ...changes,
  }),
  lead_views: (changes) => viewRow(randomUUID(), changes),
  webhook_events: (changes) => ({
    id: randomUUID(),
    lead_id: randomUUID(),
    lead_version: 1,
    lead_kind: 'contact',
    type: 'lead.created',
    lead_after: '{}',
    ...changes,
  }),
  audit_log: (changes) => ({ actor: 'operator', action: 'signed_in', ...changes }),
  audit_origins: (changes) => ({ entry_id: randomUUID(), key: hash, ...changes }),
  erasures: (changes) => ({ hash, key: randomUUID(), ...changes }),
};

/** The values of each CHECK that lists some. */
const lists: Readonly<Record<string, readonly string[]>> = {
  leads_kind_known: leadKinds,
  leads_status_known: leadStatuses,
  leads_spam_sign_known: spamSigns,
  follow_ups_kind_known: followUpKinds,
  follow_ups_state_known: followUpStates,
  follow_ups_withheld_reason_known: withheldReasons,
  follow_up_counts_transport_known: transports,
  recipes_category_known: values(recipeCategories),
  recipes_difficulty_known: values(recipeDifficulties),
  account_notices_event_known: accountEvents,
  device_failures_secret_known: ['sign-in', 'own-password', 'second-factor'],
  webhook_events_type_known: webhookTypes,
  audit_log_actor_known: auditActors,
  erasures_subject_known: erasureSubjects,
  lead_counts_unanswered_known: ['owned', 'unowned'],
  lead_reminders_stage_known: ['soon', 'overdue'],
  staff_role_known: staffRoles,
  staff_lead_emails_known: leadEmailChoices,
  lead_events_kind_known:
    'status owner answered not_answered note note_edited note_deleted spam released address_corrected'.split(' '),
};

const each = (column: string, wrong: readonly unknown[]): Row[] => wrong.map((value) => ({ [column]: value }));
const note = (length: number): Row => ({ kind: 'note', details: JSON.stringify({ text: 'a'.repeat(length) }) });
const otherStates = (state: string): readonly string[] => followUpStates.filter((other) => other !== state);

/** Values that each other CHECK rejects. */
const rejected: Readonly<Record<string, readonly Row[]>> = {
  leads_kinds_with_a_status: [
    { kind: 'service_inquiry', status: null },
    { kind: 'portfolio_request', status: 'new' },
  ],
  leads_version_counts: each('version', [0]),
  leads_answers_are_an_object: each('answers', ['[]', '"text"', 'null', '7']),
  ...Object.fromEntries(
    leadKinds.map((kind) => [
      `leads_${kind}_answers`,
      leadDefinitions[kind].fields
        .filter(({ isRequired, key }) => isRequired && key !== 'email')
        .flatMap(({ key }) => [undefined, null].map((value) => ({ ...fieldsOf(kind), [key]: value })))
        .map((answers) => ({ kind, answers: JSON.stringify(answers) })),
    ]),
  ),
  follow_ups_kinds_with_a_lead: kindsOfLead.map((kind) => ({ kind, lead_id: null })),
  follow_ups_kinds_by_email: emailKinds.flatMap((kind) => [
    { kind, recipient: null },
    { kind, message_id: null },
  ]),
  follow_ups_webhooks_have_no_recipient: [{ kind: 'webhook', recipient: 'noura@example.com' }],
  follow_ups_message_id_form: each('message_id', [
    '1@example.com',
    '<1@example.com',
    '<1>',
    '<1@2@example.com>',
    '<1 2@example.com>',
    '<1@a>\r\nBcc: <b@c>',
  ]),
  follow_ups_message_id_names_its_row: each('message_id', [`<${randomUUID()}@example.com>`]),
  follow_ups_attempts_counted: each('attempts', [-1]),
  follow_ups_lease_while_sending: [
    { state: 'sending' },
    ...otherStates('sending').map((state) => ({
      state,
      lease: randomUUID(),
      sent_at: state === 'sent' ? new Date() : null,
    })),
  ],
  follow_ups_sent_has_a_time: [
    { state: 'sent' },
    ...otherStates('sent').map((state) => ({
      state,
      lease: state === 'sending' ? randomUUID() : null,
      sent_at: new Date(),
    })),
  ],
  staff_username_form: each('username', ['', 'two words', 'tab\tbed', 'bell\u0007', 'a'.repeat(maxLength.name + 1)]),
  staff_password_is_hashed: each('password_hash', ['correct horse', '$argon2i$v=19$m=19456', '$2b$12$abc', '']),
  sessions_id_is_hashed: each('id_hash', [hash.toUpperCase(), hash.slice(1), `${hash}a`, randomUUID()]),
  sessions_end_after_8_hours: each('expires_at', [new Date(Date.now() + 9 * 3_600_000)]),
  known_devices_token_is_hashed: each('token_hash', ['x', hash.slice(1), hash.toUpperCase()]),
  pending_sign_ins_id_is_hashed: each('id_hash', ['x']),
  totp_factors_confirmed_with_a_code: [{ confirmed_at: new Date() }, { last_step: 1 }],
  recovery_codes_are_hashed: each('code_hash', ['abcd-efgh-jkmn-pqrs']),
  passkeys_credential_id_form: each('credential_id', ['', 'a+b', 'a=', 'a'.repeat(maxLength.credentialId + 1)]),
  passkeys_counter_range: each('counter', [-1, 2 ** 32]),
  recipes_notion_page_url_is_web: each('notion_page_url', [
    'javascript:alert(1)',
    'data:text/html,x',
    'example.com',
    ' https://example.com',
    '',
    `https://example.com/${'a'.repeat(maxLength.url)}`,
  ]),
  recipes_version_counts: each('version', [0]),
  lead_events_actor_has_a_name: [{ actor_name: 'Reem' }, { actor_id: randomUUID() }],
  lead_events_details_are_an_object: each('details', ['[]']),
  lead_events_changes_of_a_note: [{ kind: 'note_deleted' }, { ...note(1), note_id: randomUUID() }],
  lead_events_notes_have_a_text: [note(0), note(maxLength.text + 1)],
  lead_replies_withdrawn_by_a_person: each('withdrawn_at', [new Date()]),
  lead_notifications_in_one_email: [{ waits_for_email: true, follow_up_id: randomUUID() }],
  lead_views_search_length: each('search', ['a'.repeat(maxLength.url + 1)]),
  webhook_events_of_a_change: each('type', ['lead.updated']),
  webhook_events_of_a_lead: each('lead_after', [null]),
  audit_log_staff_have_an_id: [{ actor: 'staff' }, { actor_id: randomUUID() }],
  audit_log_action_form: each('action', ['Signed in']),
  audit_log_details_are_an_object: each('details', ['[]']),
  audit_log_chained_whole: each('position', [1]),
  audit_log_position_counts: [{ position: 0, hash: 'a' }],
  audit_origins_key_form: each('key', [hash.slice(1), hash.toUpperCase()]),
  erasures_hash_form: each('hash', ['noura@example.com']),
  erasures_by_staff_are_whole: [
    { erased_by: 'layla', subject: 'address' },
    { erased_by: 'layla', first_erased_at: new Date() },
  ],
};

describe('the CHECKs of the database', () => {
  const test = withTestDatabase();

  /** Returns the CHECK that rejects a row. A foreign key rejects it only after all of them have accepted it. */
  async function rejectedBy(table: string, changes: Row = {}): Promise<string | undefined> {
    const transaction = await test().database.transaction();
    try {
      await transaction<Row>(table).insert(rowOf[table]?.(changes) ?? expect.fail(table));
      return undefined;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== '23514') {
        expect(error).to.have.property('code', '23503');
        return undefined;
      }
      return error.constraint;
    } finally {
      await transaction.rollback();
    }
  }

  const lengths = checks.flatMap(({ table, name, condition }) => {
    const [, column, least, most] = /^char_length\((\w+)\) between (\d+) and (\d+)$/.exec(condition) ?? [];
    return column === undefined ? [] : [{ table, name, column, least: Number(least), most: Number(most) }];
  });

  it('limit the length of a text in characters, not in bytes', async () => {
    for (const { table, name, column, least, most } of lengths) {
      const withLength = (length: number) => rejectedBy(table, { [column]: '🌊'.repeat(length) });
      expect([await withLength(least), await withLength(most)], name).to.deep.equal([undefined, undefined]);
      expect([await withLength(least - 1), await withLength(most + 1)], name).to.deep.equal([name, name]);
    }
  });

  it('list exactly the values of the domain', () => {
    const listing = checks.flatMap(({ name, condition }) => {
      const [, list] = /^\w+ in \(([^)]*)\)$/.exec(condition) ?? [];
      return list === undefined ? [] : [[name, [...list.matchAll(/'([^']*)'/g)].map(([, value]) => value)] as const];
    });
    expect(Object.fromEntries(listing)).to.deep.equal(lists);
  });

  for (const [name, rows] of Object.entries(rejected)) {
    it(`reject each wrong row by ${name}`, async () => {
      const table = checks.find((check) => check.name === name)?.table ?? expect.fail(name);
      for (const row of rows) expect(await rejectedBy(table, row), JSON.stringify(row)).to.equal(name);
    });
  }

  it('are all tested here', () => {
    const tested = [...lengths.map(({ name }) => name), ...Object.keys(lists), ...Object.keys(rejected)];
    expect(checks.map(({ name }) => name)).to.have.members(tested);
  });

  it('accept a row of each table, and the valid example of each form', async () => {
    for (const table of Object.keys(rowOf)) expect(await rejectedBy(table), table).to.equal(undefined);
    for (const kind of leadKinds) {
      for (const form of leadDefinitions[kind].forms) {
        const answers = JSON.stringify(toStored(leadDefinitions[kind], form, validExample(form)));
        expect(await rejectedBy('leads', { kind, answers }), form.$id).to.equal(undefined);
      }
    }
  });

  it('accept what the form of a recipe accepts', async () => {
    for (const url of ['https://www.notion.so/x', 'http://example.com', 'HTTPS://Example.com/?q=1', null]) {
      expect(await rejectedBy('recipes', { notion_page_url: url }), String(url)).to.equal(undefined);
    }
    const list = Array.from({ length: maxListItems }, () => '🌊'.repeat(maxLength.listItem));
    const longest = { tags: list, tools: list, notion_page_url: 'https://example.com/'.padEnd(maxLength.url, 'a') };
    expect(await rejectedBy('recipes', longest)).to.equal(undefined);
  });
});

describe('the database', () => {
  const test = withTestDatabase();

  it('rejects a second follow-up of a kind that a lead has at most once', async () => {
    const { id } = await insert(test().database, 'leads', leadRow());
    for (const kind of kindsOfLead.filter((known) => known !== 'reply')) {
      await insert(test().database, 'follow_ups', followUpRow(id, { kind }));
      const error: unknown = await insert(test().database, 'follow_ups', followUpRow(id, { kind })).catch(
        (reason: unknown) => reason,
      );
      expect(error, kind).to.have.property('constraint', 'follow_ups_once_per_lead');
    }
  });

  it('deletes the follow-ups of a deleted lead and the sessions of a deleted account', async () => {
    const lead = await insert(test().database, 'leads', leadRow());
    await insert(test().database, 'follow_ups', followUpRow(lead['id']));
    const staff = await insert(test().database, 'staff', staffRow());
    const session = { id_hash: hash, staff_id: staff['id'], expires_at: inAnHour };
    await insert(test().database, 'sessions', session);
    await test().database('leads').where({ id: lead['id'] }).delete();
    await test().database('staff').where({ id: staff['id'] }).delete();
    expect(await test().database('follow_ups').where({ lead_id: lead['id'] })).to.deep.equal([]);
    expect(await test().database('sessions').where({ staff_id: staff['id'] })).to.deep.equal([]);
  });
});

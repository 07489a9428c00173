import { randomUUID } from 'node:crypto';
import { emailKinds, kindsOfLead, followUpKinds, followUpStates, withheldReasons } from '@dune-tide/domain/follow-ups';
import { experienceLevels } from '@dune-tide/domain/forms/career-application';
import { contactServices } from '@dune-tide/domain/forms/contact';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { recipeCategories, recipeDifficulties, recipeForm } from '@dune-tide/domain/forms/recipe';
import { leadKinds, leadStatuses, type LeadKind } from '@dune-tide/domain/leads';
import { maxLength, maxListItems } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { spamSigns } from '@dune-tide/domain/spam';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import pg from 'pg';
import { fieldsOf, followUpRow, insert, leadRow, recipeRow, staffRow, viewRow } from './rows.ts';

type Row = Record<string, unknown>;

/** A row that the database must reject by a constraint. */
interface Refusal {
  readonly constraint: string;
  readonly name: string;
  readonly table: string;
  /**
   * @param leadId - a lead without follow-ups
   * @param staffId - an account without sessions
   */
  readonly row: (leadId: string, staffId: string) => Row;
}

const values = (options: readonly { readonly value: string }[]): string[] => options.map(({ value }) => value);

const withFields = (kind: LeadKind, changes: Row): Row =>
  leadRow(kind, { answers: JSON.stringify({ ...fieldsOf(kind), ...changes }) });

const lead = (constraint: string, name: string, row: () => Row): Refusal => ({ constraint, name, table: 'leads', row });
const followUp = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'follow_ups',
  row: (leadId) => followUpRow(leadId, changes),
});
const staff = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'staff',
  row: () => staffRow(changes),
});
const optOut = (name: string, changes: Row): Refusal => ({
  constraint: 'email_opt_outs_mailbox_length',
  name,
  table: 'email_opt_outs',
  row: () => ({ id: randomUUID(), mailbox: 'noura@example.com', ...changes }),
});
const recipe = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'recipes',
  row: () => recipeRow(changes),
});

const passkeyRow = (staffId: string, changes: Row = {}): Row => ({
  staff_id: staffId,
  credential_id: 'a_-1',
  public_key: Buffer.from([1]),
  counter: 0,
  transports: [],
  name: 'Work laptop',
  ...changes,
});
const passkey = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'passkeys',
  row: (_, staffId) => passkeyRow(staffId, changes),
});

const sessionRow = (staffId: string, changes: Row = {}): Row => ({
  id_hash: 'a1'.repeat(32),
  staff_id: staffId,
  expires_at: new Date(Date.now() + 60_000),
  ...changes,
});
const session = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'sessions',
  row: (_, staffId) => sessionRow(staffId, changes),
});

/** Returns two rows for each required field of a kind of lead: one without the field, and one where it is null. */
const missingAnswers = (kind: LeadKind, fields: readonly string[]): Refusal[] =>
  fields.flatMap((field) => [
    lead(`leads_${kind}_answers`, `a ${kind} without ${field}`, () => withFields(kind, { [field]: undefined })),
    lead(`leads_${kind}_answers`, `a ${kind} whose ${field} is null`, () => withFields(kind, { [field]: null })),
  ]);

/** The kinds of follow-ups that a lead has at most once. */
const oncePerLead = kindsOfLead.filter((kind) => kind !== 'reply');

const event = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'lead_events',
  row: (leadId) => ({ id: randomUUID(), lead_id: leadId, kind: 'answered', ...changes }),
});
const text = (length: number): string => JSON.stringify({ text: 'a'.repeat(length) });
const view = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'lead_views',
  row: (_, staffId) => viewRow(staffId, changes),
});
const reminded = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'lead_reminders',
  row: (leadId) => ({ lead_id: leadId, stage: 'soon', follow_up_id: randomUUID(), ...changes }),
});

const webhook = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'webhook_events',
  row: (leadId) => ({
    id: randomUUID(),
    lead_id: leadId,
    lead_version: 1,
    lead_kind: 'contact',
    type: 'lead.created',
    lead_after: '{}',
    ...changes,
  }),
});

const reply = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'lead_replies',
  row: (_, staffId) => ({
    id: randomUUID(),
    author_id: staffId,
    author_name: 'Reem',
    subject: 'Your film',
    body: 'It is ready.',
    ...changes,
  }),
});

const audited = (constraint: string, name: string, changes: Row): Refusal => ({
  constraint,
  name,
  table: 'audit_log',
  row: () => ({ actor: 'operator', action: 'signed_in', ...changes }),
});

const refusals: readonly Refusal[] = [
  lead('leads_kind_known', 'a lead of another kind', () => leadRow('contact', { kind: 'newsletter' })),
  lead('leads_email_length', 'an email that is too short', () => leadRow('contact', { email: 'a@' })),
  lead('leads_email_length', 'an email that is too long', () =>
    leadRow('contact', { email: 'a'.repeat(maxLength.email + 1) }),
  ),
  lead('leads_status_known', 'an inquiry with another status', () => leadRow('service_inquiry', { status: 'asleep' })),
  lead('leads_spam_sign_known', 'an unknown spam sign', () => leadRow('contact', { spam_sign: 'dislike' })),
  lead('leads_kinds_with_a_status', 'an inquiry without a status', () => leadRow('service_inquiry', { status: null })),
  lead('leads_kinds_with_a_status', 'a portfolio request with a status', () =>
    leadRow('portfolio_request', { status: 'new' }),
  ),
  lead('leads_version_counts', 'a version before the first', () => leadRow('contact', { version: 0 })),
  lead('leads_owner_id_fkey', 'an unknown owner', () => leadRow('contact', { owner_id: randomUUID() })),
  ...['[]', '"text"', 'null', '7'].map((fields) =>
    lead('leads_answers_are_an_object', `answers that are ${fields}`, () =>
      leadRow('service_inquiry', { answers: fields }),
    ),
  ),
  ...missingAnswers('contact', ['firstName', 'lastName', 'message', 'service']),
  ...missingAnswers('service_inquiry', [
    'name',
    'service',
    'serviceType',
    'budget',
    'timeframe',
    'urgency',
    'projectDetails',
  ]),
  ...missingAnswers('career_application', ['firstName', 'lastName', 'phone', 'position', 'coverLetter', 'experience']),
  ...missingAnswers('portfolio_request', ['source']),
  lead('leads_contact_answers', 'a contact message about something else', () =>
    withFields('contact', { service: 'consulting' }),
  ),
  lead('leads_career_application_answers', 'an application with another experience', () =>
    withFields('career_application', { experience: 'wizard' }),
  ),
  lead('leads_portfolio_request_answers', 'a portfolio request from elsewhere', () =>
    withFields('portfolio_request', { source: 'footer' }),
  ),

  followUp('follow_ups_lead_id_fkey', 'a follow-up of an unknown lead', { lead_id: randomUUID() }),
  followUp('follow_ups_kind_known', 'a follow-up of another kind', { kind: 'birthday_card' }),
  followUp('follow_ups_state_known', 'a follow-up in another state', { state: 'lost' }),
  followUp('follow_ups_recipient_length', 'a recipient that is too short', { recipient: 'a@' }),
  followUp('follow_ups_recipient_length', 'a recipient that is too long', {
    recipient: 'a'.repeat(maxLength.email + 1),
  }),
  ...['1@example.com', '<1@example.com', '<1>', '<1@2@example.com>', '<1 2@example.com>', '<1@a>\r\nBcc: <b@c>'].map(
    (messageId) =>
      followUp('follow_ups_message_id_form', `the Message-ID ${JSON.stringify(messageId)}`, { message_id: messageId }),
  ),
  // A Message-ID contains the id of its row, so that no two rows share one.
  followUp('follow_ups_message_id_names_its_row', "another row's Message-ID", {
    message_id: `<${randomUUID()}@example.com>`,
  }),
  followUp('follow_ups_withheld_reason_known', 'another reason to withhold', { withheld_reason: 'a whim' }),
  ...kindsOfLead.map((kind) =>
    followUp('follow_ups_kinds_with_a_lead', `a ${kind} without a lead`, { kind, lead_id: null }),
  ),
  ...emailKinds.flatMap((kind) => [
    followUp('follow_ups_kinds_by_email', `a ${kind} without a recipient`, { kind, recipient: null }),
    followUp('follow_ups_kinds_by_email', `a ${kind} without a Message-ID`, { kind, message_id: null }),
  ]),
  followUp('follow_ups_webhooks_have_no_recipient', 'a webhook with a recipient', {
    kind: 'webhook',
    recipient: 'noura@example.com',
  }),
  followUp('follow_ups_attempts_counted', 'a negative number of attempts', { attempts: -1 }),
  followUp('follow_ups_lease_while_sending', 'sending without a lease', { state: 'sending' }),
  ...followUpStates
    .filter((state) => state !== 'sending')
    .map((state) =>
      followUp('follow_ups_lease_while_sending', `${state} with a lease`, {
        state,
        lease: randomUUID(),
        sent_at: state === 'sent' ? new Date() : null,
      }),
    ),
  followUp('follow_ups_sent_has_a_time', 'sent without a time', { state: 'sent' }),
  ...followUpStates
    .filter((state) => state !== 'sent')
    .map((state) =>
      followUp('follow_ups_sent_has_a_time', `${state} with a time of sending`, {
        state,
        lease: state === 'sending' ? randomUUID() : null,
        sent_at: new Date(),
      }),
    ),

  optOut('an opt-out of a mailbox that is too short', { mailbox: 'a@' }),
  optOut('an opt-out of a mailbox that is too long', { mailbox: 'a'.repeat(maxLength.email + 1) }),
  {
    constraint: 'digest_entries_id_fkey',
    name: 'an unknown notice in a digest',
    table: 'digest_entries',
    row: () => ({ id: randomUUID(), digest_id: randomUUID() }),
  },

  ...['', 'two words', 'tab\tbed', 'bell\u0007', 'a'.repeat(maxLength.name + 1)].map((username) =>
    staff('staff_username_form', `the username ${JSON.stringify(username.slice(0, 20))}`, { username }),
  ),
  staff('staff_name_length', 'a member without a name', { name: '' }),
  staff('staff_name_length', 'a name that is too long', { name: 'a'.repeat(maxLength.name + 1) }),
  staff('staff_email_length', 'an address that is too short', { email: 'a@' }),
  staff('staff_email_length', 'an address that is too long', { email: 'a'.repeat(maxLength.email + 1) }),
  ...['correct horse', '$argon2i$v=19$m=19456', '$2b$12$abc', ''].map((hash) =>
    staff('staff_password_is_hashed', `the password hash ${JSON.stringify(hash)}`, { password_hash: hash }),
  ),

  session('sessions_staff_id_fkey', 'a session of an unknown account', { staff_id: randomUUID() }),
  ...['A1'.repeat(32), 'a1'.repeat(31), 'a1'.repeat(33), randomUUID()].map((id) =>
    session('sessions_id_is_hashed', `the session id ${id.slice(0, 20)}… (${id.length})`, { id_hash: id }),
  ),
  session('sessions_device_length', 'a session of an empty device', { device: '' }),
  session('sessions_device_length', 'a session of a device with a long name', { device: 'a'.repeat(101) }),
  session('sessions_address_length', 'a session of an empty address', { address: '' }),
  {
    constraint: 'account_notices_id_fkey',
    name: 'a notice without a follow-up',
    table: 'account_notices',
    row: (_, staffId) => ({ id: randomUUID(), staff_id: staffId, event: 'activated' }),
  },
  {
    constraint: 'notice_texts_id_fkey',
    name: 'a text without a notice',
    table: 'notice_texts',
    row: () => ({ id: randomUUID(), subject: 'New contact message', text: 'Name: Noura' }),
  },
  {
    constraint: 'account_notices_event_known',
    name: 'a notice of an unknown event',
    table: 'account_notices',
    row: (_, staffId) => ({ id: randomUUID(), staff_id: staffId, event: 'renamed' }),
  },
  ...['confirmed_at', 'last_step'].map((column): Refusal => ({
    constraint: 'totp_factors_confirmed_with_a_code',
    name: `an authenticator app with a ${column} alone`,
    table: 'totp_factors',
    row: (_, staffId) => ({ staff_id: staffId, secret: 'sealed', [column]: column === 'last_step' ? 1 : new Date() }),
  })),
  {
    constraint: 'totp_factors_staff_id_fkey',
    name: 'an authenticator app of an unknown account',
    table: 'totp_factors',
    row: () => ({ staff_id: randomUUID(), secret: 'sealed' }),
  },
  {
    constraint: 'recovery_codes_are_hashed',
    name: 'a recovery code that is not hashed',
    table: 'recovery_codes',
    row: (_, staffId) => ({ staff_id: staffId, code_hash: 'abcd-efgh-jkmn-pqrs' }),
  },
  {
    constraint: 'recovery_codes_staff_id_fkey',
    name: 'a recovery code of an unknown account',
    table: 'recovery_codes',
    row: () => ({ staff_id: randomUUID(), code_hash: 'a1'.repeat(32) }),
  },
  {
    constraint: 'pending_sign_ins_id_is_hashed',
    name: 'a waiting sign-in whose id is not hashed',
    table: 'pending_sign_ins',
    row: (_, staffId) => ({ id_hash: 'x', staff_id: staffId, password_hash: 'x', expires_at: new Date() }),
  },
  {
    constraint: 'pending_sign_ins_staff_id_fkey',
    name: 'a waiting sign-in of an unknown account',
    table: 'pending_sign_ins',
    row: () => ({ id_hash: 'a1'.repeat(32), staff_id: randomUUID(), password_hash: 'x', expires_at: new Date() }),
  },
  {
    constraint: 'bulk_requests_staff_id_fkey',
    name: 'a bulk change of an unknown account',
    table: 'bulk_requests',
    row: () => ({ staff_id: randomUUID(), id: randomUUID(), content: 'x' }),
  },
  passkey('passkeys_staff_id_fkey', 'a passkey of an unknown account', { staff_id: randomUUID() }),
  ...['', 'a+b', 'a='].map((id) =>
    passkey('passkeys_credential_id_form', `a passkey with the id ${JSON.stringify(id)}`, { credential_id: id }),
  ),
  passkey('passkeys_credential_id_form', 'a passkey with an id that is too long', { credential_id: 'a'.repeat(1365) }),
  ...[-1, 2 ** 32].map((counter) =>
    passkey('passkeys_counter_range', `a passkey with the counter ${counter}`, { counter }),
  ),
  ...['', 'a'.repeat(maxLength.passkeyName + 1)].map((name) =>
    passkey('passkeys_name_length', `a passkey with a name of ${name.length} characters`, { name }),
  ),
  session('sessions_end_after_8_hours', 'a session of more than 8 hours', {
    expires_at: new Date(Date.now() + 9 * 3_600_000),
  }),

  recipe('recipes_title_length', 'a recipe without a title', { title: '' }),
  recipe('recipes_title_length', 'a title that is too long', { title: 'a'.repeat(maxLength.name + 1) }),
  recipe('recipes_description_length', 'a recipe without a description', { description: '' }),
  recipe('recipes_description_length', 'a description that is too long', {
    description: 'a'.repeat(maxLength.text + 1),
  }),
  recipe('recipes_instructions_length', 'a recipe without instructions', { instructions: '' }),
  recipe('recipes_instructions_length', 'instructions that are too long', {
    instructions: 'a'.repeat(maxLength.instructions + 1),
  }),
  recipe('recipes_category_known', 'another category', { category: 'cooking' }),
  recipe('recipes_difficulty_known', 'another difficulty', { difficulty: 'deadly' }),
  ...['javascript:alert(1)', 'data:text/html,x', 'example.com', ' https://example.com', ''].map((url) =>
    recipe('recipes_notion_page_url_is_web', `the link ${JSON.stringify(url)}`, { notion_page_url: url }),
  ),
  recipe('recipes_notion_page_url_is_web', 'a link that is too long', {
    notion_page_url: `https://example.com/${'a'.repeat(maxLength.url)}`,
  }),
  recipe('recipes_version_counts', 'a version before the first', { version: 0 }),
  recipe('recipes_estimated_time_length', 'an empty estimated time', { estimated_time: '' }),
  recipe('recipes_estimated_time_length', 'an estimated time that is too long', {
    estimated_time: 'a'.repeat(maxLength.selection + 1),
  }),

  event('lead_events_kind_known', 'an entry of another kind', { kind: 'sneezed' }),
  event('lead_events_lead_id_fkey', 'an entry of an unknown lead', { lead_id: randomUUID() }),
  event('lead_events_actor_id_fkey', 'an entry of an unknown account', { actor_id: randomUUID(), actor_name: 'Reem' }),
  event('lead_events_actor_has_a_name', 'an entry of a name without an account', { actor_name: 'Reem' }),
  event('lead_events_details_are_an_object', 'details that are a list', { details: '[]' }),
  event('lead_events_changes_of_a_note', 'the deletion of no note', { kind: 'note_deleted' }),
  event('lead_events_changes_of_a_note', 'a note of a note', { kind: 'note', details: text(1), note_id: randomUUID() }),
  event('lead_events_note_id_fkey', 'the deletion of an unknown note', { kind: 'note_deleted', note_id: randomUUID() }),
  ...[0, maxLength.text + 1].map((length) =>
    event('lead_events_notes_have_a_text', `a note of ${length} characters`, { kind: 'note', details: text(length) }),
  ),

  reminded('lead_reminders_follow_up_id_fkey', 'a lead of an unknown reminder', {}),
  webhook('webhook_events_id_fkey', 'an event without a webhook', {}),
  webhook('webhook_events_type_known', 'an event of another type', { type: 'lead.lost' }),
  webhook('webhook_events_of_a_change', 'an update without the lead before it', { type: 'lead.updated' }),
  webhook('webhook_events_of_a_lead', 'an event without the lead', { lead_after: null }),

  reminded('lead_reminders_stage_known', 'a lead in another stage', { stage: 'early' }),

  view('lead_views_staff_id_fkey', 'a view of an unknown account', { staff_id: randomUUID() }),
  view('lead_views_name_length', 'a view without a name', { name: '' }),
  view('lead_views_name_length', 'a name of a view that is too long', { name: 'a'.repeat(maxLength.viewName + 1) }),
  view('lead_views_search_length', 'a view that is too long', { search: 'a'.repeat(maxLength.url + 1) }),

  {
    constraint: 'follow_up_counts_transport_known',
    name: 'a count of another transport',
    table: 'follow_up_counts',
    row: () => ({ state: 'sent', transport: 'fax', slot: 1, count: 1 }),
  },

  reply('lead_replies_id_fkey', 'a reply without an email', {}),
  ...['', 'a'.repeat(maxLength.subject + 1)].map((subject) =>
    reply('lead_replies_subject_length', `a subject of ${subject.length} characters`, { subject }),
  ),
  ...['', 'a'.repeat(maxLength.reply + 1)].map((body) =>
    reply('lead_replies_body_length', `a reply of ${body.length} characters`, { body }),
  ),
  reply('lead_replies_withdrawn_by_a_person', 'a reply that no person withdrew', { withdrawn_at: new Date() }),

  {
    constraint: 'lead_counts_unanswered_known',
    name: 'a count with an unknown value of unanswered',
    table: 'lead_counts',
    row: () => ({ kind: 'contact', slot: 1, count: 1, unanswered: 'lost' }),
  },

  audited('audit_log_actor_known', 'an audit entry of another actor', { actor: 'visitor' }),
  audited('audit_log_staff_have_an_id', 'an audit entry of staff without an id', { actor: 'staff' }),
  audited('audit_log_staff_have_an_id', 'an audit entry of an operator with an id', { actor_id: randomUUID() }),
  audited('audit_log_action_form', 'an action that is a text', { action: 'Signed in' }),
  audited('audit_log_details_are_an_object', 'audit details that are a list', { details: '[]' }),
  audited('audit_log_chained_whole', 'an audit entry with a position and no hash', { position: 1 }),
  audited('audit_log_position_counts', 'an audit entry at position 0', { position: 0, hash: 'a' }),

  {
    constraint: 'erasures_hash_form',
    name: 'an erasure that is not a hash',
    table: 'erasures',
    row: () => ({ hash: 'noura@example.com', key: randomUUID() }),
  },
];

/** Constraints that reject a row only because of another row. Separate tests cover them. */
const provedBesideOthers = [
  'leads_pkey',
  'leads_idempotency_key_unique',
  'follow_ups_pkey',
  'follow_ups_once_per_lead',
  'staff_pkey',
  'staff_username_unique',
  'sessions_pkey',
  'sessions_public_id_unique',
  'email_texts_pkey',
  'notice_texts_pkey',
  'account_notices_pkey',
  'account_notices_staff_id_fkey',
  'account_notices_actor_id_fkey',
  'totp_factors_pkey',
  'recovery_codes_pkey',
  'pending_sign_ins_pkey',
  'passkeys_pkey',
  'passkeys_credential_id_unique',
  'recipes_pkey',
  'lead_counts_one_per_slot',
  'rate_limits_pkey',
  'follow_up_counts_one_per_slot',
  'digest_entries_pkey',
  'digest_entries_digest_id_fkey',
  'email_opt_outs_pkey',
  'email_opt_outs_one_per_mailbox',
  'recent_emails_pkey',
  'lead_events_pkey',
  'lead_reminders_once_per_stage',
  'lead_reminders_lead_id_fkey',
  'lead_replies_pkey',
  'lead_replies_author_id_fkey',
  'lead_replies_withdrawn_by_id_fkey',
  'lead_search_pkey',
  'lead_search_lead_id_fkey',
  'lead_views_pkey',
  'lead_views_one_per_name',
  'bulk_requests_pkey',
  'webhook_events_pkey',
  'audit_log_pkey',
  'audit_log_position_unique',
  'erasures_pkey',
];

describe('the database', () => {
  const test = withTestDatabase();
  let leadId: string;
  let staffId: string;

  beforeEach(async () => {
    leadId = String((await insert(test().database, 'leads', leadRow()))['id']);
    staffId = String((await insert(test().database, 'staff', staffRow()))['id']);
  });

  async function refusedBy(table: string, row: Row): Promise<string | undefined> {
    try {
      await insert(test().database, table, row);
    } catch (error) {
      if (error instanceof pg.DatabaseError) return error.constraint ?? error.message;
      throw error;
    }
    return undefined;
  }

  describe('rejects', () => {
    for (const { constraint, name, table, row } of refusals) {
      it(`${name} (${constraint})`, async () => {
        expect(await refusedBy(table, row(leadId, staffId))).to.equal(constraint);
      });
    }

    it('two rows with the same id', async () => {
      const rows: [string, Row][] = [
        ['leads', leadRow()],
        ['follow_ups', followUpRow(leadId)],
        ['staff', staffRow()],
        ['sessions', sessionRow(staffId)],
        ['recipes', recipeRow()],
        ['lead_events', { id: randomUUID(), lead_id: leadId, kind: 'answered' }],
      ];
      for (const [table, row] of rows) {
        await insert(test().database, table, row);
        expect(await refusedBy(table, row)).to.equal(`${table}_pkey`);
      }
    });

    it('two leads with the same idempotency key, but not two leads without one', async () => {
      const keyed = (): Row => leadRow('contact', { idempotency_key: 'one key' });
      await insert(test().database, 'leads', keyed());
      expect(await refusedBy('leads', keyed())).to.equal('leads_idempotency_key_unique');
      expect(await refusedBy('leads', leadRow())).to.equal(undefined);
    });

    it('a second follow-up of the same kind for a lead', async () => {
      for (const kind of oncePerLead) {
        await insert(test().database, 'follow_ups', followUpRow(leadId, { kind }));
        expect(await refusedBy('follow_ups', followUpRow(leadId, { kind }))).to.equal('follow_ups_once_per_lead');
      }
    });

    it('a second text of a reply, or an unknown account that wrote or withdrew it', async () => {
      const [one, two] = [followUpRow(leadId, { kind: 'reply' }), followUpRow(leadId, { kind: 'reply' })];
      for (const row of [one, two]) await insert(test().database, 'follow_ups', row);
      const row: Row = { id: one['id'], author_id: staffId, author_name: 'Reem', subject: 'Yes', body: 'We can.' };
      await insert(test().database, 'lead_replies', row);
      expect(await refusedBy('lead_replies', row)).to.equal('lead_replies_pkey');
      const another = { ...row, id: two['id'] };
      expect(await refusedBy('lead_replies', { ...another, author_id: randomUUID() })).to.equal(
        'lead_replies_author_id_fkey',
      );
      const unknown = { withdrawn_at: new Date(), withdrawn_by_id: randomUUID(), withdrawn_by_name: 'Reem' };
      expect(await refusedBy('lead_replies', { ...another, ...unknown })).to.equal('lead_replies_withdrawn_by_id_fkey');
    });

    it('a lead twice in the same stage of reminders, or an unknown lead', async () => {
      const { id } = await insert(test().database, 'follow_ups', followUpRow(null, { kind: 'reminder' }));
      const row: Row = { lead_id: leadId, stage: 'soon', follow_up_id: id };
      await insert(test().database, 'lead_reminders', row);
      expect(await refusedBy('lead_reminders', row)).to.equal('lead_reminders_once_per_stage');
      expect(await refusedBy('lead_reminders', { ...row, stage: 'overdue' })).to.equal(undefined);
      const unknown = { ...row, lead_id: randomUUID() };
      expect(await refusedBy('lead_reminders', unknown)).to.equal('lead_reminders_lead_id_fkey');
    });

    it('two search texts of a lead, or the search text of an unknown lead', async () => {
      const row: Row = {
        lead_id: leadId,
        created_at: new Date(),
        email: 'noura@example.com',
        tags: [],
        words: ' noura',
      };
      await insert(test().database, 'lead_search', row);
      expect(await refusedBy('lead_search', row)).to.equal('lead_search_pkey');
      expect(await refusedBy('lead_search', { ...row, lead_id: randomUUID() })).to.equal('lead_search_lead_id_fkey');
    });

    it('two passkeys with the same id, also of two accounts', async () => {
      await insert(test().database, 'passkeys', passkeyRow(staffId));
      const other = await insert(test().database, 'staff', staffRow());
      expect(await refusedBy('passkeys', passkeyRow(String(other['id'])))).to.equal('passkeys_credential_id_unique');
    });

    it('two views of an account whose names differ only in case, but not those of two accounts', async () => {
      const row = viewRow(staffId, { name: 'Éclair' });
      await insert(test().database, 'lead_views', row);
      expect(await refusedBy('lead_views', viewRow(staffId, { name: 'éCLAIR' }))).to.equal('lead_views_one_per_name');
      const other = await insert(test().database, 'staff', staffRow());
      expect(await refusedBy('lead_views', viewRow(other['id'], { name: 'Éclair' }))).to.equal(undefined);
      expect(await refusedBy('lead_views', { ...row, name: 'Another' })).to.equal('lead_views_pkey');
    });

    it('two events of a webhook', async () => {
      const { id } = await insert(test().database, 'follow_ups', followUpRow(null, { kind: 'webhook' }));
      const row = { id, lead_id: leadId, lead_version: 1, lead_kind: 'contact', type: 'lead.erased' };
      await insert(test().database, 'webhook_events', row);
      expect(await refusedBy('webhook_events', row)).to.equal('webhook_events_pkey');
    });

    it('two lead counts with the same kind, status and slot, even if the status is null', async () => {
      for (const status of [null, 'won']) {
        const count: Row = { kind: 'of this test', status, slot: 1, count: 1 };
        await insert(test().database, 'lead_counts', count);
        expect(await refusedBy('lead_counts', count)).to.equal('lead_counts_one_per_slot');
      }
    });

    it('two follow-up counts with the same state and slot', async () => {
      const count: Row = { state: 'of this test', slot: 1, count: 1 };
      await insert(test().database, 'follow_up_counts', count);
      expect(await refusedBy('follow_up_counts', count)).to.equal('follow_up_counts_one_per_slot');
    });

    it('a notice in two digests or in one that does not exist, and two opt-outs of a mailbox', async () => {
      const [notice, digest, other] = [
        followUpRow(leadId),
        followUpRow(null, { kind: 'staff_digest' }),
        followUpRow(null, { kind: 'staff_digest' }),
      ];
      for (const row of [notice, digest, other]) await insert(test().database, 'follow_ups', row);
      const unknown = { id: notice['id'], digest_id: randomUUID() };
      expect(await refusedBy('digest_entries', unknown)).to.equal('digest_entries_digest_id_fkey');
      await insert(test().database, 'digest_entries', { id: notice['id'], digest_id: digest['id'] });
      const again = { id: notice['id'], digest_id: other['id'] };
      expect(await refusedBy('digest_entries', again)).to.equal('digest_entries_pkey');

      const optedOut = { id: randomUUID(), mailbox: `${randomUUID()}@example.com` };
      await insert(test().database, 'email_opt_outs', optedOut);
      expect(await refusedBy('email_opt_outs', { ...optedOut, id: randomUUID() })).to.equal(
        'email_opt_outs_one_per_mailbox',
      );
      expect(await refusedBy('email_opt_outs', { ...optedOut, mailbox: 'lerato@example.com' })).to.equal(
        'email_opt_outs_pkey',
      );
      const recent = { id: randomUUID(), kind: 'acknowledgement', mailbox: 'noura@example.com', domain: 'example.com' };
      await insert(test().database, 'recent_emails', recent);
      expect(await refusedBy('recent_emails', recent)).to.equal('recent_emails_pkey');
    });

    it('an audit entry with the id or the position of another', async () => {
      const entry = { id: randomUUID(), actor: 'operator', action: 'signed_in', position: 1_000_000, hash: 'a' };
      await insert(test().database, 'audit_log', entry);
      expect(await refusedBy('audit_log', { ...entry, position: 1_000_001 })).to.equal('audit_log_pkey');
      expect(await refusedBy('audit_log', { ...entry, id: randomUUID() })).to.equal('audit_log_position_unique');
    });

    it('a username that differs from another only in case', async () => {
      await insert(test().database, 'staff', staffRow({ username: 'Thabo.Éclair' }));
      expect(await refusedBy('staff', staffRow({ username: 'tHABO.éclair' }))).to.equal('staff_username_unique');
    });
  });

  it('has no constraint without a test', async () => {
    const { rows } = await test().database.raw<{ rows: { name: string }[] }>(
      `select conname as name from pg_constraint
       where connamespace = 'public'::regnamespace and contype not in ('n', 't') and conrelid::regclass::text !~ '^schema_migrations'
       union
       select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indisunique and c.relnamespace = 'public'::regnamespace and i.indrelid::regclass::text !~ '^schema_migrations'`,
    );
    const proved = new Set([...provedBesideOthers, ...refusals.map(({ constraint }) => constraint)]);
    expect(rows.map(({ name }) => name)).to.have.members([...proved]);
  });

  it('has only the expected nullable columns', async () => {
    const optional: Readonly<Record<string, readonly string[]>> = {
      leads: [
        'status',
        'spam_sign',
        'idempotency_key',
        'owner_id',
        'answered_at',
        'answered_before',
        'clock_started_at',
      ],
      follow_ups: [
        'lead_id',
        'recipient',
        'message_id',
        'lease',
        'server_answer',
        'sent_at',
        'retried_at',
        'withheld_reason',
        'text_id',
      ],
      staff: ['last_sign_in_at', 'email'],
      sessions: ['device', 'address', 'passkey_challenge', 'passkey_challenge_expires_at'],
      account_notices: ['actor_id'],
      totp_factors: ['confirmed_at', 'last_step'],
      recovery_codes: [],
      passkeys: ['last_used_at'],
      pending_sign_ins: ['passkey_challenge', 'passkey_challenge_expires_at'],
      recipes: ['notion_page_url', 'estimated_time'],
      lead_counts: ['status', 'unanswered'],
      lead_events: ['actor_id', 'actor_name', 'note_id'],
      lead_reminders: [],
      lead_replies: ['withdrawn_at', 'withdrawn_by_id', 'withdrawn_by_name'],
      lead_search: ['clock_start', 'exact_words'],
      lead_views: [],
      bulk_requests: [],
      webhook_events: ['lead_before', 'lead_after'],
      rate_limits: [],
      audit_log: ['actor_id', 'subject_id', 'position', 'hash'],
    };
    const { rows: columns } = await test().database.raw<{ rows: { table_name: string; column_name: string }[] }>(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and is_nullable = 'YES' and table_name !~ '^schema_migrations'`,
    );
    expect(columns.map((column) => `${column.table_name}.${column.column_name}`)).to.have.members(
      Object.entries(optional).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
    );
  });

  describe('accepts every value of the domain and no other', () => {
    const sets: readonly {
      readonly constraint: string;
      readonly known: readonly string[];
      readonly table: string;
      readonly row: (value: string) => Row;
    }[] = [
      {
        constraint: 'leads_kind_known',
        known: leadKinds,
        table: 'leads',
        row: (value) => leadRow(value as LeadKind),
      },
      {
        constraint: 'leads_status_known',
        known: leadStatuses,
        table: 'leads',
        row: (status) => leadRow('service_inquiry', { status }),
      },
      {
        constraint: 'leads_spam_sign_known',
        known: spamSigns,
        table: 'leads',
        row: (spam_sign) => leadRow('contact', { spam_sign }),
      },
      {
        constraint: 'leads_contact_answers',
        known: values(contactServices),
        table: 'leads',
        row: (service) => withFields('contact', { service }),
      },
      {
        constraint: 'leads_career_application_answers',
        known: values(experienceLevels),
        table: 'leads',
        row: (experience) => withFields('career_application', { experience }),
      },
      {
        constraint: 'follow_ups_kind_known',
        known: followUpKinds,
        table: 'follow_ups',
        row: (kind) => followUpRow(leadId, { kind }),
      },
      {
        constraint: 'follow_ups_withheld_reason_known',
        known: withheldReasons,
        table: 'follow_ups',
        row: (withheld_reason) => followUpRow(leadId, { state: 'withheld', withheld_reason }),
      },
      {
        constraint: 'follow_ups_state_known',
        known: followUpStates,
        table: 'follow_ups',
        row: (state) =>
          followUpRow(leadId, {
            state,
            lease: state === 'sending' ? randomUUID() : null,
            sent_at: state === 'sent' ? new Date() : null,
          }),
      },
      {
        constraint: 'recipes_category_known',
        known: values(recipeCategories),
        table: 'recipes',
        row: (category) => recipeRow({ category }),
      },
      {
        constraint: 'recipes_difficulty_known',
        known: values(recipeDifficulties),
        table: 'recipes',
        row: (difficulty) => recipeRow({ difficulty }),
      },
    ];

    for (const { constraint, known, table, row } of sets) {
      it(`for ${constraint}`, async () => {
        for (const value of known) {
          expect(await refusedBy(table, row(value)), value).to.equal(undefined);
          await test().database('follow_ups').delete();
        }
        const { rows } = await test().database.raw<{ rows: { definition: string }[] }>(
          'select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ?',
          [constraint],
        );
        const list = /ANY \(ARRAY\[([^\]]+)\]/.exec(rows[0]?.definition ?? '')?.[1] ?? '';
        const taken = [...list.matchAll(/'([^']*)'/g)].map(([, value]) => value);
        expect(taken).to.have.members([...known]);
      });
    }

    it('for leads_portfolio_request_answers', async () => {
      for (const source of portfolioRequestForm.properties.source.enum) {
        expect(await refusedBy('leads', withFields('portfolio_request', { source })), source).to.equal(undefined);
      }
    });
  });

  it('accepts a discovery request as a service inquiry', async () => {
    const fields = JSON.stringify(validExample(discoveryInquiryForm));
    expect(await refusedBy('leads', leadRow('service_inquiry', { answers: fields }))).to.equal(undefined);
  });

  it('accepts a recipe with or without a web link', async () => {
    for (const url of ['https://www.notion.so/x', 'http://example.com', 'HTTPS://Example.com/?q=1', null]) {
      expect(await refusedBy('recipes', recipeRow({ notion_page_url: url })), String(url)).to.equal(undefined);
    }
  });

  it('accepts texts as long as the forms allow, counted in characters and not in bytes', async () => {
    const wide = (length: number): string => '🌊'.repeat(length);
    expect(
      await refusedBy(
        'recipes',
        recipeRow({
          title: wide(maxLength.name),
          description: wide(maxLength.text),
          instructions: wide(maxLength.instructions),
          tags: Array.from({ length: maxListItems }, () => wide(maxLength.listItem)),
          tools: Array.from({ length: maxListItems }, () => wide(maxLength.listItem)),
          notion_page_url: `https://example.com/`.padEnd(maxLength.url, 'a'),
          estimated_time: wide(maxLength.selection),
        }),
      ),
    ).to.equal(undefined);
    const email = 'noura@example.com'.padStart(maxLength.email, 'a');
    const stored = await insert(test().database, 'leads', leadRow('contact', { email }));
    expect(await refusedBy('follow_ups', followUpRow(stored['id'], { recipient: email }))).to.equal(undefined);
  });

  it('stores a recipe with the defaults of its form', async () => {
    const stored = await insert(test().database, 'recipes', recipeRow());
    expect(stored).to.include({
      difficulty: recipeForm.properties.difficulty.default,
      is_public: recipeForm.properties.isPublic.default,
    });
    expect(stored['tags']).to.deep.equal([]);
    expect(stored['tools']).to.deep.equal([]);
  });

  it('deletes the follow-ups of a deleted lead and the sessions of a deleted account', async () => {
    await insert(test().database, 'follow_ups', followUpRow(leadId));
    await insert(test().database, 'sessions', sessionRow(staffId, { id_hash: 'b2'.repeat(32) }));
    await test().database('leads').where({ id: leadId }).delete();
    await test().database('staff').where({ id: staffId }).delete();
    expect(await test().database('follow_ups').where({ lead_id: leadId })).to.deep.equal([]);
    expect(await test().database('sessions').where({ staff_id: staffId })).to.deep.equal([]);
  });
});

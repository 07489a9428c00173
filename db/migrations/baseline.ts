import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';

/**
 * The migrations with which release 0.3.0 came about, in order. The baseline records them, because the processes, the
 * migration and the restores of 0.3.0 look for these names.
 */
export const names = [
  '20261121-01-leads',
  '20261121-02-follow-ups',
  '20261121-03-staff-and-sessions',
  '20261121-04-recipes',
  '20261121-05-lead-counts',
  '20261121-06-rate-limits',
  '20261121-07-spam-signs',
  '20261121-08-follow-ups-by-state',
  '20261121-09-claims',
  '20261121-10-message-ids',
  '20261122-11-no-request-hash',
  '20261123-12-retried-at',
  '20261125-13-follow-up-kinds',
  '20261125-14-email-bounds',
  '20261125-16-lead-work',
  '20261125-17-lead-search',
  '20261125-18-lead-views',
  '20261125-19-replies',
  '20261125-20-webhooks',
  '20261125-21-audit-log',
  '20261126-22-erasures',
  '20261126-25-account-security',
  '20261126-26-second-factors',
  '20261126-27-passkeys',
  '20261126-28-email-texts',
  '20261126-29-bulk-requests',
] as const;

/** Creates the schema of release 0.3.0 in an empty database. */
export async function up(db: Knex): Promise<void> {
  await runStatements(db, [schema]);
}

/** Never called: `migrateTo` goes back no further. @throws always */
export async function down(): Promise<never> {
  throw new Error('The baseline cannot be reverted.');
}

/** Frozen: later migrations change this schema, and `db/sql/` has today's functions, triggers and CHECKs. */
const schema = String.raw`
  create extension if not exists pg_trgm;

  -- Only hashes of passwords and session ids are stored, so a reader of the tables cannot sign in.
  create table staff (
    id uuid primary key default gen_random_uuid(),
    username text not null,
    name text not null,
    password_hash text not null,
    is_active boolean not null default true,
    last_sign_in_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    email text,
    -- Another person set the password.
    must_change_password boolean not null default false,

    constraint staff_email_length check (char_length(email) between 3 and 254),
    constraint staff_name_length check (char_length(name) between 1 and 100),
    constraint staff_password_is_hashed check (password_hash like '$argon2id$%'),
    constraint staff_username_form check (username ~ '^[^[:cntrl:][:space:]]{1,100}$')
  );
  create unique index staff_username_unique on staff (lower(username));

  -- One table for all kinds of lead. Times have the milliseconds of a JavaScript Date, so that both order leads alike.
  create table leads (
    id uuid primary key,
    kind text not null,
    email text not null,
    status text,
    answers jsonb not null,
    idempotency_key text,
    request_hash text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    spam_sign text,
    owner_id uuid references staff,
    answered_at timestamptz(3),
    -- A lead that was received before then counts as answered at an unknown time.
    answered_before timestamptz(3),
    -- Null if the clock started when the lead was received.
    clock_started_at timestamptz(3),
    version integer not null default 1,

    constraint leads_idempotency_key_unique unique (idempotency_key),
    constraint leads_answers_are_an_object check (jsonb_typeof(answers) = 'object'),
    constraint leads_career_application_answers
      check (kind <> 'career_application'
        or (num_nulls(answers ->> 'firstName', answers ->> 'lastName', answers ->> 'phone', answers ->> 'position',
          answers ->> 'coverLetter') = 0
            and (coalesce(answers ->> 'experience', '') in ('entry', 'mid', 'senior', 'lead')))),
    constraint leads_contact_answers
      check (kind <> 'contact'
        or (num_nulls(answers ->> 'firstName', answers ->> 'lastName', answers ->> 'message') = 0
          and (coalesce(answers ->> 'service', '') in ('ugc', 'mvp', 'leadgen', 'all')))),
    constraint leads_email_length check (char_length(email) between 3 and 254),
    constraint leads_kind_known
      check (kind in ('contact', 'service_inquiry', 'career_application', 'portfolio_request')),
    constraint leads_portfolio_request_answers
      check (kind <> 'portfolio_request' or (coalesce(answers ->> 'source', '') = 'portfolio_view')),
    constraint leads_service_inquiry_answers
      check (kind <> 'service_inquiry'
        or num_nulls(answers ->> 'name', answers ->> 'service', answers ->> 'serviceType', answers ->> 'budget',
          answers ->> 'timeframe', answers ->> 'urgency', answers ->> 'projectDetails') = 0),
    constraint leads_status_known check (status in ('new', 'contacted', 'qualified', 'won', 'lost'))
  );
  alter table leads
    add constraint leads_kinds_with_a_status check (
      case kind
        when 'portfolio_request' then status is null
        when 'service_inquiry' then status is not null
        else true
      end
    ) not valid,
    add constraint leads_spam_sign_known
      check (spam_sign in ('honeypot', 'too_fast', 'forged_token', 'by_hand')) not valid,
    add constraint leads_version_counts check (version >= 1) not valid;
  create index leads_answered on leads (coalesce(clock_started_at, created_at)) include (clock_started_at, created_at,
    answered_at) where kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is not null;
  create index leads_by_address on leads (lower(email));
  create index leads_by_kind_newest_first on leads (kind, created_at desc, id desc);
  create index leads_by_status_newest_first on leads (kind, coalesce(status, 'new'), created_at desc, id desc)
    where coalesce(status, 'new') <> 'new';
  create index leads_held_newest_first on leads (created_at desc, id desc) where spam_sign is not null;
  create index leads_of_owner_newest_first on leads (owner_id, kind, coalesce(status, 'new'), created_at desc, id desc)
    where owner_id is not null;
  create index leads_past_new on leads (created_at) include (status) where status <> 'new';
  create index leads_unanswered on leads (coalesce(clock_started_at, created_at))
    where kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
      and (answered_before is null or (created_at >= answered_before));

  -- The outbox: the statement that stores a lead adds its follow-ups, and workers record the outcome of each.
  create table follow_ups (
    id uuid primary key,
    lead_id uuid references leads on delete cascade,
    kind text not null,
    recipient text,
    message_id text,
    state text not null default 'pending',
    attempts integer not null default 0,
    lease uuid,
    available_at timestamptz not null default now(),
    sweep_at timestamptz not null default now() + interval '5 seconds',
    server_answer text,
    sent_at timestamptz,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz not null default now(),
    -- Staff retried it: it counts as untried from then on.
    retried_at timestamptz,
    withheld_reason text,
    -- The row of email_texts. A foreign key would lock a row that all sends have in common.
    text_id uuid,

    constraint follow_ups_attempts_counted check (attempts >= 0),
    constraint follow_ups_lease_while_sending check ((state = 'sending') = (lease is not null)),
    constraint follow_ups_message_id_form check (message_id ~ '^<[^<>@[:space:]]+@[^<>@[:space:]]+>$'),
    constraint follow_ups_message_id_names_its_row check (message_id like (('<' || id) || '@%')),
    constraint follow_ups_recipient_length check (char_length(recipient) between 3 and 254),
    constraint follow_ups_sent_has_a_time check ((state = 'sent') = (sent_at is not null)),
    constraint follow_ups_state_known check (state in ('pending', 'sending', 'sent', 'failed', 'withheld', 'cancelled'))
  );
  comment on column follow_ups.available_at is
    'pending: may be claimed from then on; sending: the lease ends then and another worker may claim';
  comment on column follow_ups.sweep_at is 'from then on the sweep wakes a worker up for this row again';
  alter table follow_ups
    add constraint follow_ups_account_notices_by_email
      check (kind <> 'account_notice' or num_nulls(recipient, message_id) = 0) not valid,
    add constraint follow_ups_digests_by_email
      check (kind <> 'staff_digest' or num_nulls(recipient, message_id) = 0) not valid,
    add constraint follow_ups_kind_known
      check (kind in ('portfolio_pdf', 'acknowledgement', 'staff_notice', 'staff_digest', 'reminder', 'reply',
        'webhook', 'account_notice')) not valid,
    add constraint follow_ups_kinds_by_email
      check (kind not in ('portfolio_pdf', 'acknowledgement', 'staff_notice')
        or num_nulls(recipient, message_id) = 0) not valid,
    add constraint follow_ups_kinds_with_a_lead
      check (kind not in ('portfolio_pdf', 'acknowledgement', 'staff_notice') or lead_id is not null) not valid,
    add constraint follow_ups_reminders_by_email
      check (kind <> 'reminder' or num_nulls(recipient, message_id) = 0) not valid,
    add constraint follow_ups_replies_are_complete
      check (kind <> 'reply' or num_nulls(lead_id, recipient, message_id) = 0) not valid,
    add constraint follow_ups_webhooks_have_no_recipient
      check (kind <> 'webhook' or num_nonnulls(recipient, message_id) = 0) not valid,
    add constraint follow_ups_withheld_reason_known
      check (withheld_reason in ('portfolio_limit', 'mailbox_limit', 'domain_limit', 'total_limit',
        'opted_out')) not valid;
  create index follow_ups_by_state on follow_ups (state, created_at, id);
  create unique index follow_ups_once_per_lead on follow_ups (lead_id, kind, (
    case
      when kind in ('portfolio_pdf', 'acknowledgement', 'staff_notice') then '00000000-0000-0000-0000-000000000000'
      else id
    end
  ));
  create index follow_ups_portfolio_by_recipient on follow_ups (lower(recipient), sent_at)
    where kind = 'portfolio_pdf' and (state in ('sending', 'sent'));
  create index follow_ups_reminders on follow_ups (lower(recipient), created_at) where kind = 'reminder';
  create index follow_ups_staff_digests on follow_ups (recipient, available_at) where kind = 'staff_digest';
  create index follow_ups_to_sweep on follow_ups (sweep_at) where state in ('pending', 'sending');
  create index follow_ups_webhooks_by_state on follow_ups (state, created_at, id) where kind = 'webhook';
  create index follow_ups_webhooks_due on follow_ups (available_at)
    where kind = 'webhook' and (state in ('pending', 'sending'));

  create table account_notices (
    id uuid primary key references follow_ups on delete cascade,
    staff_id uuid not null references staff on delete cascade,
    event text not null,
    actor_id uuid references staff on delete cascade,

    constraint account_notices_event_known
      check (event in ('password_set', 'password_changed', 'deactivated', 'activated', 'email_changed',
        'second_factor_added', 'second_factor_removed'))
  );
  comment on column account_notices.id is 'the follow-up that sends the notice';
  comment on column account_notices.actor_id is 'null if an operator made the change';

  -- No foreign keys, because entries outlive what they report (ADR 0019).
  create table audit_log (
    id uuid primary key default gen_random_uuid(),
    at timestamptz(3) not null default clock_timestamp(),
    actor text not null,
    actor_id uuid,
    action text not null,
    subject_id uuid,
    details jsonb not null default '{}',
    -- The place in the hash chain, set at the end of the transaction.
    position bigint,
    hash text,

    constraint audit_log_position_unique unique (position),
    constraint audit_log_action_form check (action ~ '^[a-z_]{1,50}$'),
    constraint audit_log_actor_known check (actor in ('staff', 'operator', 'system', 'unknown')),
    constraint audit_log_chained_whole check ((position is null) = (hash is null)),
    constraint audit_log_details_are_an_object check (jsonb_typeof(details) = 'object'),
    constraint audit_log_position_counts check (position >= 1),
    constraint audit_log_staff_have_an_id check ((actor = 'staff') = (actor_id is not null))
  );
  create index audit_log_of_action on audit_log (action, position);
  create index audit_log_of_actor on audit_log (actor_id, position) where actor_id is not null;
  create index audit_log_of_subject on audit_log (subject_id, position) where subject_id is not null;
  create index audit_log_unknown_sign_ins on audit_log (at) where action = 'sign_in_refused' and subject_id is null;

  -- The bulk changes that had an Idempotency-Key.
  create table bulk_requests (
    staff_id uuid not null references staff on delete cascade,
    -- Derived from the key.
    id uuid not null,
    -- The hash of the body.
    content text not null,
    created_at timestamptz(3) not null default now(),

    primary key (staff_id, id)
  );

  create table digest_entries (
    id uuid primary key references follow_ups on delete cascade,
    digest_id uuid not null references follow_ups on delete cascade
  );
  comment on column digest_entries.id is 'a notice that is sent as a part of the digest';
  create index digest_entries_by_digest on digest_entries (digest_id);

  create table email_opt_outs (
    id uuid primary key,
    mailbox text not null,
    created_at timestamptz(3) not null default now(),

    constraint email_opt_outs_one_per_mailbox unique (mailbox),
    constraint email_opt_outs_mailbox_length check (char_length(mailbox) between 3 and 254)
  );
  comment on table email_opt_outs is 'mailboxes that get no automatic emails, as mailbox_of() writes them';
  create index email_opt_outs_newest_first on email_opt_outs (created_at desc, id desc);

  -- Texts that many emails share (ADR 0023).
  create table email_texts (
    id uuid primary key,
    subject text not null,
    text text not null,
    created_at timestamptz(3) not null default now()
  );

  -- Keeps a restore from bringing back what was erased (ADR 0021).
  create table erasures (
    -- HMAC-SHA256 of an address or of the id of a lead.
    hash text primary key,
    key uuid not null,
    erased_at timestamptz(3) not null default now(),

    constraint erasures_hash_form check (hash ~ '^[0-9a-f]{64}$')
  );

  -- Triggers maintain it. Free space in each page allows heap-only updates, which add no index entries.
  create table follow_up_counts (
    state text not null,
    slot smallint not null,
    count bigint not null,
    transport text not null default 'email',

    constraint follow_up_counts_one_per_slot unique (state, transport, slot),
    constraint follow_up_counts_transport_known check (transport in ('email', 'webhook'))
  ) with (fillfactor = 50);

  -- Triggers maintain it (ADR 0006). A slot can be negative, because one connection can delete what another one stored.
  create table lead_counts (
    kind text not null,
    status text,
    slot smallint not null,
    count bigint not null,
    unanswered text,

    constraint lead_counts_one_per_slot unique nulls not distinct (kind, status, unanswered, slot),
    constraint lead_counts_unanswered_known check (unanswered in ('owned', 'unowned'))
  ) with (fillfactor = 50);

  create table lead_events (
    id uuid primary key,
    lead_id uuid not null references leads on delete cascade,
    kind text not null,
    at timestamptz(3) not null default clock_timestamp(),
    actor_id uuid references staff,
    actor_name text,
    note_id uuid references lead_events on delete cascade,
    details jsonb not null default '{}',

    constraint lead_events_actor_has_a_name check ((actor_id is null) = (actor_name is null)),
    constraint lead_events_changes_of_a_note check ((kind in ('note_edited', 'note_deleted')) = (note_id is not null)),
    constraint lead_events_details_are_an_object check (jsonb_typeof(details) = 'object'),
    constraint lead_events_notes_have_a_text
      check (kind not in ('note', 'note_edited') or coalesce(char_length(details ->> 'text'), 0) between 1 and 5000)
  );
  alter table lead_events
    add constraint lead_events_kind_known
      check (kind in ('status', 'owner', 'answered', 'not_answered', 'note', 'note_edited', 'note_deleted', 'spam',
        'released', 'address_corrected')) not valid;
  create index lead_events_corrections on lead_events (lead_id) where kind = 'address_corrected';
  create index lead_events_newest_first on lead_events (at desc, id desc);
  create index lead_events_of_lead on lead_events (lead_id, at, id);
  create index lead_events_of_note on lead_events (note_id, at, id) where note_id is not null;
  create index lead_events_won on lead_events (at) where kind = 'status' and (details ->> 'to' = 'won');

  create table lead_reminders (
    lead_id uuid not null references leads on delete cascade,
    stage text not null,
    follow_up_id uuid not null references follow_ups on delete cascade,

    constraint lead_reminders_once_per_stage primary key (lead_id, stage),
    constraint lead_reminders_stage_known check (stage in ('soon', 'overdue'))
  );
  create index lead_reminders_of_follow_up on lead_reminders (follow_up_id);

  create table lead_replies (
    id uuid primary key references follow_ups on delete cascade,
    author_id uuid not null references staff,
    author_name text not null,
    subject text not null,
    body text not null,
    -- When the reply was undone or replaced. It is not sent after that.
    withdrawn_at timestamptz(3),
    withdrawn_by_id uuid references staff,
    withdrawn_by_name text,

    constraint lead_replies_body_length check (char_length(body) between 1 and 10000),
    constraint lead_replies_subject_length check (char_length(subject) between 1 and 200),
    constraint lead_replies_withdrawn_by_a_person
      check (num_nulls(withdrawn_at, withdrawn_by_id, withdrawn_by_name) in (0, 3))
  );
  comment on column lead_replies.id is 'the follow-up that sends the reply';

  -- The workers fill it, so that storing a lead takes no longer (ADR 0018).
  create table lead_search (
    lead_id uuid primary key references leads on delete cascade,
    created_at timestamptz(3) not null,
    -- In lower case.
    email text not null,
    -- Written by lead_tags().
    tags text[] not null,
    -- Null unless the lead needs an answer.
    clock_start timestamptz(3),
    -- In their ASCII form.
    words text not null,
    -- Null if they equal words.
    exact_words text
  );
  create index lead_search_due_first on lead_search (clock_start, lead_id) where clock_start is not null;
  create index lead_search_newest_first on lead_search (created_at desc, lead_id desc);
  create index lead_search_of_address on lead_search (email, created_at desc, lead_id desc);
  create index lead_search_of_owner on lead_search ((tags[3]), created_at desc, lead_id desc)
    where tags[3] <> 'owner:none';
  create index lead_search_of_status on lead_search ((tags[2]), created_at desc, lead_id desc);
  create index lead_search_open on lead_search (created_at desc, lead_id desc) where clock_start is not null;
  create index lead_search_words on lead_search using gin (words gin_trgm_ops, tags);

  create table lead_views (
    id uuid primary key,
    staff_id uuid not null references staff on delete cascade,
    name text not null,
    -- The query string of the page.
    search text not null,
    position integer not null,

    constraint lead_views_name_length check (char_length(name) between 1 and 60),
    constraint lead_views_search_length check (char_length(search) <= 2048)
  );
  create unique index lead_views_one_per_name on lead_views (staff_id, lower(name));

  -- The part of a notice or digest about one lead.
  create table notice_texts (
    id uuid primary key references follow_ups on delete cascade,
    subject text not null,
    text text not null
  );
  comment on column notice_texts.id is 'the follow-up of the notice';

  create table passkeys (
    id uuid primary key default gen_random_uuid(),
    staff_id uuid not null references staff on delete cascade,
    -- Base64url, at most 1,023 bytes (Web Authentication, 4, "Credential ID").
    credential_id text not null,
    -- A COSE key.
    public_key bytea not null,
    -- Passkeys that are copied between devices keep 0.
    counter bigint not null,
    transports text[] not null,
    name text not null,
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),

    constraint passkeys_credential_id_unique unique (credential_id),
    constraint passkeys_counter_range check ((counter >= 0) and (counter <= '4294967295')),
    constraint passkeys_credential_id_form
      check ((credential_id ~ '^[A-Za-z0-9_-]+$') and (char_length(credential_id) <= 1364)),
    constraint passkeys_name_length check (char_length(name) between 1 and 60)
  );
  create index passkeys_by_staff on passkeys (staff_id);

  -- Sign-ins with the right password that wait for the second factor (ADR 0022).
  create table pending_sign_ins (
    id_hash text primary key,
    staff_id uuid not null references staff on delete cascade,
    password_hash text not null,
    expires_at timestamptz not null,
    passkey_challenge text,
    passkey_challenge_expires_at timestamptz,

    constraint pending_sign_ins_id_is_hashed check (id_hash ~ '^[0-9a-f]{64}$')
  );
  create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);
  create index pending_sign_ins_by_staff on pending_sign_ins (staff_id);

  -- Unlogged, because a crash of the server may lose counters. Free space in each page allows heap-only updates.
  create unlogged table rate_limits (
    key text primary key,
    points integer not null,
    -- Milliseconds since 1970.
    expire bigint not null
  ) with (fillfactor = 50);
  create index rate_limits_by_expiry on rate_limits (expire);

  create table recent_emails (
    id uuid primary key,
    kind text not null,
    mailbox text not null,
    domain text not null,
    claimed_at timestamptz not null default now()
  );
  comment on table recent_emails is 'the follow-ups claimed within a day, which the email limits count';
  create index recent_emails_by_domain on recent_emails (domain, claimed_at);
  create index recent_emails_by_mailbox on recent_emails (mailbox, claimed_at);
  create index recent_emails_by_time on recent_emails (claimed_at);

  create table recipes (
    id uuid primary key default gen_random_uuid(),
    title text not null,
    description text not null,
    instructions text not null,
    category text not null,
    difficulty text not null default 'medium',
    tags text[] not null default '{}',
    tools text[] not null default '{}',
    notion_page_url text,
    estimated_time text,
    is_public boolean not null default false,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    version integer not null default 1,

    constraint recipes_category_known
      check (category in ('development', 'design', 'marketing', 'process', 'client-management')),
    constraint recipes_description_length check (char_length(description) between 1 and 5000),
    constraint recipes_difficulty_known check (difficulty in ('easy', 'medium', 'hard', 'expert')),
    constraint recipes_estimated_time_length check (char_length(estimated_time) between 1 and 100),
    constraint recipes_instructions_length check (char_length(instructions) between 1 and 50000),
    constraint recipes_notion_page_url_is_web
      check ((char_length(notion_page_url) <= 2048) and (notion_page_url ~* '^(http|https)://')),
    constraint recipes_title_length check (char_length(title) between 1 and 100),
    constraint recipes_version_counts check (version >= 1)
  );
  create index recipes_latest_changes on recipes (updated_at desc) where version > 1;
  create index recipes_newest_first on recipes (created_at desc, id desc);

  create table recovery_codes (
    staff_id uuid not null references staff on delete cascade,
    code_hash text not null,

    primary key (staff_id, code_hash),
    constraint recovery_codes_are_hashed check (code_hash ~ '^[0-9a-f]{64}$')
  );

  create table sessions (
    id_hash text primary key,
    staff_id uuid not null references staff on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    id uuid not null default gen_random_uuid(),
    -- When the password was last entered in the session.
    password_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    device text,
    address text,
    passkey_challenge text,
    passkey_challenge_expires_at timestamptz,

    constraint sessions_public_id_unique unique (id),
    constraint sessions_address_length check (char_length(address) between 1 and 100),
    constraint sessions_device_length check (char_length(device) between 1 and 100),
    constraint sessions_end_after_8_hours check (expires_at <= (created_at + interval '8 hours')),
    constraint sessions_id_is_hashed check (id_hash ~ '^[0-9a-f]{64}$')
  );
  create index sessions_by_expiry on sessions (expires_at);
  create index sessions_by_staff on sessions (staff_id);

  create table totp_factors (
    staff_id uuid primary key references staff on delete cascade,
    -- Encrypted with a key of SESSION_KEYS.
    secret text not null,
    created_at timestamptz(3) not null default now(),
    -- Null until the first code was entered.
    confirmed_at timestamptz(3),
    -- The time step of the last accepted code, so that no code is accepted twice.
    last_step bigint,

    constraint totp_factors_confirmed_with_a_code check ((confirmed_at is null) = (last_step is null))
  );

  -- The values of a lead that staff can change. Nothing that the visitor typed is in it (ADR 0020).
  create table webhook_events (
    id uuid primary key references follow_ups on delete cascade,
    -- No reference, because an event can report that its lead was erased.
    lead_id uuid not null,
    -- The webhooks of a lead are sent in the order of lead_version, type, id.
    lead_version integer not null,
    lead_kind text not null,
    type text not null,
    at timestamptz(3) not null default clock_timestamp(),
    lead_before jsonb,
    lead_after jsonb,

    constraint webhook_events_of_a_change check ((lead_before is not null) = (type = 'lead.updated')),
    constraint webhook_events_of_a_lead check ((lead_after is null) = (type = 'lead.erased')),
    constraint webhook_events_type_known
      check (type in ('lead.created', 'lead.updated', 'lead.answered', 'lead.erased'))
  );
  create index webhook_events_of_lead on webhook_events (lead_id, lead_version, type, id);

  create function audit_lead_events() returns trigger language plpgsql as $$
    begin
      insert into audit_log (actor, actor_id, action, subject_id, details)
      select case when actor_id is null then 'system' else 'staff' end,
             actor_id, 'lead_' || kind, lead_id, jsonb_build_object('eventId', id)
      from added order by at, id;
      return null;
    end
    $$;

  create function chain_audit_entry() returns trigger language plpgsql security definer
    set search_path from current as $$
    declare
      head record;
    begin
      perform pg_advisory_xact_lock(20261125, 21);
      select position, hash into head from audit_log where position is not null order by position desc limit 1;
      update audit_log set
        position = coalesce(head.position, 0) + 1,
        hash = encode(sha256(convert_to(concat_ws(E'\n',
          coalesce(head.hash, ''),
          coalesce(head.position, 0) + 1,
          id,
          to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          actor,
          coalesce(actor_id::text, ''),
          action,
          coalesce(subject_id::text, ''),
          details::text
        ), 'UTF8')), 'hex')
      where id = new.id;
      return null;
    end
    $$;

  create function claim_follow_ups(
      ids uuid[], leases uuid[], lease_seconds integer[], sweep_grace_seconds integer,
      portfolio_mails_per_hour integer
    ) returns table (
      id uuid, lease uuid, state text, kind text, recipient text, message_id text, attempts integer,
      lead_id uuid, lead_kind text, lead_created_at timestamptz
    ) language plpgsql as $$
    #variable_conflict use_column
    begin
      -- Two claims for one address must not both see room for one more email. In one order, so that neither waits for the
      -- other; mail hosts deliver whatever the letters' case, so the case makes no other address.
      perform pg_advisory_xact_lock(address_key)
      from (
        select distinct hashtextextended(lower(f.recipient), 0) as address_key
        from unnest(ids) as wanted (id)
        join follow_ups f on f.id = wanted.id
        where f.kind = 'portfolio_pdf'
        order by address_key
      ) as addresses;

      return query
      with due as materialized (
        select f.id, f.kind, lower(f.recipient) as address, wanted.lease, wanted.seconds,
               l.kind as lead_kind, l.created_at as lead_created_at
        from (
          select distinct on (id) id, lease, seconds
          from unnest(ids, leases, lease_seconds) as each (id, lease, seconds)
        ) as wanted
        join follow_ups f on f.id = wanted.id
        left join leads l on l.id = f.lead_id
        where f.state in ('pending', 'sending') and f.available_at <= now()
        -- A row that is locked is being settled or claimed.
        for update of f skip locked
      ), ruled as (
        select due.*, due.kind = 'portfolio_pdf' and portfolio_mails_per_hour < (
          select count(*) from follow_ups other
          where other.kind = 'portfolio_pdf' and lower(other.recipient) = due.address
            and other.state in ('sending', 'sent')
            and (other.state = 'sending' or other.sent_at > now() - interval '1 hour')
            and other.id not in (select due.id from due)
        ) + row_number() over (partition by due.kind, due.address order by due.id) as is_capped
        from due
      )
      update follow_ups f set
        state = case when is_capped then 'withheld' else 'sending' end,
        lease = case when is_capped then null else ruled.lease end,
        attempts = f.attempts + case when is_capped then 0 else 1 end,
        available_at = case when is_capped then f.available_at else now() + make_interval(secs => ruled.seconds) end,
        sweep_at = case
          when is_capped then f.sweep_at else now() + make_interval(secs => ruled.seconds + sweep_grace_seconds)
        end,
        server_answer = case
          when is_capped then 'Not mailed: the address had its portfolio mails of this hour' else f.server_answer
        end,
        updated_at = now()
      from ruled
      where f.id = ruled.id
      returning f.id, f.lease, f.state, f.kind, f.recipient, f.message_id, f.attempts,
                f.lead_id, ruled.lead_kind, ruled.lead_created_at::timestamptz;
    end
    $$;

  create function claim_within_limits(
      ids uuid[], leases uuid[], lease_seconds integer[], sweep_grace_seconds integer, visitor_kinds text[],
      limits jsonb
    ) returns table (
      id uuid, outcome text, lease uuid, kind text, recipient text, message_id text, attempts integer,
      lead_id uuid, withheld_reason text
    ) language plpgsql as $$
  #variable_conflict use_column
  declare
    due_ids uuid[];
    withheld_ids uuid[] := '{}';
    withheld_reasons text[] := '{}';
    collected_ids uuid[] := '{}';
    reason text;
    email record;
    open_digest uuid;
  begin
    -- Two claims must not both see room for one more email.
    if limits is not null then
      perform pg_advisory_xact_lock(20261125014);
      delete from recent_emails where id in (
        select r.id from recent_emails r where r.claimed_at < now() - interval '1 day' order by r.claimed_at limit 200
      );
    end if;

    -- A row that is locked is being settled or claimed.
    select coalesce(array_agg(locked.id), '{}') into due_ids
    from (
      select f.id from follow_ups f
      where f.id = any (ids) and f.state in ('pending', 'sending') and f.available_at <= now()
      for update skip locked
    ) as locked;

    for email in
      select f.id, f.kind, f.retried_at is not null as is_retried, mailbox_of(f.recipient) as mailbox,
             substring(lower(f.recipient) from '[^@]*$') as domain
      from follow_ups f
      where f.id = any (due_ids) and f.kind = any (visitor_kinds)
        and (limits is not null or exists (select from email_opt_outs o where o.mailbox = mailbox_of(f.recipient)))
      order by f.id
    loop
      reason := case
        when exists (select from email_opt_outs o where o.mailbox = email.mailbox) then 'opted_out'
        -- Staff decided that it is sent.
        when email.is_retried then null
        when email.kind = 'portfolio_pdf' and (limits ->> 'portfolioPerHour')::integer <= (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 hour'
            and r.kind = 'portfolio_pdf' and r.id <> email.id
        ) then 'portfolio_limit'
        when (limits ->> 'mailboxPerHour')::integer <= (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 hour'
            and r.kind = any (visitor_kinds) and r.id <> email.id
        ) or (limits ->> 'mailboxPerDay')::integer <= (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 day'
            and r.kind = any (visitor_kinds) and r.id <> email.id
        ) then 'mailbox_limit'
        when case
          when limits -> 'sharedDomains' @> to_jsonb(email.domain) then (limits ->> 'sharedDomainPerHour')::integer
          else (limits ->> 'domainPerHour')::integer
        end <= (
          select count(*) from recent_emails r
          where r.domain = email.domain and r.claimed_at > now() - interval '1 hour'
            and r.kind = any (visitor_kinds) and r.id <> email.id
        ) then 'domain_limit'
        when (limits ->> 'totalPerHour')::integer <= (
          select count(*) from recent_emails r
          where r.claimed_at > now() - interval '1 hour' and r.kind = any (visitor_kinds) and r.id <> email.id
        ) then 'total_limit'
      end;
      if reason is not null then
        withheld_ids := withheld_ids || email.id;
        withheld_reasons := withheld_reasons || reason;
      elsif limits is not null then
        insert into recent_emails (id, kind, mailbox, domain)
        values (email.id, email.kind, email.mailbox, email.domain)
        on conflict (id) do update set claimed_at = now();
      end if;
    end loop;

    if limits is not null then
      for email in
        select f.id, f.kind, f.recipient, f.message_id, lower(f.recipient) as mailbox,
               substring(lower(f.recipient) from '[^@]*$') as domain,
               -- An attempt may have delivered the notice, so it is retried alone, with its Message-ID.
               f.retried_at is null and f.attempts = 0 as is_collectable
        from follow_ups f
        where f.id = any (due_ids) and f.kind = 'staff_notice'
        order by f.id
      loop
        if not email.is_collectable or (limits ->> 'noticesPerHour')::integer > (
          select count(*) from recent_emails r
          where r.mailbox = email.mailbox and r.claimed_at > now() - interval '1 hour'
            and r.kind = email.kind and r.id <> email.id
        ) then
          insert into recent_emails (id, kind, mailbox, domain)
          values (email.id, email.kind, email.mailbox, email.domain)
          on conflict (id) do update set claimed_at = now();
          continue;
        end if;
        -- The lock keeps a worker from claiming the digest before the notice is in it.
        select d.id into open_digest from follow_ups d
        where d.kind = 'staff_digest' and d.recipient = email.recipient and d.state = 'pending'
          and d.attempts = 0 and d.retried_at is null and d.available_at > now() and d.available_at < 'infinity'
        order by d.available_at limit 1
        for update;
        if open_digest is null then
          open_digest := gen_random_uuid();
          insert into follow_ups (id, kind, recipient, message_id, available_at, sweep_at)
          select open_digest, 'staff_digest', email.recipient,
                 '<' || open_digest || '@' || split_part(email.message_id, '@', 2), due.at, due.at
          from (select now() + make_interval(mins => (limits ->> 'digestMinutes')::integer) as at) as due;
        end if;
        insert into digest_entries (id, digest_id) values (email.id, open_digest);
        update follow_ups f set available_at = 'infinity', sweep_at = 'infinity', updated_at = now()
        where f.id = email.id;
        collected_ids := collected_ids || email.id;
      end loop;
    end if;

    return query
    update follow_ups f set
      state = case when verdict.reason is null then 'sending' else 'withheld' end,
      withheld_reason = verdict.reason,
      lease = case when verdict.reason is null then wanted.lease end,
      attempts = f.attempts + case when verdict.reason is null then 1 else 0 end,
      available_at = case
        when verdict.reason is null then now() + make_interval(secs => wanted.seconds) else f.available_at
      end,
      sweep_at = case
        when verdict.reason is null then now() + make_interval(secs => wanted.seconds + sweep_grace_seconds)
        else f.sweep_at
      end,
      updated_at = now()
    from (
      select distinct on (id) id, lease, seconds
      from unnest(ids, leases, lease_seconds) as each (id, lease, seconds)
    ) as wanted
    left join unnest(withheld_ids, withheld_reasons) as verdict (id, reason) on verdict.id = wanted.id
    where f.id = wanted.id and f.id = any (due_ids) and f.id <> all (collected_ids)
    returning f.id, case when f.state = 'sending' then 'claimed' else f.state end, f.lease, f.kind, f.recipient,
              f.message_id, f.attempts, f.lead_id, f.withheld_reason;

    return query
    select f.id, 'collected', null::uuid, f.kind, f.recipient, f.message_id, f.attempts, f.lead_id, null::text
    from follow_ups f where f.id = any (collected_ids);
  end
  $$;

  create function count_follow_ups() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, count(*)
        from (select state, case when kind = 'webhook' then 'webhook' else 'email' end as transport from added) as changes
        group by state, transport order by state, transport
        on conflict (state, transport, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'DELETE' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, -count(*)
        from (select state, case when kind = 'webhook' then 'webhook' else 'email' end as transport from removed) as changes
        group by state, transport order by state, transport
        on conflict (state, transport, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'UPDATE' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, sum(change)
        from (
          select state, case when kind = 'webhook' then 'webhook' else 'email' end as transport, 1 as change from added
          union all
          select state, case when kind = 'webhook' then 'webhook' else 'email' end as transport, -1 from removed
        ) as changes
        group by state, transport having sum(change) <> 0 order by state, transport
        on conflict (state, transport, slot) do update set count = kept.count + excluded.count;
      else
        -- Not a delete: that would spare rows which a transaction's snapshot does not show.
        truncate follow_up_counts;
      end if;
      return null;
    end
    $$;

  create function count_leads() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, count(*)
        from (select kind, status, 
    case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then case when owner_id is null then 'unowned' else 'owned' end end as unanswered from added) as changes
        group by kind, status, unanswered order by kind, status, unanswered
        
    on conflict (kind, status, unanswered, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'DELETE' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, -count(*)
        from (select kind, status, 
    case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then case when owner_id is null then 'unowned' else 'owned' end end as unanswered from removed) as changes
        group by kind, status, unanswered order by kind, status, unanswered
        
    on conflict (kind, status, unanswered, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'UPDATE' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, sum(change)
        from (
          select kind, status, 
    case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then case when owner_id is null then 'unowned' else 'owned' end end as unanswered, 1 as change from added
          union all
          select kind, status, 
    case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then case when owner_id is null then 'unowned' else 'owned' end end as unanswered, -1 from removed
        ) as changes
        group by kind, status, unanswered having sum(change) <> 0 order by kind, status, unanswered
        
    on conflict (kind, status, unanswered, slot) do update set count = kept.count + excluded.count;
      else
        -- A delete would miss the rows that the transaction's snapshot does not show.
        truncate lead_counts;
      end if;
      return null;
    end
    $$;

  create function erase_former_address(address text) returns void language plpgsql security definer
    set search_path from current as $$
    begin
      update follow_ups f set
        recipient = 'erased@erased.invalid',
        state = case when f.state in ('pending', 'failed', 'withheld') then 'cancelled' else f.state end,
        server_answer = null,
        updated_at = now()
      where f.lead_id in (select lead_id from lead_events where kind = 'address_corrected')
        and lower(f.recipient) = lower(address);
      update lead_events set details = details || '{"from": "erased@erased.invalid"}'
      where kind = 'address_corrected' and lower(details ->> 'from') = lower(address);
    end
    $$;

  create function erase_leads(ids uuid[]) returns void language plpgsql security definer
    set search_path from current as $$
    begin
      if cardinality(ids) > 1000 then
        raise exception 'At most 1000 leads can be erased together' using errcode = 'invalid_parameter_value';
      end if;
      delete from recent_emails where id in (select f.id from follow_ups f where f.lead_id = any (ids));
      delete from leads where id = any (ids);
    end
    $$;

  create function reject_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
    end
    $$;

  create function remove_old_audit_entries(months integer) returns bigint language plpgsql security definer
    set search_path from current as $$
    declare
      last record;
      removed bigint;
    begin
      if months < 12 or months is null then
        raise exception 'Entries of the last 12 months cannot be removed' using errcode = 'invalid_parameter_value';
      end if;
      perform pg_advisory_xact_lock(20261125, 21);
      with oldest as (
        select position, hash, at from audit_log where position is not null order by position limit 10000
      )
      select position, hash into last from oldest
      where position < coalesce(
        (select min(position) from oldest where at >= now() - make_interval(months => months)),
        (select max(position) + 1 from oldest)
      )
      order by position desc limit 1;
      if not found then
        return 0;
      end if;
      perform set_config('studio.audit_retention', 'on', true);
      delete from audit_log where position <= last.position;
      get diagnostics removed = row_count;
      perform set_config('studio.audit_retention', '', true);
      insert into audit_log (actor, action, details) values (
        'system', 'audit_entries_removed',
        jsonb_build_object('count', removed, 'position', last.position, 'hash', last.hash)
      );
      return removed;
    end
    $$;

  create function update_lead_search() returns trigger language plpgsql as $$
    begin
      -- The workers write the search text again.
      delete from lead_search where lead_id in (
        select added.id from added join removed on removed.id = added.id
        where (added.email, added.answers) is distinct from (removed.email, removed.answers)
      );
      update lead_search set tags = changed.tags, clock_start = changed.clock_start
      from (
        select id,
               lead_tags(kind, status, owner_id, spam_sign, answered_at, answered_before, created_at) as tags,
               case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then coalesce(clock_started_at, created_at) end as clock_start
        from added
      ) as changed
      where lead_id = changed.id
        and (lead_search.tags, lead_search.clock_start) is distinct from (changed.tags, changed.clock_start);
      return null;
    end
    $$;

  create function write_webhooks() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      
  with event as materialized (
        select gen_random_uuid() as id, added.id as lead_id, added.version as lead_version, added.kind as lead_kind,
               'lead.created' as type, null::jsonb as lead_before, 
  jsonb_build_object(
    'status', coalesce(added.status, case when added.kind <> 'portfolio_request' then 'new' end),
    'owner', (
      select jsonb_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = added.owner_id
    ),
    'clockStart', case
      when added.kind in ('contact', 'service_inquiry') and added.spam_sign is null
      then coalesce(added.clock_started_at, added.created_at)
    end,
    'isAnswered', added.answered_at is not null or coalesce(added.created_at < added.answered_before, false),
    'answeredAt', added.answered_at,
    'spam', added.spam_sign is not null
  ) as lead_after
        from added where (added.spam_sign is null or added.spam_sign = 'by_hand')
      ), owed as (
    insert into follow_ups (id, lead_id, kind, available_at, sweep_at)
    select id, case when type <> 'lead.erased' then lead_id end, 'webhook',
           now() + case when type = 'lead.erased' then interval '30 seconds' else interval '0' end, 'infinity'
    from event
  )
  insert into webhook_events (id, lead_id, lead_version, lead_kind, type, lead_before, lead_after)
  select id, lead_id, lead_version, lead_kind, type, lead_before, lead_after from event;
    elsif tg_op = 'UPDATE' then
      
  with event as materialized (
        select gen_random_uuid() as id, change.lead_id, change.lead_version, change.lead_kind, event.type,
               case when event.type = 'lead.updated' then change.lead_before end as lead_before, change.lead_after
        from (
          select added.id as lead_id, added.version as lead_version, added.kind as lead_kind,
                 (removed.spam_sign is null or removed.spam_sign = 'by_hand') as was_known,
                 (added.email, added.answers) is distinct from (removed.email, removed.answers) as is_corrected,
                 
  jsonb_build_object(
    'status', coalesce(removed.status, case when removed.kind <> 'portfolio_request' then 'new' end),
    'owner', (
      select jsonb_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = removed.owner_id
    ),
    'clockStart', case
      when removed.kind in ('contact', 'service_inquiry') and removed.spam_sign is null
      then coalesce(removed.clock_started_at, removed.created_at)
    end,
    'isAnswered', removed.answered_at is not null or coalesce(removed.created_at < removed.answered_before, false),
    'answeredAt', removed.answered_at,
    'spam', removed.spam_sign is not null
  ) as lead_before, 
  jsonb_build_object(
    'status', coalesce(added.status, case when added.kind <> 'portfolio_request' then 'new' end),
    'owner', (
      select jsonb_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = added.owner_id
    ),
    'clockStart', case
      when added.kind in ('contact', 'service_inquiry') and added.spam_sign is null
      then coalesce(added.clock_started_at, added.created_at)
    end,
    'isAnswered', added.answered_at is not null or coalesce(added.created_at < added.answered_before, false),
    'answeredAt', added.answered_at,
    'spam', added.spam_sign is not null
  ) as lead_after
          from added join removed on removed.id = added.id
          where (added.spam_sign is null or added.spam_sign = 'by_hand')
        ) as change
        cross join lateral (
          select 'lead.created' as type where not was_known
          union all
          select 'lead.answered'
          where was_known and lead_after -> 'isAnswered' > lead_before -> 'isAnswered'
          union all
          select 'lead.updated'
          where was_known and (
            is_corrected or lead_after -> 'isAnswered' < lead_before -> 'isAnswered'
            or lead_after - '{isAnswered,answeredAt}'::text[] <> lead_before - '{isAnswered,answeredAt}'::text[]
          )
        ) as event
      ), owed as (
    insert into follow_ups (id, lead_id, kind, available_at, sweep_at)
    select id, case when type <> 'lead.erased' then lead_id end, 'webhook',
           now() + case when type = 'lead.erased' then interval '30 seconds' else interval '0' end, 'infinity'
    from event
  )
  insert into webhook_events (id, lead_id, lead_version, lead_kind, type, lead_before, lead_after)
  select id, lead_id, lead_version, lead_kind, type, lead_before, lead_after from event;
    else
      
  with event as materialized (
        select gen_random_uuid() as id, removed.id as lead_id, removed.version + 1 as lead_version,
               removed.kind as lead_kind, 'lead.erased' as type, null::jsonb as lead_before, null::jsonb as lead_after
        from removed where (removed.spam_sign is null or removed.spam_sign = 'by_hand')
      ), owed as (
    insert into follow_ups (id, lead_id, kind, available_at, sweep_at)
    select id, case when type <> 'lead.erased' then lead_id end, 'webhook',
           now() + case when type = 'lead.erased' then interval '30 seconds' else interval '0' end, 'infinity'
    from event
  )
  insert into webhook_events (id, lead_id, lead_version, lead_kind, type, lead_before, lead_after)
  select id, lead_id, lead_version, lead_kind, type, lead_before, lead_after from event;
    end if;
    return null;
  end
  $$;

  create function lead_tags(
      kind text, status text, owner_id uuid, spam_sign text, answered_at timestamptz, answered_before timestamptz,
      created_at timestamptz
    ) returns text[] language sql immutable parallel safe return array[
      'kind:' || kind,
      'status:' || coalesce(status, 'new'),
      'owner:' || coalesce(owner_id::text, 'none'),
      case when spam_sign is null then 'not spam' else 'spam' end,
      case
        when kind not in ('contact', 'service_inquiry') or spam_sign is not null then 'response:none'
        when
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then 'response:open'
        else 'response:answered'
      end
    ];

  create function mailbox_of(address text) returns text language sql immutable parallel safe return
      case
        when lower(address) ~ '@(gmail|googlemail)\.com$'
        then replace(split_part(regexp_replace(lower(address), '^([^@+]+)\+[^@]*@', '\1@'), '@', 1), '.', '') || '@gmail.com'
        else regexp_replace(lower(address), '^([^@+]+)\+[^@]*@', '\1@')
      end;

  create trigger leads_count_added after insert on leads
    referencing new table as added for each statement execute function count_leads();
  create trigger leads_count_changed after update on leads
    referencing old table as removed new table as added for each statement execute function count_leads();
  create trigger leads_count_emptied after truncate on leads for each statement execute function count_leads();
  create trigger leads_count_removed after delete on leads
    referencing old table as removed for each statement execute function count_leads();
  create trigger leads_search_changed after update on leads
    referencing old table as removed new table as added for each statement execute function update_lead_search();
  create trigger leads_webhooks_of_delete after delete on leads
    referencing old table as removed
      for each statement when (current_setting('app.webhooks', true) = 'on') execute function write_webhooks();
  create trigger leads_webhooks_of_insert after insert on leads
    referencing new table as added
      for each statement when (current_setting('app.webhooks', true) = 'on') execute function write_webhooks();
  create trigger leads_webhooks_of_update after update on leads
    referencing old table as removed new table as added
      for each statement when (current_setting('app.webhooks', true) = 'on') execute function write_webhooks();
  create trigger follow_ups_count_added after insert on follow_ups
    referencing new table as added for each statement execute function count_follow_ups();
  create trigger follow_ups_count_changed after update on follow_ups
    referencing old table as removed new table as added for each statement execute function count_follow_ups();
  create trigger follow_ups_count_emptied after truncate on follow_ups
    for each statement execute function count_follow_ups();
  create trigger follow_ups_count_removed after delete on follow_ups
    referencing old table as removed for each statement execute function count_follow_ups();
  create constraint trigger audit_log_chained after insert on audit_log deferrable initially deferred
    for each row when (new.position is null) execute function chain_audit_entry();
  create trigger audit_log_is_never_emptied before truncate on audit_log
    for each statement execute function reject_audit_change();
  create trigger audit_log_keeps_all before delete on audit_log
    for each statement when (coalesce(current_setting('studio.audit_retention', true),
      '') <> 'on') execute function reject_audit_change();
  create trigger audit_log_keeps_entries before update on audit_log
    for each row when (old.position is not null) execute function reject_audit_change();
  create trigger lead_events_audited after insert on lead_events
    referencing new table as added for each statement execute function audit_lead_events();

  revoke execute on function erase_former_address(text), erase_leads(uuid[]) from public;
`;

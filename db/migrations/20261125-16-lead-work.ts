import type { Knex } from 'knex';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';
import * as leadCounts from './20261121-05-lead-counts.ts';

/** Finds the last reminder to an address. */
const reminders: LargeIndex = {
  name: 'follow_ups_reminders',
  table: 'follow_ups',
  isUnique: false,
  columns: `(lower(recipient), created_at) where kind = 'reminder'`,
};

/** Counts the leads by their status. A new lead costs nothing, because it is not in the index. */
const pastNew: LargeIndex = {
  name: 'leads_past_new',
  table: 'leads',
  isUnique: false,
  columns: `(created_at) include (status) where status <> 'new'`,
};

export const largeIndexes: readonly LargeIndex[] = [reminders, pastNew];

const hasClock = `kind in ('contact', 'service_inquiry') and spam_sign is null`;

/** The leads that need an answer, see `needsAnswer` in db/src/lead-expressions/clock.ts. */
const needsAnswer = `
  ${hasClock} and answered_at is null
  and (answered_before is null or created_at >= answered_before)`;

export const lateIndexes: readonly LargeIndex[] = [
  {
    name: 'leads_unanswered',
    table: 'leads',
    isUnique: false,
    columns: `((coalesce(clock_started_at, created_at))) where ${needsAnswer}`,
  },
  {
    name: 'leads_answered',
    table: 'leads',
    isUnique: false,
    // The columns of the expression are included because PostgreSQL would otherwise read them from the table.
    columns: `((coalesce(clock_started_at, created_at))) include (clock_started_at, created_at, answered_at)
      where ${hasClock} and answered_at is not null`,
  },
];

/**
 * Lets staff work on leads: status, owner, clock, history, notes, reminders (docs/PRODUCT.md, "Lead status", "Clock",
 * "History", "Reminders"). No row of `leads` is rewritten: contact messages and applications without a status count as
 * new, and the default of `answered_before`, which only existing rows get, answers the leads that are older than a day.
 *
 * - `answered_before`: a lead that was received before then counts as answered at an unknown time
 * - `clock_started_at`: null if the clock started when the lead was received
 */
export async function up(db: Knex): Promise<void> {
  for (const index of largeIndexes) await db.raw(createIndex(index));
  // Not in the next statement: PostgreSQL would check the reference for all rows, because that one adds a default.
  await db.raw(`alter table leads add column owner_id uuid references staff`);
  await db.raw(`
    alter table leads
      add column answered_at timestamptz(3),
      add column answered_before timestamptz(3) default now() - interval '24 hours',
      add column clock_started_at timestamptz(3),
      add column version integer not null default 1,
      drop constraint leads_only_inquiries_have_a_status,
      add constraint leads_kinds_with_a_status check (
        case kind
          when 'portfolio_request' then status is null
          when 'service_inquiry' then status is not null
          else true
        end
      ) not valid,
      drop constraint leads_spam_sign_known,
      add constraint leads_spam_sign_known
        check (spam_sign in ('honeypot', 'too_fast', 'forged_token', 'by_hand')) not valid,
      add constraint leads_version_counts check (version >= 1) not valid
  `);
  await db.raw(`alter table leads alter column answered_before drop default`);
  await db.raw(`
    alter table staff
      add column email text,
      add constraint staff_email_length check (char_length(email) between 3 and 254)
  `);
  await db.raw(`
    alter table follow_ups
      drop constraint follow_ups_kind_known,
      add constraint follow_ups_kind_known
        check (kind in ('portfolio_pdf', 'acknowledgement', 'staff_notice', 'staff_digest', 'reminder')) not valid,
      add constraint follow_ups_reminders_by_email
        check (kind <> 'reminder' or num_nulls(recipient, message_id) = 0) not valid
  `);
  await countUnanswered(db);
  await db.raw(`
    create table lead_events (
      id uuid primary key,
      lead_id uuid not null references leads on delete cascade,
      kind text not null,
      at timestamptz(3) not null default clock_timestamp(),
      actor_id uuid references staff,
      actor_name text,
      note_id uuid references lead_events on delete cascade,
      details jsonb not null default '{}',

      constraint lead_events_kind_known check (
        kind in (
          'status', 'owner', 'answered', 'not_answered', 'note', 'note_edited', 'note_deleted', 'spam', 'released'
        )
      ),
      constraint lead_events_actor_has_a_name check ((actor_id is null) = (actor_name is null)),
      constraint lead_events_details_are_an_object check (jsonb_typeof(details) = 'object'),
      constraint lead_events_changes_of_a_note
        check ((kind in ('note_edited', 'note_deleted')) = (note_id is not null)),
      constraint lead_events_notes_have_a_text check (
        kind not in ('note', 'note_edited') or coalesce(char_length(details ->> 'text'), 0) between 1 and 5000
      )
    )
  `);
  await db.raw(`create index lead_events_of_lead on lead_events (lead_id, at, id)`);
  await db.raw(`create index lead_events_newest_first on lead_events (at desc, id desc)`);
  await db.raw(`create index lead_events_of_note on lead_events (note_id, at, id) where note_id is not null`);
  await db.raw(`
    create index lead_events_won on lead_events (at) where kind = 'status' and details ->> 'to' = 'won'
  `);
  await db.raw(`
    create table lead_reminders (
      lead_id uuid not null references leads on delete cascade,
      stage text not null,
      follow_up_id uuid not null references follow_ups on delete cascade,

      constraint lead_reminders_once_per_stage primary key (lead_id, stage),
      constraint lead_reminders_stage_known check (stage in ('soon', 'overdue'))
    )
  `);
  await db.raw(`create index lead_reminders_of_follow_up on lead_reminders (follow_up_id)`);
}

/** Counts the leads that need an answer separately, with and without an owner. */
async function countUnanswered(db: Knex): Promise<void> {
  await db.raw(`
    alter table lead_counts
      add column unanswered text,
      add constraint lead_counts_unanswered_known check (unanswered in ('owned', 'unowned')),
      drop constraint lead_counts_one_per_slot,
      add constraint lead_counts_one_per_slot unique nulls not distinct (kind, status, unanswered, slot)
  `);
  const unanswered = `
    case when ${needsAnswer} then case when owner_id is null then 'unowned' else 'owned' end end as unanswered`;
  const upsert = `
    on conflict (kind, status, unanswered, slot) do update set count = kept.count + excluded.count`;
  await db.raw(`
    create or replace function count_leads() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, count(*)
        from (select kind, status, ${unanswered} from added) as changes
        group by kind, status, unanswered order by kind, status, unanswered
        ${upsert};
      elsif tg_op = 'DELETE' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, -count(*)
        from (select kind, status, ${unanswered} from removed) as changes
        group by kind, status, unanswered order by kind, status, unanswered
        ${upsert};
      elsif tg_op = 'UPDATE' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, sum(change)
        from (
          select kind, status, ${unanswered}, 1 as change from added
          union all
          select kind, status, ${unanswered}, -1 from removed
        ) as changes
        group by kind, status, unanswered having sum(change) <> 0 order by kind, status, unanswered
        ${upsert};
      else
        -- A delete would miss the rows that the transaction's snapshot does not show.
        truncate lead_counts;
      end if;
      return null;
    end
    $$
  `);
  // Only leads of the last day need an answer, and the index by kind and time finds them.
  await db.raw(`
    insert into lead_counts as kept (kind, status, unanswered, slot, count)
    select moved.kind, moved.status, place.unanswered, 0, moved.count * place.sign
    from (
      select kind, status, count(*) from leads
      where ${needsAnswer} and created_at >= now() - interval '24 hours'
      group by kind, status
    ) as moved
    cross join (values (null, -1), ('unowned', 1)) as place (unanswered, sign)
    ${upsert}
  `);
}

/**
 * Contact messages and applications lose their status, and leads their owners and their history. Leads that were marked
 * by hand stay held as spam.
 */
export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table lead_reminders`);
  await db.raw(`drop table lead_events`);
  await db.raw(`delete from follow_ups where kind = 'reminder'`);
  await db.raw(`
    alter table follow_ups
      drop constraint follow_ups_reminders_by_email,
      drop constraint follow_ups_kind_known,
      add constraint follow_ups_kind_known
        check (kind in ('portfolio_pdf', 'acknowledgement', 'staff_notice', 'staff_digest')) not valid
  `);
  await db.raw(`alter table staff drop column email`);
  await db.raw(`update leads set status = null where kind <> 'service_inquiry' and status is not null`);
  await db.raw(`update leads set spam_sign = 'honeypot' where spam_sign = 'by_hand'`);
  await leadCounts.down(db);
  await leadCounts.up(db);
  await db.raw(`drop index leads_past_new`);
  await db.raw(`drop index follow_ups_reminders`);
  await db.raw(`
    alter table leads
      drop column owner_id,
      drop column answered_at,
      drop column answered_before,
      drop column clock_started_at,
      drop column version,
      drop constraint leads_kinds_with_a_status,
      add constraint leads_only_inquiries_have_a_status check ((kind = 'service_inquiry') = (status is not null)),
      drop constraint leads_spam_sign_known,
      add constraint leads_spam_sign_known check (spam_sign in ('honeypot', 'too_fast', 'forged_token'))
  `);
}

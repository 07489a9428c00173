import type { Knex } from 'knex';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';
import * as followUpsByState from './20261121-08-follow-ups-by-state.ts';

const previousKinds = ['portfolio_pdf', 'acknowledgement', 'staff_notice', 'staff_digest', 'reminder', 'reply'];

/** Finds the webhooks that are due. Emails are not in it, so storing them costs nothing more. */
const due: LargeIndex = {
  name: 'follow_ups_webhooks_due',
  table: 'follow_ups',
  isUnique: false,
  columns: `(available_at) where kind = 'webhook' and state in ('pending', 'sending')`,
};

/** Lists webhooks, which may be few among many emails. */
const byState: LargeIndex = {
  name: 'follow_ups_webhooks_by_state',
  table: 'follow_ups',
  isUnique: false,
  columns: `(state, created_at, id) where kind = 'webhook'`,
};

export const largeIndexes: readonly LargeIndex[] = [due, byState];

/**
 * Adds webhooks (docs/PRODUCT.md, "Webhooks"; ADR 0020). Triggers write them in the transaction of the change that they
 * report, but only for connections with the setting `app.webhooks`, which processes with a WEBHOOK_URL have.
 *
 * The row of a webhook in `follow_ups` has no recipient, no Message-ID and an infinite `sweep_at`. `webhook_events`
 * holds what staff can change of the lead before and after the change, and nothing that the visitor typed.
 *
 * - `lead_id`: no reference, because an event can report that its lead was erased
 * - `lead_version`: the webhooks of a lead are sent in the order of `lead_version`, `type`, `id`
 */
export async function up(db: Knex): Promise<void> {
  for (const index of largeIndexes) await db.raw(createIndex(index));
  await setKnownKinds(db, [...previousKinds, 'webhook']);
  await db.raw(`
    alter table follow_ups
      add constraint follow_ups_webhooks_have_no_recipient
        check (kind <> 'webhook' or num_nonnulls(recipient, message_id) = 0) not valid
  `);
  await db.raw(`
    create table webhook_events (
      id uuid primary key references follow_ups on delete cascade,
      lead_id uuid not null,
      lead_version integer not null,
      lead_kind text not null,
      type text not null,
      at timestamptz(3) not null default clock_timestamp(),
      lead_before jsonb,
      lead_after jsonb,

      constraint webhook_events_type_known
        check (type in ('lead.created', 'lead.updated', 'lead.answered', 'lead.erased')),
      constraint webhook_events_of_a_change check ((lead_before is not null) = (type = 'lead.updated')),
      constraint webhook_events_of_a_lead check ((lead_after is null) = (type = 'lead.erased'))
    )
  `);
  await db.raw(`create index webhook_events_of_lead on webhook_events (lead_id, lead_version, type, id)`);
  await db.raw(writeWebhooks);
  for (const [operation, tables] of transitions) {
    await db.raw(`
      create trigger leads_webhooks_of_${operation} after ${operation} on leads referencing ${tables}
        for each statement when (current_setting('app.webhooks', true) = 'on') execute function write_webhooks()
    `);
  }
  await countTransports(db);
}

const transitions = [
  ['insert', 'new table as added'],
  ['update', 'old table as removed new table as added'],
  ['delete', 'old table as removed'],
] as const;

/** The values of a lead that staff can change, as `WebhookLead` of db/src/follow-ups/webhooks.ts. */
const snapshot = (lead: string): string => `
  jsonb_build_object(
    'status', coalesce(${lead}.status, case when ${lead}.kind <> 'portfolio_request' then 'new' end),
    'owner', (
      select jsonb_build_object('id', staff.id, 'name', staff.name) from staff where staff.id = ${lead}.owner_id
    ),
    'clockStart', case
      when ${lead}.kind in ('contact', 'service_inquiry') and ${lead}.spam_sign is null
      then coalesce(${lead}.clock_started_at, ${lead}.created_at)
    end,
    'isAnswered', ${lead}.answered_at is not null or coalesce(${lead}.created_at < ${lead}.answered_before, false),
    'answeredAt', ${lead}.answered_at,
    'spam', ${lead}.spam_sign is not null
  )`;

/** A lead that was held when it arrived is unknown to the receiver until staff release it. */
const isKnown = (lead: string): string => `(${lead}.spam_sign is null or ${lead}.spam_sign = 'by_hand')`;

/**
 * Stores events with their follow-ups. `lead.erased` is due later, because an attempt to send an earlier event of the
 * lead may be running, and takes less time.
 */
const store = (events: string): string => `
  with event as materialized (${events}), owed as (
    insert into follow_ups (id, lead_id, kind, available_at, sweep_at)
    select id, case when type <> 'lead.erased' then lead_id end, 'webhook',
           now() + case when type = 'lead.erased' then interval '30 seconds' else interval '0' end, 'infinity'
    from event
  )
  insert into webhook_events (id, lead_id, lead_version, lead_kind, type, lead_before, lead_after)
  select id, lead_id, lead_version, lead_kind, type, lead_before, lead_after from event`;

const writeWebhooks = `
  create function write_webhooks() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      ${store(`
        select gen_random_uuid() as id, added.id as lead_id, added.version as lead_version, added.kind as lead_kind,
               'lead.created' as type, null::jsonb as lead_before, ${snapshot('added')} as lead_after
        from added where ${isKnown('added')}
      `)};
    elsif tg_op = 'UPDATE' then
      ${store(`
        select gen_random_uuid() as id, change.lead_id, change.lead_version, change.lead_kind, event.type,
               case when event.type = 'lead.updated' then change.lead_before end as lead_before, change.lead_after
        from (
          select added.id as lead_id, added.version as lead_version, added.kind as lead_kind,
                 ${isKnown('removed')} as was_known,
                 (added.email, added.answers) is distinct from (removed.email, removed.answers) as is_corrected,
                 ${snapshot('removed')} as lead_before, ${snapshot('added')} as lead_after
          from added join removed on removed.id = added.id
          where ${isKnown('added')}
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
      `)};
    else
      ${store(`
        select gen_random_uuid() as id, removed.id as lead_id, removed.version + 1 as lead_version,
               removed.kind as lead_kind, 'lead.erased' as type, null::jsonb as lead_before, null::jsonb as lead_after
        from removed where ${isKnown('removed')}
      `)};
    end if;
    return null;
  end
  $$
`;

/** Counts webhooks separately. All existing follow-ups are emails. */
async function countTransports(db: Knex): Promise<void> {
  await db.raw(`
    alter table follow_up_counts
      add column transport text not null default 'email',
      add constraint follow_up_counts_transport_known check (transport in ('email', 'webhook')),
      drop constraint follow_up_counts_one_per_slot,
      add constraint follow_up_counts_one_per_slot unique (state, transport, slot)
  `);
  const transport = `case when kind = 'webhook' then 'webhook' else 'email' end as transport`;
  const upsert = `on conflict (state, transport, slot) do update set count = kept.count + excluded.count`;
  await db.raw(`
    create or replace function count_follow_ups() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, count(*)
        from (select state, ${transport} from added) as changes
        group by state, transport order by state, transport
        ${upsert};
      elsif tg_op = 'DELETE' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, -count(*)
        from (select state, ${transport} from removed) as changes
        group by state, transport order by state, transport
        ${upsert};
      elsif tg_op = 'UPDATE' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, sum(change)
        from (
          select state, ${transport}, 1 as change from added
          union all
          select state, ${transport}, -1 from removed
        ) as changes
        group by state, transport having sum(change) <> 0 order by state, transport
        ${upsert};
      else
        -- Not a delete: that would spare rows which a transaction's snapshot does not show.
        truncate follow_up_counts;
      end if;
      return null;
    end
    $$
  `);
}

async function setKnownKinds(db: Knex, kinds: readonly string[]): Promise<void> {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  await db.raw(`
    alter table follow_ups
      drop constraint follow_ups_kind_known,
      add constraint follow_ups_kind_known check (kind in (${list})) not valid
  `);
}

/** Webhooks that were not sent are lost. */
export async function down(db: Knex): Promise<void> {
  for (const [operation] of transitions) await db.raw(`drop trigger leads_webhooks_of_${operation} on leads`);
  await db.raw(`drop function write_webhooks()`);
  await db.raw(`drop table webhook_events`);
  await db.raw(`delete from follow_ups where kind = 'webhook'`);
  await followUpsByState.stopCounting(db);
  await followUpsByState.startCounting(db);
  await db.raw(`alter table follow_ups drop constraint follow_ups_webhooks_have_no_recipient`);
  await setKnownKinds(db, previousKinds);
  for (const { name } of largeIndexes) await db.raw(`drop index ${name}`);
}

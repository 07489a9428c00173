import { webhookTypes, type WebhookType } from '@dune-tide/domain/webhooks';
import { leadExpressions, quoted } from '../src/lead-expressions/index.ts';
import { checks } from './statements.ts';

/** A lead that was held when it arrived is unknown to the receiver until staff release it. */
const isKnown = (lead: string): string => `(${lead}.spam_sign is null or ${lead}.spam_sign = 'by_hand')`;

type Operation = 'insert' | 'update' | 'delete';

/**
 * The events, and the condition under which each operation on a row of `leads` causes it. `added` is the row after the
 * operation, `removed` the row before it. The conditions of an update use `was_known`, `is_corrected` (of the address or
 * a field), and the two states `lead_before` and `lead_after`, which `stateOf` builds.
 */
const events: Readonly<Record<WebhookType, Readonly<Partial<Record<Operation, string>>>>> = {
  'lead.created': { insert: isKnown('added'), update: 'not was_known' },
  'lead.answered': { update: `was_known and lead_after -> 'isAnswered' > lead_before -> 'isAnswered'` },
  'lead.updated': {
    update: `was_known and (
            is_corrected or lead_after -> 'isAnswered' < lead_before -> 'isAnswered'
            or lead_after - '{isAnswered,answeredAt}'::text[] <> lead_before - '{isAnswered,answeredAt}'::text[]
          )`,
  },
  'lead.erased': { delete: isKnown('removed') },
};

/** Returns one query for the events of an operation. */
function union(operation: Operation, query: (type: string, condition: string, isFirst: boolean) => string): string {
  return Object.entries(events)
    .flatMap(([type, { [operation]: condition }]) => (condition === undefined ? [] : [{ type, condition }]))
    .map(({ type, condition }, index) => query(type, condition, index === 0)).join(`
          union all
          `);
}

/** The values of a lead that staff can change, as `WebhookLead` of db/src/follow-ups/webhooks.ts. */
function stateOf(row: 'added' | 'removed'): string {
  const { status, owner, hasClock, clockStart, isAnswered } = leadExpressions(`${row}.`);
  return `
  jsonb_build_object(
    'status', ${status},
    'owner', ${owner},
    'clockStart', case
      when ${hasClock}
      then ${clockStart}
    end,
    'isAnswered', ${isAnswered},
    'answeredAt', ${row}.answered_at,
    'spam', ${row}.spam_sign is not null
  )`;
}

/**
 * Stores events with their follow-ups. `lead.erased` is due later, because an attempt to send an earlier event of the
 * lead may be running, and takes less time.
 */
const store = (query: string): string => `
  with event as materialized (${query}), owed as (
    insert into follow_ups (id, lead_id, kind, available_at, sweep_at)
    select id, case when type <> 'lead.erased' then lead_id end, 'webhook',
           now() + case when type = 'lead.erased' then interval '30 seconds' else interval '0' end, 'infinity'
    from event
  )
  insert into webhook_events (id, lead_id, lead_version, lead_kind, type, lead_before, lead_after)
  select id, lead_id, lead_version, lead_kind, type, lead_before, lead_after from event`;

const transitions: Readonly<Record<Operation, string>> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};

/**
 * Triggers that write webhooks (docs/PRODUCT.md, "Webhooks"; ADR 0020) in the transaction of the change that they
 * report, but only for connections with the setting `app.webhooks`, which processes with a WEBHOOK_URL have. An event
 * holds what staff can change of the lead, and nothing that the visitor typed.
 */
export const webhooks = [
  ...checks('webhook_events', {
    webhook_events_type_known: `type in (${quoted(webhookTypes)})`,
    webhook_events_of_a_change: `(lead_before is not null) = (type = 'lead.updated')`,
    webhook_events_of_a_lead: `(lead_after is null) = (type = 'lead.erased')`,
  }),
  `
  create function write_webhooks() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      ${store(`
        ${union(
          'insert',
          (type, condition) =>
            `select gen_random_uuid() as id, added.id as lead_id, added.version as lead_version, added.kind as lead_kind,
               '${type}' as type, null::jsonb as lead_before, ${stateOf('added')} as lead_after
        from added where ${condition}`,
        )}
      `)};
    elsif tg_op = 'UPDATE' then
      ${store(`
        select gen_random_uuid() as id, change.lead_id, change.lead_version, change.lead_kind, event.type,
               case when event.type = 'lead.updated' then change.lead_before end as lead_before, change.lead_after
        from (
          select added.id as lead_id, added.version as lead_version, added.kind as lead_kind,
                 ${isKnown('removed')} as was_known,
                 (added.email, added.answers) is distinct from (removed.email, removed.answers) as is_corrected,
                 ${stateOf('removed')} as lead_before, ${stateOf('added')} as lead_after
          from added join removed on removed.id = added.id
          where ${isKnown('added')}
        ) as change
        cross join lateral (
          ${union(
            'update',
            (type, condition, isFirst) => `select '${type}'${isFirst ? ' as type ' : '\n          '}where ${condition}`,
          )}
        ) as event
      `)};
    else
      ${store(`
        ${union(
          'delete',
          (type, condition) =>
            `select gen_random_uuid() as id, removed.id as lead_id, removed.version + 1 as lead_version,
               removed.kind as lead_kind, '${type}' as type, null::jsonb as lead_before, null::jsonb as lead_after
        from removed where ${condition}`,
        )}
      `)};
    end if;
    return null;
  end
  $$
  `,
  ...Object.entries(transitions).map(
    ([operation, tables]) => `
    create trigger leads_webhooks_of_${operation} after ${operation} on leads referencing ${tables}
      for each statement when (current_setting('app.webhooks', true) = 'on') execute function write_webhooks()
    `,
  ),
];

import type { Knex } from 'knex';
import { newId } from '../connection/index.ts';
import { countActivity, isAnswered, status, type Person } from '../lead-expressions/index.ts';

/** A kind of entry in `lead_events`. */
export type EventKind = 'status' | 'owner' | 'answered' | 'not_answered' | 'spam' | 'released';

export interface NewEvent {
  readonly lead_id: string;
  readonly kind: EventKind;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Adds entries to the histories. Their ids sort in the order of the list. Those of a bulk request have its id, and the
 * values of the lead, which has been changed before.
 * @param requestId - the id of the bulk request; undefined for the change of one lead
 */
export async function recordEvents(
  transaction: Knex.Transaction,
  events: readonly NewEvent[],
  actor: Person,
  requestId?: string,
): Promise<void> {
  const rows = events.map(({ details = {}, ...event }) => ({
    id: newId(),
    ...event,
    details: { ...details, ...(requestId !== undefined && { request: requestId }) },
  }));
  await transaction.raw(
    `with ${countActivity(':leadIds::uuid[]')}, lead as (
       select id, jsonb_build_object('version', version, 'left', jsonb_build_object(
         'status', ${status}, 'ownerId', owner_id, 'answered', ${isAnswered}
       )) as details
       from leads where id = any (:leadIds::uuid[])
     )
     insert into lead_events (id, lead_id, kind, actor_id, actor_name, details, activity)
     select added.id, added.lead_id, added.kind, :actorId, :actorName,
            added.details || case when :hasRequest then lead.details else '{}' end, acted.activity
     from jsonb_to_recordset(:rows::jsonb) as added (id uuid, lead_id uuid, kind text, details jsonb)
     join lead on lead.id = added.lead_id
     join acted on acted.id = added.lead_id
     order by added.id`,
    {
      leadIds: [...new Set(events.map(({ lead_id }) => lead_id))],
      rows: JSON.stringify(rows),
      hasRequest: requestId !== undefined,
      actorId: actor.id,
      actorName: actor.name,
    },
  );
}

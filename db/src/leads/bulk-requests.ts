import type { LeadStatus } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { StoredFollowUp } from '../follow-ups/index.ts';
import type { Person } from '../lead-expressions/index.ts';
import type { Wanted } from './changes.ts';
import type { EventKind } from './events.ts';
import { lockLeads, type LockedLead } from './locked-leads.ts';

/** A request to change several leads. A transaction for each part of the leads carries it out. */
export interface BulkRequest {
  /** The same for each attempt. */
  readonly id: string;
  /** Distinguishes requests with the same id that ask for something else; undefined if the id is of this attempt alone. */
  readonly content?: string | undefined;
}

/** The outcome of a change of several leads; `no_such_owner` as for one lead, `id_used` if another request has the id. */
export type BulkOutcome =
  | {
      readonly outcome: 'done';
      readonly changed: readonly string[];
      readonly unchanged: readonly string[];
      readonly missing: readonly string[];
      /** Emails that are due because leads were released. */
      readonly followUps: readonly StoredFollowUp[];
    }
  | { readonly outcome: 'no_such_owner' | 'id_used' };

/**
 * Locks leads and changes them, unless an earlier attempt of the request has.
 * @param change - changes the locked leads; returns the ids of those that it has changed
 */
export async function changeOnce(
  transaction: Knex.Transaction,
  ids: readonly string[],
  actor: Person,
  request: BulkRequest | undefined,
  change: (leads: readonly LockedLead[]) => Promise<{
    readonly changed: ReadonlySet<string>;
    readonly followUps: readonly StoredFollowUp[];
  }>,
): Promise<BulkOutcome> {
  if (request && !(await isSameRequest(transaction, request, actor))) return { outcome: 'id_used' };
  const found = await lockLeads(transaction, ids);
  const earlier = request ? await changesOf(transaction, request.id, ids, actor) : new Map<string, RequestedChange>();
  const { changed, followUps } =
    earlier.size > 0 ? { changed: new Set(earlier.keys()), followUps: [] } : await change(found);
  return {
    outcome: 'done',
    changed: [...changed],
    unchanged: found.filter(({ id }) => !changed.has(id)).map(({ id }) => id),
    missing: ids.filter((id) => !found.some((lead) => lead.id === id)),
    followUps,
  };
}

/**
 * Records a request with its id, and returns whether it asks for the same as earlier ones with that id. A concurrent one
 * waits until this transaction ends.
 */
async function isSameRequest(
  transaction: Knex.Transaction,
  { id, content }: BulkRequest,
  actor: Person,
): Promise<boolean> {
  if (content === undefined) return true;
  const key = { staff_id: actor.id, id };
  await transaction('bulk_requests')
    .insert({ ...key, content })
    .onConflict(['staff_id', 'id'])
    .ignore();
  const stored = await transaction('bulk_requests').where(key).first<{ content: string } | undefined>('content');
  return stored?.content === content;
}

/** The values of a lead after a change. */
export interface ValuesLeft {
  /** Null for a portfolio request. */
  readonly status: LeadStatus | null;
  readonly ownerId: string | null;
  readonly answered: boolean;
}

/** A change of a lead by a bulk request. */
interface RequestedChange {
  /** The version that it has given the lead. */
  readonly version: number;
  /** The values that it has left; undefined if a process of 0.3.0 has recorded it. */
  readonly left: ValuesLeft | undefined;
  /** The earlier values of the lead, as far as they can be undone. */
  readonly from: Wanted;
}

type RequestDetails = Readonly<Record<string, unknown>> & {
  readonly version: number;
  readonly left?: ValuesLeft;
};

/** Returns the changes that a request of an account has made of leads, by the id of the lead. */
export async function changesOf(
  transaction: Knex.Transaction,
  request: string,
  ids: readonly string[],
  actor: Person,
): Promise<ReadonlyMap<string, RequestedChange>> {
  const { rows } = await transaction.raw<{
    rows: { leadId: string; kind: EventKind; details: RequestDetails }[];
  }>(
    `select lead_id as "leadId", kind, details from lead_events
     where lead_id = any (:ids::uuid[]) and details ->> 'request' = :request and actor_id = :actorId
     order by id`,
    { ids: [...ids], request, actorId: actor.id },
  );
  const changes = new Map<string, RequestedChange>();
  for (const { leadId, kind, details } of rows) {
    const earlier = changes.get(leadId);
    changes.set(leadId, {
      version: Math.max(details.version, earlier?.version ?? 0),
      left: details.left,
      from: { ...earlier?.from, ...valuesBefore(kind, details) },
    });
  }
  return changes;
}

/** Returns what a lead had before an event; the time of an answer cannot be given back. */
function valuesBefore(kind: EventKind, { from, answers }: Readonly<Record<string, unknown>>): Wanted {
  if (kind === 'status') return { status: from as LeadStatus, ...(answers === true && { answered: false }) };
  if (kind === 'owner') return { owner: from as Person | null };
  return kind === 'answered' ? { answered: false } : {};
}

import type { LeadStatus } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { Person } from '../lead-expressions/index.ts';
import { recordEvents, type EventKind, type NewEvent } from './events.ts';
import type { LockedLead } from './locked-leads.ts';

/** The values that a change gives a lead. A member that is undefined stays as it is. */
export interface Wanted {
  readonly status?: LeadStatus | undefined;
  readonly owner?: Person | null | undefined;
  readonly answered?: boolean | undefined;
}

/** The values that a lead gets. */
interface ChangedRow {
  readonly id: string;
  readonly status: LeadStatus | null;
  readonly owner_id: string | null;
  readonly answered: 'now' | 'never' | 'as before';
}

/**
 * Changes the status, the owner and the answer of locked leads, and records it.
 * @param wantedOf - returns the values that a lead gets
 * @returns the ids of the leads that were changed
 */
export async function changeLocked(
  transaction: Knex.Transaction,
  leads: readonly LockedLead[],
  wantedOf: (lead: LockedLead) => Wanted,
  actor: Person,
  requestId?: string,
): Promise<Set<string>> {
  const rows: ChangedRow[] = [];
  const events: NewEvent[] = [];
  for (const lead of leads) {
    const eventsBefore = events.length;
    const record = (kind: EventKind, details: NewEvent['details'] = {}): void =>
      void events.push({ lead_id: lead.id, kind, details });
    const wanted = wantedOf(lead);

    const newStatus = lead.status === null ? null : (wanted.status ?? lead.status);
    const answers = wanted.answered === undefined && !lead.isAnswered && lead.status === 'new' && newStatus !== 'new';
    if (newStatus !== lead.status) record('status', { from: lead.status, to: newStatus, ...(answers && { answers }) });

    const next = wanted.owner === undefined ? lead.owner : wanted.owner;
    if (next?.id !== lead.owner?.id) record('owner', { from: lead.owner, to: next });

    const shouldBeAnswered = wanted.answered ?? (lead.isAnswered || answers);
    if (wanted.answered !== undefined && wanted.answered !== lead.isAnswered) {
      record(wanted.answered ? 'answered' : 'not_answered');
    }
    if (events.length === eventsBefore) continue;
    const answered = shouldBeAnswered ? 'now' : 'never';
    rows.push({
      id: lead.id,
      status: newStatus,
      owner_id: next?.id ?? null,
      answered: shouldBeAnswered === lead.isAnswered ? 'as before' : answered,
    });
  }
  if (rows.length > 0) {
    await transaction.raw(
      `update leads set
         status = wanted.status,
         owner_id = wanted.owner_id,
         answered_at = case wanted.answered when 'now' then now() when 'never' then null else answered_at end,
         answered_before = case when wanted.answered = 'as before' then answered_before end,
         version = version + 1,
         updated_at = now()
       from jsonb_to_recordset(?::jsonb) as wanted (id uuid, status text, owner_id uuid, answered text)
       where leads.id = wanted.id`,
      [JSON.stringify(rows)],
    );
    await recordEvents(transaction, events, actor, requestId);
  }
  return new Set(rows.map(({ id }) => id));
}

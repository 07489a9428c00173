import type { Knex } from 'knex';
import { batched } from '../connection/index.ts';
import { claimBatching, type ClaimedFollowUp } from '../follow-ups/index.ts';
import { leadColumns, type StoredLead } from './lists.ts';

/** Thrown for a follow-up without a lead: its kind has none, or the lead was deleted. */
export class NoLeadError extends Error {
  override readonly name = 'NoLeadError';

  constructor(followUpId: string) {
    super(`The follow-up ${followUpId} has no lead`);
  }
}

/** Returns the lead of a follow-up. */
export type LeadOf = (followUp: Pick<ClaimedFollowUp, 'id' | 'leadId'>) => Promise<StoredLead>;

/**
 * Looks up the leads of follow-ups. Concurrent look-ups share a statement.
 * @param db - a pool or a transaction
 * @returns a function that throws a NoLeadError or a DatabaseUnavailableError
 */
export function leadLookup(db: Knex): LeadOf {
  const find = batched(async (ids: readonly string[]): Promise<(StoredLead | undefined)[]> => {
    const { rows } = await db
      .raw<{ rows: StoredLead[] }>(`select ${leadColumns} from leads where id = any (?::uuid[])`, [[...ids]])
      .options({ name: 'look-up-leads' });
    const byId = new Map(rows.map((lead) => [lead.id, lead]));
    return ids.map((id) => byId.get(id));
  }, claimBatching);

  return async ({ id, leadId }) => {
    const lead = leadId === null ? undefined : await find(leadId);
    if (!lead) throw new NoLeadError(id);
    return lead;
  };
}

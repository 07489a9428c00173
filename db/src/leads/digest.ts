import { maxDigestLeads } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { leadColumns, type StoredLead } from './lists.ts';

/** The leads that a digest is about. */
export interface DigestLeads {
  /** The oldest `maxDigestLeads` of them, oldest first. */
  readonly leads: readonly StoredLead[];
  readonly total: number;
}

/** Returns the leads of a digest, without those whose notice was cancelled. */
export type DigestLeadsOf = (digestId: string) => Promise<DigestLeads>;

/**
 * Looks up the leads of digests.
 * @param db - a pool or a transaction
 * @returns a function that throws a DatabaseUnavailableError
 */
export function digestLeads(db: Knex): DigestLeadsOf {
  const ofDigest = `
    from digest_entries entry join follow_ups notice on notice.id = entry.id
    where entry.digest_id = :digestId and notice.state = 'pending'`;
  return async (digestId) => {
    const { rows: leads } = await db.raw<{ rows: StoredLead[] }>(
      `select ${leadColumns} from leads where id in (select notice.lead_id ${ofDigest})
       order by created_at, id limit :limit`,
      { digestId, limit: maxDigestLeads },
    );
    const { rows: counts } = await db.raw<{ rows: { total: string }[] }>(`select count(*) as total ${ofDigest}`, {
      digestId,
    });
    return { leads, total: Number(counts[0]?.total) };
  };
}

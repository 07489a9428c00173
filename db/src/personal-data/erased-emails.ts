import type { Knex } from 'knex';

/**
 * Tells the local mail catcher which emails are about erased leads.
 * @param db - a pool
 */
export function erasedEmails(db: Knex) {
  return {
    /** Returns a number that grows with each erasure; 0 before the first one. */
    async count(): Promise<number> {
      const { rows } = await db.raw<{ rows: { position: string | null }[] }>(
        `select max(position) as position from audit_log
         where action in ('person_erased', 'lead_withdrawn', 'leads_expired')`,
      );
      return Number(rows[0]?.position ?? 0);
    },

    /** Returns the Message-IDs of emails whose leads exist. It leaves out digests, which are about many leads. */
    async keptOf(messageIds: readonly string[]): Promise<ReadonlySet<string>> {
      const kept = await db('follow_ups')
        .whereIn('message_id', [...messageIds])
        .whereNot({ kind: 'staff_digest' })
        .pluck<string[]>('message_id');
      return new Set(kept);
    },
  };
}

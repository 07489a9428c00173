import type { Knex } from 'knex';

/** An email of the local mail catcher. */
interface CaughtMail {
  readonly messageId: string | null;
  /** The leads that the email links to. */
  readonly leadIds: readonly string[];
}

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

    /**
     * Returns the Message-IDs of the emails that exist and whose leads exist. A digest is kept while every lead that it
     * links to exists, because its row stays when a lead is erased.
     */
    async keptOf(mails: readonly CaughtMail[]): Promise<ReadonlySet<string>> {
      const { rows } = await db.raw<{ rows: { message_id: string }[] }>(
        `select message_id
         from jsonb_to_recordset(?) as mail ("messageId" text, "leadIds" uuid[])
         join follow_ups on message_id = mail."messageId"
         where kind <> 'staff_digest' or not exists (
           select from unnest(mail."leadIds") as listed (id)
           where not exists (select from leads where leads.id = listed.id)
         )`,
        [JSON.stringify(mails.map(({ messageId, leadIds }) => ({ messageId, leadIds })))],
      );
      return new Set(rows.map((row) => row.message_id));
    },
  };
}

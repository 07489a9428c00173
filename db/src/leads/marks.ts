import { maxMarkedLeads } from '@dune-tide/domain/limits';
import type { announcementResponse } from '@dune-tide/domain/responses/dashboard';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';

/** The leads that are marked for an account. */
export type LeadMarks = Presented<typeof announcementResponse>['marked'];

/** The marks of an account without any. */
export const noMarks: LeadMarks = { total: 0, leadIds: [] };

/**
 * Reads and removes the marks of leads that were assigned to an account, or in whose notes it was mentioned
 * (docs/PRODUCT.md, "Notifications").
 * @param db - a pool or a transaction
 */
export function leadMarks(db: Knex) {
  return {
    /** Returns the marks of accounts, by the id of the account. Those without marks are left out. */
    async of(staffIds: readonly string[]): Promise<ReadonlyMap<string, LeadMarks>> {
      const { rows } = await db.raw<{ rows: (LeadMarks & { staffId: string })[] }>(
        `select staff_id as "staffId", count(*)::integer as total,
                (array_agg(lead_id order by newest desc, lead_id))[1:${maxMarkedLeads}] as "leadIds"
         from (
           select staff_id, lead_id, max(created_at) as newest from lead_notifications
           where staff_id = any (?::uuid[]) and withdrawn_at is null group by staff_id, lead_id
         ) as marked
         group by staff_id`,
        [[...staffIds]],
      );
      return new Map(rows.map(({ staffId, ...marks }) => [staffId, marks]));
    },

    /** Removes the marks of a lead that an account has opened. Those that wait for an email are not sent. */
    async remove(staffId: string, leadId: string): Promise<void> {
      await db('lead_notifications').where({ staff_id: staffId, lead_id: leadId }).delete();
    },
  };
}

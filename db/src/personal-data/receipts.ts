import { receiptDays } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { isAnswered } from '../lead-expressions/index.ts';
import { leadColumns, type StoredLead } from '../leads/index.ts';

/** A lead as its visitor may see it. */
export interface Receipt {
  readonly lead: StoredLead;
  readonly isAnswered: boolean;
}

/**
 * Reads what visitors have sent (docs/PRODUCT.md, "Receipt page").
 * @param db - a pool
 */
export function receipts(db: Knex) {
  return {
    /** @returns undefined if the lead does not exist or was received too long ago */
    async of(leadId: string): Promise<Receipt | undefined> {
      const { rows } = await db.raw<{ rows: (StoredLead & { readonly isAnswered: boolean })[] }>(
        `select ${leadColumns}, ${isAnswered} as "isAnswered" from leads
         where id = ? and created_at > now() - interval '${receiptDays} days'`,
        [leadId],
      );
      const [row] = rows;
      return row && { lead: row, isAnswered: row.isAnswered };
    },
  };
}

import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { isAnswered, owner, status, type Person } from '../lead-expressions/index.ts';

/** A lead as it is before a change. Its row is locked until the transaction ends. */
export interface LockedLead {
  readonly id: string;
  readonly kind: LeadKind;
  readonly email: string;
  readonly status: LeadStatus | null;
  readonly owner: Person | null;
  readonly isAnswered: boolean;
  readonly isHeld: boolean;
  readonly version: number;
}

/** Locks leads in the order of their ids, so that two bulk changes do not deadlock. */
export async function lockLeads(transaction: Knex.Transaction, ids: readonly string[]): Promise<LockedLead[]> {
  const { rows } = await transaction.raw<{ rows: LockedLead[] }>(
    `select id, kind, email, ${status} as status, ${owner} as owner, ${isAnswered} as "isAnswered",
            spam_sign is not null as "isHeld", version
     from leads where id = any (?::uuid[]) order by id for no key update of leads`,
    [[...ids]],
  );
  return rows;
}

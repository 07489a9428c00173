import type { LeadAnswers } from '@dune-tide/domain/lead-answers';
import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import type { Knex } from 'knex';
import { selectList } from './select-list.ts';
import { reachDatabase } from './unavailable.ts';

/**
 * A lead as it is stored, without the request's idempotency key. No cast checks the type of `answers` and `status`: the
 * constraints of the table (`leads_contact_answers` and so on) guarantee what each kind requires.
 */
export type StoredLead = { readonly [Kind in LeadKind]: LeadOfKind<Kind> }[LeadKind];

interface LeadOfKind<Kind extends LeadKind> {
  readonly id: string;
  readonly kind: Kind;
  readonly email: string;
  readonly status: Kind extends 'service_inquiry' ? LeadStatus : null;
  readonly answers: LeadAnswers[Kind];
  /** Why it is taken for spam; null for all others and for those that staff released. */
  readonly spamSign: SpamSign | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where in a list a lead stands: newest first, and the ids decide among leads of one millisecond. */
export type LeadPlace = Pick<StoredLead, 'createdAt' | 'id'>;

/** How many leads there are of a kind and, for inquiries, in a status. */
export interface LeadCount {
  readonly kind: LeadKind;
  readonly status: LeadStatus | null;
  readonly count: number;
}

/** The columns of a StoredLead. */
export const leadColumns = selectList({
  id: 'id',
  kind: 'kind',
  email: 'email',
  status: 'status',
  answers: 'answers',
  spamSign: 'spam_sign',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} satisfies Record<keyof StoredLead, string>);

/**
 * What staff read of the leads. No call's cost depends on how many leads there are, or on how deep a page lies.
 * @param db - a pool or a transaction
 */
export function leadLists(db: Knex) {
  return {
    /**
     * One page of a kind, newest first.
     * @param after - the last lead of the page before; without it the first page
     */
    async page(kind: LeadKind, limit: number, after?: LeadPlace): Promise<StoredLead[]> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: StoredLead[] }>(
          `select ${leadColumns} from leads
           where kind = :kind ${after ? 'and (created_at, id) < (:createdAt::timestamptz, :id::uuid)' : ''}
           order by created_at desc, id desc limit :limit`,
          { kind, limit, ...(after && { createdAt: after.createdAt.toISOString(), id: after.id }) },
        ),
      );
      return rows;
    },

    /** A lead of any kind. */
    async one(id: string): Promise<StoredLead | undefined> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: StoredLead[] }>(`select ${leadColumns} from leads where id = :id`, { id }),
      );
      return rows[0];
    },

    /** How many there are of a kind, exactly. */
    async total(kind: LeadKind): Promise<number> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: { total: string }[] }>(
          `select coalesce(sum(count), 0) as total from lead_counts where kind = :kind`,
          { kind },
        ),
      );
      return Number(rows[0]?.total);
    },

    /** How many there are of each kind and status, exactly; what there is none of is left out. */
    async counts(): Promise<LeadCount[]> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: (Omit<LeadCount, 'count'> & { count: string })[] }>(
          `select kind, status, sum(count) as count from lead_counts
           group by kind, status having sum(count) <> 0 order by kind, status`,
        ),
      );
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },
  };
}

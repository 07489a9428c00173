import type { LeadKind, LeadResponse, LeadStatus, LeadValues, StatusOf } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import type { Knex } from 'knex';
import { selectList } from '../connection/index.ts';
import {
  clockStart,
  dueAt,
  needsAnswer,
  overdueBefore,
  owner,
  response,
  soonUntil,
  status,
  type Person,
} from '../lead-expressions/index.ts';

/**
 * A lead as it is stored, without the request's idempotency key. The code does not check the types of `fields` and
 * `status`: the constraints of the table (`leads_contact_answers` and so on) guarantee them for each kind.
 */
export type StoredLead = { readonly [Kind in LeadKind]: LeadOfKind<Kind> }[LeadKind];

interface LeadOfKind<Kind extends LeadKind> {
  readonly id: string;
  readonly kind: Kind;
  readonly email: string;
  readonly status: StatusOf<Kind>;
  readonly fields: LeadValues<Kind>;
  /** The reason why it is held as spam; null for other leads and after staff released it. */
  readonly spamSign: SpamSign | null;
  readonly owner: Person | null;
  /** Null without a clock. */
  readonly dueAt: Date | null;
  /** Null also if it was answered at an unknown time. */
  readonly answeredAt: Date | null;
  readonly response: LeadResponse;
  /** Counts the changes by staff, from 1. */
  readonly version: number;
  /** Counts the acts of staff on the lead, with notes and replies, from 0. */
  readonly activity: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The sort key of a lead in a list: its time, then its id if several share a millisecond. */
export type LeadPlace = Pick<StoredLead, 'createdAt' | 'id'>;

/** The number of leads of a kind in a status. */
export interface LeadCount {
  readonly kind: LeadKind;
  readonly status: LeadStatus | null;
  readonly count: number;
}

/** The numbers of leads that need an answer. */
export interface Unanswered {
  readonly overdue: number;
  readonly soon: number;
  readonly waiting: number;
  /** The number of these leads, in all three states, that have no owner. */
  readonly unowned: number;
}

/**
 * Counts the leads that need an answer, as the relation `unanswered`. Triggers keep the totals. Only the leads of the
 * last day, which are not overdue yet, are counted one by one.
 */
export const countUnanswered = `
  select (kept.total - soon - waiting)::integer as overdue, soon, waiting, kept.unowned::integer as unowned
  from (
    select count(*) filter (where ${clockStart} <= ${soonUntil})::integer as soon,
           count(*) filter (where ${clockStart} > ${soonUntil})::integer as waiting
    from leads where ${needsAnswer} and ${clockStart} >= ${overdueBefore}
  ) as recent, (
    select coalesce(sum(count), 0) as total,
           coalesce(sum(count) filter (where unanswered = 'unowned'), 0) as unowned
    from lead_counts where unanswered is not null
  ) as kept`;

/** The columns of a StoredLead. */
export const leadColumns = selectList({
  id: 'id',
  kind: 'kind',
  email: 'email',
  status,
  fields: 'answers',
  spamSign: 'spam_sign',
  owner,
  dueAt,
  answeredAt: 'answered_at',
  response,
  version: 'version',
  activity: 'activity',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} satisfies Record<keyof StoredLead, string>);

/**
 * Reads leads for staff. The cost of a call does not depend on the number of leads or on the depth of the page.
 * @param db - a pool or a transaction
 */
export function leadLists(db: Knex) {
  return {
    /**
     * Returns a page of the leads of a kind, newest first.
     * @param after - the last lead of the previous page; undefined for the first page
     */
    async page(kind: LeadKind, limit: number, after?: LeadPlace): Promise<StoredLead[]> {
      const { rows } = await db.raw<{ rows: StoredLead[] }>(
        `select ${leadColumns} from leads
         where kind = :kind ${after ? 'and (created_at, id) < (:createdAt::timestamptz, :id::uuid)' : ''}
         order by created_at desc, id desc limit :limit`,
        { kind, limit, ...(after && { createdAt: after.createdAt.toISOString(), id: after.id }) },
      );
      return rows;
    },

    /** Returns the numbers of leads that need an answer. */
    async unanswered(): Promise<Unanswered> {
      const { rows } = await db.raw<{ rows: Unanswered[] }>(countUnanswered);
      return rows[0] ?? { overdue: 0, soon: 0, waiting: 0, unowned: 0 };
    },

    /** Returns a lead of any kind. */
    async one(id: string): Promise<StoredLead | undefined> {
      const { rows } = await db.raw<{ rows: StoredLead[] }>(`select ${leadColumns} from leads where id = :id`, { id });
      return rows[0];
    },

    /** Returns the exact number of leads of a kind. */
    async total(kind: LeadKind): Promise<number> {
      const { rows } = await db.raw<{ rows: { total: string }[] }>(
        `select coalesce(sum(count), 0) as total from lead_counts where kind = :kind`,
        { kind },
      );
      return Number(rows[0]?.total);
    },

    /** Returns the exact number of leads of each kind and status. Combinations without leads are left out. */
    async counts(): Promise<LeadCount[]> {
      const { rows } = await db.raw<{ rows: (Omit<LeadCount, 'count'> & { count: string })[] }>(
        `select kind, ${status} as status, sum(count) as count from lead_counts
         group by 1, 2 having sum(count) <> 0 order by 1, 2`,
      );
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },
  };
}

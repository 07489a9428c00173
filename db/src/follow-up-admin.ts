import { cancellableStates, retryableStates, type FollowUpState } from '@dune-tide/domain/follow-ups';
import type { followUpResponse } from '@dune-tide/domain/responses/follow-up';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import type { StoredFollowUp } from './leads.ts';
import { selectList } from './select-list.ts';
import { reachDatabase } from './unavailable.ts';

/** A follow-up as staff or an operator see it. */
export type ListedFollowUp = Presented<typeof followUpResponse>;

/**
 * For how many seconds mails have been owed; one that was retried counts from then. Only the oldest and newest
 * `rowsReadPerEnd` waiting rows are read, so the true ages may be higher.
 */
export interface FollowUpAges {
  /** The oldest that waits or is being sent; null when there is none. */
  readonly oldestWaitingSeconds: number | null;
  /**
   * The oldest whose first try has not ended, or its first since it was retried: no worker takes it, or the mail server
   * is away. Null when there is none.
   */
  readonly oldestUntriedSeconds: number | null;
}

/** How things stand. A state without rows has no count. */
export interface FollowUpStanding extends FollowUpAges {
  readonly counts: Partial<Record<FollowUpState, number>>;
}

/** Where in a list a follow-up stands: by its age, and the ids decide among those of one millisecond. */
export type FollowUpPlace = Pick<ListedFollowUp, 'createdAt' | 'id'>;

export const followUpOrders = ['newest', 'oldest'] as const;
export type FollowUpOrder = (typeof followUpOrders)[number];

/**
 * - `changed`: it was in a state that allows it
 * - `refused`: it is in another one now
 */
export type FollowUpChange =
  | { readonly outcome: 'changed'; readonly followUp: ListedFollowUp }
  | { readonly outcome: 'refused'; readonly state: FollowUpState }
  | { readonly outcome: 'unknown' };

export type RetryableState = (typeof retryableStates)[number];
export type CancellableState = (typeof cancellableStates)[number];

/**
 * How many rows at each end of the list are read. At up to 3 new mails a second the newest 1,000 cover the 5 minutes after
 * which the alert comes, however many older ones wait for a retry; and they are few enough for each scrape.
 */
const rowsReadPerEnd = 1_000;

const columns = selectList({
  id: 'id',
  leadId: 'lead_id',
  leadEmail: '(select email from leads where leads.id = lead_id)',
  kind: 'kind',
  recipient: 'recipient',
  state: 'state',
  attempts: 'attempts',
  serverAnswer: 'server_answer',
  nextTryAt: `case when state = 'pending' then available_at end`,
  sentAt: 'sent_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} satisfies Record<keyof ListedFollowUp, string>);

/**
 * Due at once and with all its tries again; the Message-ID stays, so that a mail which did arrive can be recognised. The
 * sweep leaves whoever retries a moment to wake a worker up.
 */
const backToPending = `
  state = 'pending', attempts = 0, available_at = now(), sweep_at = now() + interval '2 seconds', retried_at = now(),
  updated_at = now()`;
const toCancelled = `state = 'cancelled', updated_at = now()`;

/**
 * What staff or an operator read and change of the follow-ups. No call's cost depends on how many there are. Each change
 * is a compare-and-swap on the state, so a follow-up that a worker holds is never touched.
 * @param db - a pool or a transaction
 */
export function followUpAdmin(db: Knex) {
  async function changeOne(id: string, from: readonly FollowUpState[], changes: string): Promise<FollowUpChange> {
    const { rows } = await reachDatabase(
      db.raw<{ rows: ListedFollowUp[] }>(
        `update follow_ups set ${changes} where id = :id and state = any (:from) returning ${columns}`,
        { id, from: [...from] },
      ),
    );
    if (rows[0]) return { outcome: 'changed', followUp: rows[0] };
    const now = await reachDatabase(
      db('follow_ups').where({ id }).first<{ state: FollowUpState } | undefined>('state'),
    );
    return now ? { outcome: 'refused', state: now.state } : { outcome: 'unknown' };
  }

  async function changeSome(
    from: FollowUpState,
    { limit, notAfter }: ChangeBatch,
    changes: string,
    since: 'created_at' | 'updated_at',
  ): Promise<StoredFollowUp[]> {
    const { rows } = await reachDatabase(
      db.raw<{ rows: StoredFollowUp[] }>(
        `update follow_ups set ${changes} where id in (
           select id from follow_ups where state = :from and ${since} <= :notAfter::timestamptz
           order by created_at, id limit :limit for update skip locked
         )
         returning id, kind`,
        { from, limit, notAfter },
      ),
    );
    return rows;
  }

  /** How many rows are in each state, exactly and at the same cost at any size; no state without rows. */
  async function countByState(): Promise<Partial<Record<FollowUpState, number>>> {
    const { rows } = await reachDatabase(
      db.raw<{ rows: { state: FollowUpState; count: string }[] }>(
        `select state, sum(count) as count from follow_up_counts group by state having sum(count) <> 0`,
      ),
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  }

  /** How long mails have been owed. Rows being sent count: one whose worker dies each time is never seen waiting. */
  async function ages(): Promise<FollowUpAges> {
    const first = (state: FollowUpState, direction: 'asc' | 'desc'): string =>
      `(select coalesce(retried_at, created_at) as since, attempts - (state = 'sending')::integer as tries from follow_ups
        where state = '${state}' order by created_at ${direction}, id ${direction} limit ${rowsReadPerEnd})`;
    const seconds = 'greatest(0, extract(epoch from now() - since))::float8';
    const { rows } = await reachDatabase(
      db.raw<{ rows: FollowUpAges[] }>(
        `select max(${seconds}) as "oldestWaitingSeconds",
                max(${seconds}) filter (where tries = 0) as "oldestUntriedSeconds"
         from (
           ${first('pending', 'asc')} union all ${first('pending', 'desc')} union all ${first('sending', 'asc')}
         ) as waiting`,
      ),
    );
    return rows[0] ?? { oldestWaitingSeconds: null, oldestUntriedSeconds: null };
  }

  return {
    /**
     * One page of a state.
     * @param after - the last follow-up of the page before; without it the first page
     */
    async page(
      state: FollowUpState,
      order: FollowUpOrder,
      limit: number,
      after?: FollowUpPlace,
    ): Promise<ListedFollowUp[]> {
      const [direction, beyond] = order === 'newest' ? (['desc', '<'] as const) : (['asc', '>'] as const);
      const { rows } = await reachDatabase(
        db.raw<{ rows: ListedFollowUp[] }>(
          `select ${columns} from follow_ups
           where state = :state
             ${after ? `and (created_at, id) ${beyond} (:createdAt::timestamptz, :id::uuid)` : ''}
           order by created_at ${direction}, id ${direction} limit :limit`,
          { state, limit, ...(after && { createdAt: after.createdAt.toISOString(), id: after.id }) },
        ),
      );
      return rows;
    },

    /** What a lead owes or owed; undefined when there is no such lead. */
    async ofLead(leadId: string): Promise<ListedFollowUp[] | undefined> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: ListedFollowUp[] }>(
          `select ${columns} from follow_ups where lead_id = :leadId order by kind, id`,
          {
            leadId,
          },
        ),
      );
      if (rows.length > 0) return rows;
      return (await reachDatabase(db('leads').where({ id: leadId }).first('id'))) && rows;
    },

    countByState,
    ages,

    /** How things stand. Costs the same at any number of follow-ups. */
    async standing(): Promise<FollowUpStanding> {
      const [counts, since] = await Promise.all([countByState(), ages()]);
      return { counts, ...since };
    },

    /** The database's time, for `notAfter`; as text, since a Date would lose its microseconds. */
    async now(): Promise<string> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: { now: string }[] }>(`select clock_timestamp()::text as now`),
      );
      if (!rows[0]) throw new Error('The database told no time');
      return rows[0].now;
    },

    /** @param from - only in this state; without it in each that allows it */
    retry(id: string, from?: RetryableState): Promise<FollowUpChange> {
      return changeOne(id, from ? [from] : retryableStates, backToPending);
    },

    /** @param from - only in this state; without it in each that allows it */
    cancel(id: string, from?: CancellableState): Promise<FollowUpChange> {
      return changeOne(id, from ? [from] : cancellableStates, toCancelled);
    },

    /** Retries some of a state, the oldest first; what fails again meanwhile is left alone. */
    retrySome(from: RetryableState, batch: ChangeBatch): Promise<StoredFollowUp[]> {
      return changeSome(from, batch, backToPending, 'updated_at');
    },

    /** Cancels some of a state, the oldest first; what came into it meanwhile is left alone. */
    cancelSome(from: CancellableState, batch: ChangeBatch): Promise<StoredFollowUp[]> {
      // A row that a worker gave back has a new updated_at, though it was waiting all along.
      return changeSome(from, batch, toCancelled, from === 'pending' ? 'created_at' : 'updated_at');
    },
  };
}

/** One statement's share of many. */
export interface ChangeBatch {
  readonly limit: number;
  /** As `now` gives it: what many batches come to is bounded by when the first began. */
  readonly notAfter: string;
}

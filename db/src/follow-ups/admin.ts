import {
  cancellableStates,
  correctableKinds,
  retryableStates,
  limitedKinds,
  type FollowUpState,
  type TransportName,
} from '@dune-tide/domain/follow-ups';
import type { FollowUpTerm } from '@dune-tide/domain/follow-up-reports';
import type { followUpResponse } from '@dune-tide/domain/responses/follow-up';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { selectList } from '../connection/index.ts';
import { sweptAt, withDigestEntries } from './claims.ts';
import { isEmail } from './kinds.ts';
import type { StoredFollowUp } from './new-follow-up.ts';
import { isNotWithdrawn } from './replies.ts';
import {
  lockStaffEmails,
  reachedLimit,
  sentToMailboxOf,
  standardStaffEmailLimits,
  visitorKinds,
  type ReachedLimit,
  type StaffEmailLimits,
} from './staff-email-limits.ts';

/** A follow-up as staff or an operator see it. */
export type ListedFollowUp = Presented<typeof followUpResponse>;

/**
 * The ages of unsent follow-ups in seconds, without notices that wait for their digest. The age of a retried follow-up
 * starts at the retry. Only the oldest and the newest `rowsReadPerEnd` waiting rows are read, so the real ages can be
 * higher.
 */
export interface FollowUpAges {
  /** The age of the oldest follow-up that is waiting or being sent; null if there are none. */
  readonly oldestWaitingSeconds: number | null;
  /**
   * The age of the oldest follow-up whose first attempt, counted from a retry, has not ended; null if there are none. A
   * high age means that no worker claims it or that the mail server is unavailable.
   */
  readonly oldestUntriedSeconds: number | null;
}

/** Counts by state, and ages. A state without rows has no count. */
export interface FollowUpStanding extends FollowUpAges {
  readonly counts: Partial<Record<FollowUpState, number>>;
}

/** A follow-up that was found, with the Message-ID that the logs of mail servers have. */
export type FoundFollowUp = ListedFollowUp & { readonly messageId: string | null };

/** Select the ids of follow-ups. Each has an index, so the cost does not depend on the number of follow-ups. */
const idsOfTerm = {
  address: `
    select f.id from follow_ups f join leads on leads.id = f.lead_id where lower(leads.email) = lower(:address)
    union select id from follow_ups
    where mailbox_of(recipient) = mailbox_of(:address) and (kind = 'reply' or retried_at is not null)
    union select id from follow_ups where lead_id is null and lower(recipient) = lower(:address)`,
  id: `select id from follow_ups where lead_id = :id::uuid union select :id::uuid`,
  messageId: `select substring(:messageId::text from 2 for 36)::uuid`,
};

/** A condition on the transport of a row. */
const sentBy = (transport: TransportName | undefined): string =>
  ({ webhook: `kind = 'webhook'`, email: isEmail(), any: 'true' })[transport ?? 'any'];

/** The sort key of a follow-up in a list: its time, then its id if several share a millisecond. */
export type FollowUpPlace = Pick<ListedFollowUp, 'createdAt' | 'id'>;

export const followUpOrders = ['newest', 'oldest'] as const;
export type FollowUpOrder = (typeof followUpOrders)[number];

/**
 * The outcome of a change:
 * - `changed`: the follow-up was in a state that allows the change
 * - `refused`: its current state does not allow the change
 * - `opted_out`: its mailbox is opted out of automatic emails
 * - `withdrawn`: it is a reply that was undone or replaced
 * - `limited`: its mailbox has reached the limit of emails that staff have sent
 * - `unknown`: the follow-up does not exist
 */
export type FollowUpChange =
  | { readonly outcome: 'changed'; readonly followUp: ListedFollowUp }
  | { readonly outcome: 'refused'; readonly state: FollowUpState }
  | { readonly outcome: 'opted_out' }
  | { readonly outcome: 'withdrawn' }
  | { readonly outcome: 'limited'; readonly reached: ReachedLimit }
  | { readonly outcome: 'unknown' };

export type RetryableState = (typeof retryableStates)[number];
export type CancellableState = (typeof cancellableStates)[number];

/**
 * The number of rows that are read at each end of the list. At up to 3 new emails a second, the newest 1,000 cover the
 * 5 minutes of the alert, however many older rows wait for a retry. They are few enough to read for each scrape.
 */
const rowsReadPerEnd = 1_000;

const columns = selectList({
  id: 'id',
  leadId: 'lead_id',
  leadEmail: '(select email from leads where leads.id = lead_id)',
  kind: 'kind',
  event: `case when kind = 'webhook' then (select type from webhook_events where webhook_events.id = follow_ups.id) end`,
  recipient: 'recipient',
  state: 'state',
  attempts: 'attempts',
  serverAnswer: 'server_answer',
  withheldReason: `case when state = 'withheld' then withheld_reason end`,
  nextTryAt: `case when state = 'pending' and isfinite(available_at) then available_at
    when state = 'pending' then (
      select nullif(digest.available_at, 'infinity')
      from digest_entries entry join follow_ups digest on digest.id = entry.digest_id where entry.id = follow_ups.id
    ) end`,
  sentAt: 'sent_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} satisfies Record<keyof ListedFollowUp, string>);

/** A change that staff make. */
interface StaffChange {
  readonly changes: string;
  /** The changes of the notices in a digest. */
  readonly entryChanges: string;
  /** A condition on a row, besides its state. */
  readonly condition: string;
}

/**
 * Makes a row due immediately and resets its attempts. The Message-ID stays, so that a mail client can recognise a
 * second copy. The sweep waits for 2 seconds, in which the caller can enqueue a job. The email limits do not apply to a
 * row with `retried_at`.
 */
const toRetry: StaffChange = {
  changes: `state = 'pending', attempts = 0, available_at = now(), sweep_at = ${sweptAt(`now() + interval '2 seconds'`)},
    retried_at = now(), updated_at = now()`,
  entryChanges: `state = 'pending', available_at = 'infinity', sweep_at = 'infinity'`,
  condition: `not (kind = any (array[${limitedKinds.map((kind) => `'${kind}'`).join(', ')}])
    and exists (select from email_opt_outs opt_out where opt_out.mailbox = mailbox_of(recipient)))
    and ${isNotWithdrawn}`,
};
const toCancel: StaffChange = {
  changes: `state = 'cancelled', updated_at = now()`,
  entryChanges: `state = 'cancelled'`,
  condition: 'true',
};

/**
 * Reads and changes follow-ups for staff and operators. The cost of a call does not depend on the number of follow-ups.
 * Each change is a compare-and-swap on the state, so a follow-up that a worker has claimed is never changed.
 * @param db - a pool or a transaction
 * @param limits - the limits of retries of emails to visitors, by default those of staff; null turns them off
 */
export function followUpAdmin(db: Knex, limits: StaffEmailLimits | null = standardStaffEmailLimits) {
  async function changeOne(
    database: Knex,
    id: string,
    from: readonly FollowUpState[],
    change: StaffChange,
  ): Promise<FollowUpChange> {
    const { changes, entryChanges, condition } = change;
    const { rows } = await database.raw<{ rows: ListedFollowUp[] }>(
      `with changed as (
         update follow_ups set ${changes} where id = :id and state = any (:from) and ${condition} returning ${columns}
       ), ${withDigestEntries('changed', entryChanges, 'f.state = any (:from)')}
       ${change === toRetry ? ', alone as (delete from digest_entries where id in (select id from changed))' : ''}
       select * from changed`,
      { id, from: [...from] },
    );
    if (rows[0]) return { outcome: 'changed', followUp: rows[0] };
    const now = await database('follow_ups')
      .where({ id })
      .first<{ state: FollowUpState; isWithdrawn: boolean } | undefined>(
        'state',
        database.raw(`not (${isNotWithdrawn}) as "isWithdrawn"`),
      );
    if (!now) return { outcome: 'unknown' };
    if (!from.includes(now.state)) return { outcome: 'refused', state: now.state };
    return { outcome: now.isWithdrawn ? 'withdrawn' : 'opted_out' };
  }

  /** Excludes notices in digests: they change with their digests. */
  async function changeSome(
    database: Knex,
    from: FollowUpState,
    { limit, notAfter, transport }: ChangeBatch,
    { changes, entryChanges, condition }: StaffChange,
    since: 'created_at' | 'updated_at',
    perMailbox?: number,
  ): Promise<StoredFollowUp[]> {
    const toVisitor = `kind in (${visitorKinds})`;
    const hasRoom =
      perMailbox === undefined
        ? 'true'
        : `(not ${toVisitor} or ${sentToMailboxOf('follow_ups', perMailbox)} < ${perMailbox})`;
    const due = `(
      select id, kind, recipient, created_at from follow_ups
      where state = :from and ${since} <= :notAfter::timestamptz and ${condition} and ${sentBy(transport)} and ${hasRoom}
        and not exists (select from digest_entries entry where entry.id = follow_ups.id)
      order by created_at, id limit :limit for update skip locked
    ) as due`;
    // Several rows of a batch can go to one mailbox. The first is always within the limit, so each batch makes progress.
    const chosen =
      perMailbox === undefined
        ? due
        : `(
            select id, ${toVisitor} as is_limited, ${sentToMailboxOf('due', perMailbox)}
              + row_number() over (partition by ${toVisitor}, mailbox_of(recipient) order by created_at, id) as place
            from ${due}
          ) as placed where not is_limited or place <= ${perMailbox}`;
    const { rows } = await database.raw<{ rows: StoredFollowUp[] }>(
      `with changed as (
         update follow_ups set ${changes} where id in (select id from ${chosen})
         returning id, kind
       ), ${withDigestEntries('changed', entryChanges, 'f.state = :from')}
       select id, kind from changed`,
      { from, limit, notAfter },
    );
    return rows;
  }

  /** Returns the exact number of rows in each state, by one transport or all. States without rows are left out. */
  async function countByState(transport?: TransportName): Promise<Partial<Record<FollowUpState, number>>> {
    const { rows } = await db.raw<{ rows: { state: FollowUpState; count: string }[] }>(
      `select state, sum(count) as count from follow_up_counts
       where transport = coalesce(:transport, transport) group by state having sum(count) <> 0`,
      { transport: transport ?? null },
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  }

  /**
   * Returns the ages. Rows that are being sent count: a row whose worker always crashes might never be seen as waiting.
   */
  async function ages(transport?: TransportName): Promise<FollowUpAges> {
    const first = (state: FollowUpState, direction: 'asc' | 'desc'): string =>
      `(select coalesce(retried_at, created_at) as since, attempts - (state = 'sending')::integer as tries from follow_ups
        where state = '${state}' and available_at < 'infinity' and ${sentBy(transport)}
        order by created_at ${direction}, id ${direction} limit ${rowsReadPerEnd})`;
    const seconds = 'greatest(0, extract(epoch from now() - since))::float8';
    const { rows } = await db.raw<{ rows: FollowUpAges[] }>(
      `select max(${seconds}) as "oldestWaitingSeconds",
              max(${seconds}) filter (where tries = 0) as "oldestUntriedSeconds"
       from (
         ${first('pending', 'asc')} union all ${first('pending', 'desc')} union all ${first('sending', 'asc')}
       ) as waiting`,
    );
    return rows[0] ?? { oldestWaitingSeconds: null, oldestUntriedSeconds: null };
  }

  return {
    /**
     * Returns a page of the follow-ups in a state.
     * @param after - the last follow-up of the previous page; undefined for the first page
     * @param transport - the transport of the follow-ups; undefined for all
     */
    async page(
      state: FollowUpState,
      order: FollowUpOrder,
      limit: number,
      after?: FollowUpPlace,
      transport?: TransportName,
    ): Promise<ListedFollowUp[]> {
      const [direction, beyond] = order === 'newest' ? (['desc', '<'] as const) : (['asc', '>'] as const);
      const { rows } = await db.raw<{ rows: ListedFollowUp[] }>(
        `select ${columns} from follow_ups
         where state = :state and ${sentBy(transport)}
           ${after ? `and (created_at, id) ${beyond} (:createdAt::timestamptz, :id::uuid)` : ''}
         order by created_at ${direction}, id ${direction} limit :limit`,
        { state, limit, ...(after && { createdAt: after.createdAt.toISOString(), id: after.id }) },
      );
      return rows;
    },

    /**
     * Finds the follow-ups of a person's address, of a lead or of a Message-ID, the newest first. Those of an address are
     * all of the leads that were sent with it, and the emails to it that are about no single lead, were retried or are
     * replies.
     */
    async find(term: FollowUpTerm, limit: number): Promise<FoundFollowUp[]> {
      const ids = 'address' in term ? idsOfTerm.address : 'id' in term ? idsOfTerm.id : idsOfTerm.messageId;
      const { rows } = await db.raw<{ rows: FoundFollowUp[] }>(
        `select ${columns}, message_id as "messageId" from follow_ups
         where id in (${ids}) ${'messageId' in term ? 'and lower(message_id) = lower(:messageId)' : ''}
         order by created_at desc, id desc limit :limit`,
        { ...term, limit },
      );
      return rows;
    },

    /** Returns a follow-up; undefined if it does not exist. */
    async one(id: string): Promise<ListedFollowUp | undefined> {
      const { rows } = await db.raw<{ rows: ListedFollowUp[] }>(`select ${columns} from follow_ups where id = :id`, {
        id,
      });
      return rows[0];
    },

    /** Returns all follow-ups of a lead; undefined if the lead does not exist. */
    async ofLead(leadId: string): Promise<ListedFollowUp[] | undefined> {
      const { rows } = await db.raw<{ rows: ListedFollowUp[] }>(
        `select ${columns} from follow_ups where lead_id = :leadId order by kind, id`,
        {
          leadId,
        },
      );
      if (rows.length > 0) return rows;
      return (await db('leads').where({ id: leadId }).first('id')) && rows;
    },

    countByState,
    ages,

    /**
     * Returns the counts and ages.
     * @param transport - the transport of the follow-ups; undefined for all
     */
    async standing(transport?: TransportName): Promise<FollowUpStanding> {
      const [counts, since] = await Promise.all([countByState(transport), ages(transport)]);
      return { counts, ...since };
    },

    /** Returns the database's time, for `notAfter`. It is text, because a Date would lose the microseconds. */
    async now(): Promise<string> {
      const { rows } = await db.raw<{ rows: { now: string }[] }>(`select clock_timestamp()::text as now`);
      if (!rows[0]) throw new Error('The database returned no time');
      return rows[0].now;
    },

    /**
     * Retries a follow-up; the email limits do not apply to it, `limits` do. A notice leaves its digest.
     * @param from - the only state to retry it from; undefined for every state that allows a retry
     */
    async retry(id: string, from?: RetryableState): Promise<FollowUpChange> {
      const states: readonly FollowUpState[] = from ? [from] : retryableStates;
      return db.transaction(async (transaction): Promise<FollowUpChange> => {
        await lockStaffEmails(transaction);
        const email = await transaction('follow_ups')
          .where({ id })
          .whereIn('state', states)
          .whereIn('kind', correctableKinds)
          .first<{ recipient: string } | undefined>('recipient');
        const reached = email && (await reachedLimit(transaction, limits, { ...email, except: id }));
        return reached ? { outcome: 'limited', reached } : changeOne(transaction, id, states, toRetry);
      });
    },

    /**
     * Cancels a follow-up.
     * @param from - the only state to cancel it from; undefined for every state that allows a cancellation
     */
    cancel(id: string, from?: CancellableState): Promise<FollowUpChange> {
      return changeOne(db, id, from ? [from] : cancellableStates, toCancel);
    },

    /**
     * Retries a batch of the follow-ups in a state, oldest first. Skips those that entered the state after `notAfter`, and
     * those whose mailbox is opted out or has reached its limit.
     */
    retrySome(from: RetryableState, batch: ChangeBatch): Promise<StoredFollowUp[]> {
      return db.transaction(async (transaction) => {
        await lockStaffEmails(transaction);
        return changeSome(transaction, from, batch, toRetry, 'updated_at', limits?.mailbox);
      });
    },

    /**
     * Cancels a batch of the follow-ups in a state, oldest first. Skips those that entered the state after `notAfter`.
     */
    cancelSome(from: CancellableState, batch: ChangeBatch): Promise<StoredFollowUp[]> {
      // A released row has a new updated_at, although it was in the queue before `notAfter`.
      return changeSome(db, from, batch, toCancel, from === 'pending' ? 'created_at' : 'updated_at');
    },
  };
}

/** The rows that one statement changes. */
export interface ChangeBatch {
  readonly limit: number;
  /** A time that `now` returned before the first batch, so that the batches come to an end. */
  readonly notAfter: string;
  /** The transport of the follow-ups; undefined for all. */
  readonly transport?: TransportName | undefined;
}

import { randomUUID } from 'node:crypto';
import { limitedKinds, type FollowUpKind, type WithheldReason } from '@dune-tide/domain/follow-ups';
import { emailLimits } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { checkWritable, batched, type BatchOptions } from '../connection/index.ts';
import { isAnswered } from '../lead-expressions/index.ts';
import { isEmail } from './kinds.ts';
import type { StoredFollowUp } from './new-follow-up.ts';
import type { SharedText } from './texts.ts';

/** A follow-up that a worker has claimed. Only the worker with the lease may settle it. */
export interface ClaimedFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
  /** The recipient's email address; null if the kind is not an email. */
  readonly recipient: string | null;
  /** Null if the kind is not an email. */
  readonly messageId: string | null;
  /** The number of attempts, including the current one. */
  readonly attempts: number;
  readonly lease: string;
  /** Null for a kind that is not about a lead. */
  readonly leadId: string | null;
}

/** The id of a row and the lease that claims it. The worker chooses the lease before the claim. */
export type LeasedRow = Pick<ClaimedFollowUp, 'id' | 'lease'>;

/**
 * The outcome of a claim:
 * - `claimed`: the worker holds the row
 * - `withheld`: an email limit or an opt-out forbids sending the row
 * - `collected`: the row is a notice that waits for a digest and is settled with it
 * - `taken`: the row is not due, another worker holds it, or it does not exist
 */
export type Claim =
  | { readonly outcome: 'claimed'; readonly followUp: ClaimedFollowUp }
  | { readonly outcome: 'withheld'; readonly reason: WithheldReason; readonly leadId: string | null }
  | { readonly outcome: 'collected'; readonly leadId: string | null }
  | { readonly outcome: 'taken' };

/** The time after which the sweep finds a row again, so that its job can run first. */
const sweptAgainAfterSeconds = 30;
/** The time between the end of a lease and the sweep of its row, so that the sweep does not race a claim. */
const sweepGraceSeconds = 1;

/** The batching of claims, checks and outcomes. If a statement is slow, the next one starts on another connection. */
export const claimBatching: BatchOptions = { concurrency: 1, maxBatchSize: 100, slowAfterMs: 250, maxWaitMs: 4_500 };

/** A follow-up that was sent. */
interface SentFollowUp {
  readonly claim: LeasedRow;
  readonly serverResponse: string;
  readonly text: SharedText | undefined;
}

interface RequestedLease extends LeasedRow {
  readonly leaseSeconds: number;
}

type ClaimedRow = ClaimedFollowUp & {
  readonly outcome: Exclude<Claim['outcome'], 'taken'>;
  readonly withheldReason: WithheldReason;
};

/** Limits of the same shape as `emailLimits`, with any numbers. */
export type EmailLimits = { readonly [Name in keyof typeof emailLimits]: number | readonly string[] };

/**
 * Returns a common table expression that gives the notices in digests the state of their digest. A notice that staff
 * have changed in the meantime keeps its state.
 * @param changed - the name of a common table expression that returns the ids of the digests
 * @param changes - the new values of the notices
 * @param from - the condition under which a notice, `f`, is changed
 */
export const withDigestEntries = (changed: string, changes: string, from: string): string => `
  entries as (
    update follow_ups f set ${changes}, updated_at = now()
    from ${changed}, digest_entries entry
    where entry.digest_id = ${changed}.id and f.id = entry.id and ${from}
  )`;

/** The time from which the sweep finds a row. It finds no webhook, because workers claim those without a job. */
export const sweptAt = (time: string): string => `case when kind = 'webhook' then 'infinity' else ${time} end`;

/**
 * Locks the leads of rows, as the relation `lead`, so that a release and a mark as spam wait for each other. Every
 * change of several leads locks them in this order, so that the two cannot deadlock.
 */
const lockedLeads = `
  lead as materialized (
    select id, spam_sign from leads
    where id in (select lead_id from follow_ups where id = any(:ids::uuid[])) order by id for share
  )`;

/**
 * Locks the leads that replies answer, as the relation `lead`, in the same order. The statement counts the rows of
 * `lead`, so that the leads are locked before the follow-ups.
 */
const lockLeadsOfReplies = `
  lead as materialized (
    select id from leads where id in (
      select lead_id from follow_ups where id = any (?::uuid[]) and kind = 'reply' and state = 'sending'
    ) order by id for no key update
  ),`;

/** Marks the leads of the replies in `settled` as answered, unless they already are. */
const markLeadsAnswered = `
  answered as (
    update leads set answered_at = now(), answered_before = null, version = version + 1, updated_at = now()
    from (select distinct lead_id from settled where kind = 'reply') as replied
    where leads.id = replied.lead_id and not ${isAnswered}
  ),`;

/** The state of a row that a worker releases. The emails of a lead that is held as spam do not wait for an attempt. */
const releasedState = `
  case when ${isEmail('f.kind')} and exists (select from lead where lead.id = f.lead_id and spam_sign is not null)
    then 'cancelled' else 'pending' end`;

/**
 * Claims and settles follow-ups for workers. Every change of state is a compare-and-swap, so if two workers race, one
 * wins and the other gets `taken` or false.
 * @param db - a pool or a transaction
 * @param limits - the email limits; null for none
 */
export function followUpClaims(db: Knex, limits: EmailLimits | null = emailLimits) {
  const limitsJson = limits && JSON.stringify(limits);
  const inSeconds = (seconds: number) => db.raw('now() + make_interval(secs => ?)', [seconds]);

  const claimTogether = batched(async (wanted: readonly RequestedLease[]): Promise<Claim[]> => {
    const { rows } = await db
      .raw<{ rows: ClaimedRow[] }>(
        `select id, outcome, lease, kind, recipient, message_id as "messageId", attempts, lead_id as "leadId",
                withheld_reason as "withheldReason"
         from claim_within_limits(?, ?, ?, ?, ?, ?)`,
        [
          wanted.map(({ id }) => id),
          wanted.map(({ lease }) => lease),
          wanted.map(({ leaseSeconds }) => leaseSeconds),
          sweepGraceSeconds,
          [...limitedKinds],
          limitsJson,
        ],
      )
      .options({ name: 'claim-follow-ups' });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return wanted.map(({ id, lease }): Claim => {
      const row = byId.get(id);
      if (row?.outcome === 'withheld') return { outcome: 'withheld', reason: row.withheldReason, leadId: row.leadId };
      if (row?.outcome === 'collected') return { outcome: 'collected', leadId: row.leadId };
      if (row?.lease !== lease) return { outcome: 'taken' };
      const { kind, recipient, messageId, attempts, leadId } = row;
      return { outcome: 'claimed', followUp: { id, kind, recipient, messageId, attempts, lease, leadId } };
    });
  }, claimBatching);

  const lookTogether = batched(async (claims: readonly LeasedRow[]): Promise<number[]> => {
    const { rows } = await db
      .raw<{ rows: { lease: string; seconds: number }[] }>(
        `select f.lease, greatest(0, extract(epoch from f.available_at - now()))::double precision as seconds
         from unnest(?::uuid[], ?::uuid[]) as hold (id, lease)
         join follow_ups f on f.id = hold.id and f.lease = hold.lease
         where f.state = 'sending'`,
        [claims.map(({ id }) => id), claims.map(({ lease }) => lease)],
      )
      .options({ name: 'look-at-leases' });
    const seconds = new Map(rows.map((row) => [row.lease, row.seconds]));
    return claims.map(({ lease }) => seconds.get(lease) ?? 0);
  }, claimBatching);

  /** @param hasReplies - whether some of the follow-ups may be replies, which answer their leads */
  const markSentBy = (hasReplies: boolean) =>
    batched(async (sent: readonly SentFollowUp[]): Promise<boolean[]> => {
      const texts = [...new Map(sent.flatMap(({ text }) => (text ? [[text.id, text] as const] : []))).values()];
      const { rows } = await db
        .raw<{ rows: { lease: string }[] }>(
          `with ${hasReplies ? lockLeadsOfReplies : ''} texts as (
             insert into email_texts (id, subject, text)
             select * from unnest(?::uuid[], ?::text[], ?::text[]) on conflict (id) do nothing
           ), settled as (
             update follow_ups f
             set state = 'sent', sent_at = now(), server_answer = sent.answer, text_id = nullif(sent.text_id, '')::uuid,
                 lease = null, updated_at = now()
             from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[]) as sent (id, lease, answer, text_id)
             where f.id = sent.id and f.lease = sent.lease and f.state = 'sending'
               ${hasReplies ? 'and (select count(*) from lead) >= 0' : ''}
             returning f.id, f.kind, f.lead_id, sent.lease, sent.answer
           ), ${hasReplies ? markLeadsAnswered : ''} ${withDigestEntries(
             'settled',
             `state = 'sent', sent_at = now(), server_answer = settled.answer`,
             `f.state = 'pending'`,
           )}
           select lease from settled`,
          [
            ...(hasReplies ? [sent.map(({ claim }) => claim.id)] : []),
            texts.map(({ id }) => id),
            texts.map(({ subject }) => subject),
            texts.map(({ text }) => text),
            sent.map(({ claim }) => claim.id),
            sent.map(({ claim }) => claim.lease),
            sent.map(({ serverResponse }) => serverResponse),
            sent.map(({ text }) => text?.id ?? ''),
          ],
        )
        .options({ name: hasReplies ? 'mark-replies-sent' : 'mark-sent' });
      const settled = new Set(rows.map(({ lease }) => lease));
      return sent.map(({ claim }) => settled.has(claim.lease));
    }, claimBatching);
  const markSentTogether = markSentBy(false);
  const markRepliesSentTogether = markSentBy(true);

  return {
    /**
     * Claims a row that is due: it is waiting, or its lease has expired.
     * @param leaseSeconds - longer than the longest send
     * @param lease - a new id; if the claim throws, the caller passes it to `releaseUnsent`
     * @throws {DatabaseUnavailableError} if the outcome is unknown: the row may be claimed
     */
    claim: (id: string, leaseSeconds: number, lease: string = randomUUID()): Promise<Claim> =>
      claimTogether({ id, lease, leaseSeconds }),

    /**
     * Releases claims before anything was sent. A claim that did not succeed is ignored. Rows whose leads staff have marked
     * as spam are cancelled.
     * @throws {DatabaseUnavailableError}
     */
    async releaseUnsent(claims: readonly LeasedRow[]): Promise<void> {
      await db.raw(
        `with ${lockedLeads}
         update follow_ups f
         set state = ${releasedState}, attempts = f.attempts - 1, available_at = now(), sweep_at = ${sweptAt('now()')},
             lease = null, updated_at = now()
         from unnest(:ids::uuid[], :leases::uuid[]) as hold (id, lease)
         where f.id = hold.id and f.lease = hold.lease and f.state = 'sending'`,
        { ids: claims.map(({ id }) => id), leases: claims.map(({ lease }) => lease) },
      );
    },

    /** Returns the remaining seconds of a lease; 0 if it has expired or another worker holds the row. */
    leaseSecondsLeft: ({ id, lease }: LeasedRow): Promise<number> => lookTogether({ id, lease }),

    /**
     * Extends a lease.
     * @param leaseSeconds - its new length, counted from now
     * @returns whether the worker still had the lease
     */
    async prolong({ id, lease }: LeasedRow, leaseSeconds: number): Promise<boolean> {
      const prolonged = await db('follow_ups')
        .where({ id, lease, state: 'sending' })
        .update({
          available_at: inSeconds(leaseSeconds),
          sweep_at: inSeconds(leaseSeconds + sweepGraceSeconds),
          updated_at: db.fn.now(),
        });
      return prolonged === 1;
    },

    /**
     * Records that the receiver accepted the follow-up. A reply answers its lead.
     * @param followUp - without its kind, it is treated as a possible reply
     * @param text - the shared text with which it was sent; undefined if it has none
     * @returns whether the worker still had the lease
     */
    markSent: (
      followUp: LeasedRow & { readonly kind?: FollowUpKind },
      serverResponse: string,
      text?: SharedText,
    ): Promise<boolean> => {
      const { id, lease, kind } = followUp;
      const mayBeReply = kind === undefined || kind === 'reply';
      return (mayBeReply ? markRepliesSentTogether : markSentTogether)({ claim: { id, lease }, serverResponse, text });
    },

    /**
     * Records a permanent failure: the receiver rejected the follow-up, or no attempts are left.
     * @returns whether the worker still had the lease
     */
    async markFailed({ id, lease }: ClaimedFollowUp, serverResponse: string): Promise<boolean> {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `with settled as (
           update follow_ups set state = 'failed', server_answer = :serverResponse, lease = null, updated_at = now()
           where id = :id and lease = :lease and state = 'sending'
           returning id, server_answer as answer
         ), ${withDigestEntries('settled', `state = 'failed', server_answer = settled.answer`, `f.state = 'pending'`)}
         select id from settled`,
        { id, lease, serverResponse },
      );
      return rows.length === 1;
    },

    /**
     * Records that the follow-up has nothing to report any more.
     * @returns whether the worker still had the lease
     */
    async markCancelled({ id, lease }: LeasedRow, serverResponse: string): Promise<boolean> {
      const cancelled = await db('follow_ups')
        .where({ id, lease, state: 'sending' })
        .update({ state: 'cancelled', server_answer: serverResponse, lease: null, updated_at: db.fn.now() });
      return cancelled === 1;
    },

    /**
     * Releases the row for a later attempt, or cancels it if staff have marked its lead as spam.
     * @param later.usesTry - false if the attempt does not count, because an outage prevented it
     * @param later.serverResponse - without it the stored response stays
     * @returns whether the worker still had the lease
     */
    async release(
      { id, lease, attempts }: ClaimedFollowUp,
      later: { readonly delaySeconds: number; readonly usesTry: boolean; readonly serverResponse?: string },
    ): Promise<boolean> {
      const { delaySeconds, usesTry, serverResponse = null } = later;
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `with ${lockedLeads}
         update follow_ups f
         set state = ${releasedState}, attempts = :attempts, server_answer = coalesce(:serverResponse, server_answer),
             available_at = now() + make_interval(secs => :delaySeconds),
             sweep_at = ${sweptAt('now() + make_interval(secs => :delaySeconds)')}, lease = null, updated_at = now()
         where id = :id and lease = :lease and state = 'sending'
         returning id`,
        { ids: [id], id, lease, attempts: usesTry ? attempts : attempts - 1, serverResponse, delaySeconds },
      );
      return rows.length === 1;
    },

    /**
     * Postpones the next sweep of rows that should have been settled by now, longest overdue first, and returns them, so
     * that only one of several concurrent sweeps finds each row.
     * @param includesExpired - whether rows whose leases have expired are among them
     */
    async postponeDue(limit: number, includesExpired = true): Promise<StoredFollowUp[]> {
      const { rows } = await db.raw<{ rows: StoredFollowUp[] }>(
        // Materialized, because PostgreSQL may otherwise run the subquery again and exceed the limit.
        `with due as materialized (
           select id from follow_ups
           where state in ('pending', 'sending') and sweep_at <= now() and (state = 'pending' or :includesExpired)
           order by sweep_at limit :limit for update skip locked
         )
         update follow_ups set sweep_at = now() + make_interval(secs => :again)
         from due where due.id = follow_ups.id
         returning follow_ups.id, kind`,
        { again: sweptAgainAfterSeconds, limit, includesExpired },
      );
      return rows;
    },

    /**
     * Checks that outcomes can be recorded.
     * @throws {DatabaseUnavailableError} if the database is unavailable or read-only
     */
    check: (): Promise<void> => checkWritable(db),
  };
}

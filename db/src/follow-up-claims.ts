import { randomUUID } from 'node:crypto';
import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import { portfolioMailsPerHour } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { checkWritable } from './check-writable.ts';
import { batched, type BatchOptions } from './batched.ts';
import type { StoredFollowUp } from './leads.ts';
import { reachDatabase } from './unavailable.ts';

/** A follow-up that a worker holds; only the holder of the lease may settle it. */
export interface ClaimedFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
  /** The recipient's email address; null if the kind is not an email. */
  readonly recipient: string | null;
  /** Null if the kind is not an email. */
  readonly messageId: string | null;
  /** This try included. */
  readonly attempts: number;
  readonly lease: string;
  /** Null for a kind that is not about a lead. */
  readonly leadId: string | null;
}

/** What holds a row, known before it is asked for. */
export type Hold = Pick<ClaimedFollowUp, 'id' | 'lease'>;

/** `capped`: the address had its portfolio mails of this hour, and the row is withheld. */
export type Claim =
  | { readonly outcome: 'claimed'; readonly followUp: ClaimedFollowUp }
  | { readonly outcome: 'capped'; readonly leadId: string | null }
  | { readonly outcome: 'taken' };

/** How long a found row is left to its job before it is looked for again. */
const sweptAgainAfterSeconds = 30;
/** The sweep comes this long after a lease or a delay ends, so that it does not race the claim. */
const sweepGraceSeconds = 1;

/**
 * A worker's mails are claimed, looked at and settled by the same statements as their neighbours. Nobody waits long
 * behind a server that is slow or stopped: the pool has connections for others.
 */
export const claimBatching: BatchOptions = { concurrency: 1, maxBatchSize: 100, slowAfterMs: 250, maxWaitMs: 4_500 };

/** What a statement for several rows takes of each. */
interface WantedHold extends Hold {
  readonly leaseSeconds: number;
}

type ClaimedRow = Omit<ClaimedFollowUp, 'lease'> & { readonly lease: string | null };

/**
 * What workers do with follow-ups. Every change of state is a compare-and-swap, so of two workers one wins and the other
 * learns that it lost.
 * @param db - a pool or a transaction
 */
export function followUpClaims(db: Knex) {
  const inSeconds = (seconds: number) => db.raw('now() + make_interval(secs => ?)', [seconds]);

  /** @returns whether the lease still held */
  async function settle(followUp: Hold, changes: Record<string, unknown>): Promise<boolean> {
    const settled = await reachDatabase(
      db('follow_ups')
        .where({ id: followUp.id, lease: followUp.lease, state: 'sending' })
        .update({ ...changes, lease: null, updated_at: db.fn.now() }),
    );
    return settled === 1;
  }

  const claimTogether = batched(async (wanted: readonly WantedHold[]): Promise<Claim[]> => {
    const { rows } = await reachDatabase(
      db
        .raw<{ rows: ClaimedRow[] }>(
          `select id, lease, kind, recipient, message_id as "messageId", attempts, lead_id as "leadId"
           from claim_follow_ups(?, ?, ?, ?, ?)`,
          [
            wanted.map(({ id }) => id),
            wanted.map(({ lease }) => lease),
            wanted.map(({ leaseSeconds }) => leaseSeconds),
            sweepGraceSeconds,
            portfolioMailsPerHour,
          ],
        )
        .options({ name: 'claim-follow-ups' }),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return wanted.map(({ id, lease }): Claim => {
      const row = byId.get(id);
      if (row?.lease === null) return { outcome: 'capped', leadId: row.leadId };
      return row?.lease === lease ? { outcome: 'claimed', followUp: { ...row, lease } } : { outcome: 'taken' };
    });
  }, claimBatching);

  const lookTogether = batched(async (holds: readonly Hold[]): Promise<number[]> => {
    const { rows } = await reachDatabase(
      db
        .raw<{ rows: { lease: string; seconds: number }[] }>(
          `select f.lease, greatest(0, extract(epoch from f.available_at - now()))::double precision as seconds
           from unnest(?::uuid[], ?::uuid[]) as hold (id, lease)
           join follow_ups f on f.id = hold.id and f.lease = hold.lease
           where f.state = 'sending'`,
          [holds.map(({ id }) => id), holds.map(({ lease }) => lease)],
        )
        .options({ name: 'look-at-leases' }),
    );
    const seconds = new Map(rows.map((row) => [row.lease, row.seconds]));
    return holds.map(({ lease }) => seconds.get(lease) ?? 0);
  }, claimBatching);

  const markSentTogether = batched(
    async (sent: readonly { readonly hold: Hold; readonly serverAnswer: string }[]): Promise<boolean[]> => {
      const { rows } = await reachDatabase(
        db
          .raw<{ rows: { lease: string }[] }>(
            `update follow_ups f
             set state = 'sent', sent_at = now(), server_answer = sent.answer, lease = null, updated_at = now()
             from unnest(?::uuid[], ?::uuid[], ?::text[]) as sent (id, lease, answer)
             where f.id = sent.id and f.lease = sent.lease and f.state = 'sending'
             returning sent.lease`,
            [
              sent.map(({ hold }) => hold.id),
              sent.map(({ hold }) => hold.lease),
              sent.map(({ serverAnswer }) => serverAnswer),
            ],
          )
          .options({ name: 'mark-sent' }),
      );
      const settled = new Set(rows.map(({ lease }) => lease));
      return sent.map(({ hold }) => settled.has(hold.lease));
    },
    claimBatching,
  );

  return {
    /**
     * Takes hold of a row that is due: one that waits, or one whose holder let the lease run out.
     * @param leaseSeconds - longer than the longest send
     * @param lease - a new one; a claimant whose claim fails can tell by it what to give back
     * @throws {DatabaseUnavailableError} when the row may be held all the same; see `giveBack`
     */
    claim: (id: string, leaseSeconds: number, lease: string = randomUUID()): Promise<Claim> =>
      claimTogether({ id, lease, leaseSeconds }),

    /**
     * Undoes claims that nobody acted on; nothing where one never took hold of its row.
     * @throws {DatabaseUnavailableError}
     */
    async giveBack(holds: readonly Hold[]): Promise<void> {
      await reachDatabase(
        db.raw(
          `update follow_ups f
           set state = 'pending', attempts = f.attempts - 1, available_at = now(), sweep_at = now(),
               lease = null, updated_at = now()
           from unnest(?::uuid[], ?::uuid[]) as hold (id, lease)
           where f.id = hold.id and f.lease = hold.lease and f.state = 'sending'`,
          [holds.map(({ id }) => id), holds.map(({ lease }) => lease)],
        ),
      );
    },

    /** @returns how long the lease still holds; 0 when it ended or another holds the row */
    leaseSecondsLeft: ({ id, lease }: Hold): Promise<number> => lookTogether({ id, lease }),

    /**
     * Holds a row for longer.
     * @param leaseSeconds - from now on
     * @returns whether the lease still held
     */
    async prolong({ id, lease }: Hold, leaseSeconds: number): Promise<boolean> {
      const prolonged = await reachDatabase(
        db('follow_ups')
          .where({ id, lease, state: 'sending' })
          .update({
            available_at: inSeconds(leaseSeconds),
            sweep_at: inSeconds(leaseSeconds + sweepGraceSeconds),
            updated_at: db.fn.now(),
          }),
      );
      return prolonged === 1;
    },

    /** The mail server took it. */
    markSent: (hold: Hold, serverAnswer: string): Promise<boolean> => markSentTogether({ hold, serverAnswer }),

    /** Refused for good, or out of tries. */
    markFailed(followUp: ClaimedFollowUp, serverAnswer: string): Promise<boolean> {
      return settle(followUp, { state: 'failed', server_answer: serverAnswer });
    },

    /**
     * Gives the row back for a later try.
     * @param later.usesTry - false when the mail itself was never tried: an outage uses none up
     * @param later.serverAnswer - the one that is kept already, unless given
     */
    release(
      followUp: ClaimedFollowUp,
      later: { readonly delaySeconds: number; readonly usesTry: boolean; readonly serverAnswer?: string },
    ): Promise<boolean> {
      const { delaySeconds, usesTry, serverAnswer } = later;
      return settle(followUp, {
        state: 'pending',
        attempts: usesTry ? followUp.attempts : followUp.attempts - 1,
        available_at: inSeconds(delaySeconds),
        sweep_at: inSeconds(delaySeconds),
        ...(serverAnswer === undefined ? {} : { server_answer: serverAnswer }),
      });
    },

    /**
     * Finds rows that should have been settled by now and puts off their next sweep, so that of several sweeps one
     * finds each row.
     */
    async takeOverdue(limit: number): Promise<StoredFollowUp[]> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: StoredFollowUp[] }>(
          `update follow_ups set sweep_at = now() + make_interval(secs => :again)
           where id in (
             select id from follow_ups
             where state in ('pending', 'sending') and sweep_at <= now()
             order by sweep_at limit :limit for update skip locked
           )
           returning id, kind`,
          { again: sweptAgainAfterSeconds, limit },
        ),
      );
      return rows;
    },

    /** @throws {DatabaseUnavailableError} while the database takes no writes: nobody can say then what was sent */
    check: (): Promise<void> => checkWritable(db),
  };
}

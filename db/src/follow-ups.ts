import { randomUUID } from 'node:crypto';
import type { FollowUpKind, FollowUpState } from '@dune-tide/domain/follow-ups';
import type { LeadKind } from '@dune-tide/domain/leads';
import { portfolioMailsPerHour } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { reachDatabase } from './unavailable.ts';

/** A follow-up that a worker holds; only the holder of the lease may settle it. */
export interface ClaimedFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
  readonly recipient: string;
  readonly messageId: string;
  /** This try included. */
  readonly attempts: number;
  readonly lease: string;
  readonly leadId: string;
  readonly leadKind: LeadKind;
  readonly leadCreatedAt: Date;
}

/** What holds a row, known before it is asked for. */
export type Hold = Pick<ClaimedFollowUp, 'id' | 'lease'>;

/** `capped`: the address had its portfolio mails of this hour, and the row is withheld. */
export type Claim =
  | { readonly outcome: 'claimed'; readonly followUp: ClaimedFollowUp }
  | { readonly outcome: 'capped'; readonly leadId: string }
  | { readonly outcome: 'taken' };

/** What the sweep found waiting. */
export interface OverdueFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/** How long a found row is left to its job before it is looked for again. */
const sweptAgainAfterSeconds = 30;
/** The sweep comes this long after a lease or a delay ends, so that it does not race the claim. */
const sweepGraceSeconds = 1;

const claimable = `f.state in ('pending', 'sending') and f.available_at <= now()`;

/**
 * The ledger of follow-ups. Every change of state is a compare-and-swap, so of two workers one wins and the other
 * learns that it lost.
 * @param db - a pool or a transaction
 */
export function followUpLedger(db: Knex) {
  /** @returns whether the lease still held */
  async function settle(followUp: Hold, changes: Record<string, unknown>): Promise<boolean> {
    const settled = await reachDatabase(
      db('follow_ups')
        .where({ id: followUp.id, lease: followUp.lease, state: 'sending' })
        .update({ ...changes, lease: null, updated_at: db.fn.now() }),
    );
    return settled === 1;
  }

  async function claimRow(
    connection: Knex,
    { id, lease }: Hold,
    leaseSeconds: number,
  ): Promise<ClaimedFollowUp | undefined> {
    const { rows } = await connection.raw<{ rows: Omit<ClaimedFollowUp, 'lease'>[] }>(
      `update follow_ups f
       set state = 'sending', lease = :lease, attempts = f.attempts + 1, updated_at = now(),
           available_at = now() + make_interval(secs => :leaseSeconds),
           sweep_at = now() + make_interval(secs => :sweepSeconds)
       from leads l
       where l.id = f.lead_id and f.id = :id and ${claimable}
       returning f.id, f.kind, f.recipient, f.message_id as "messageId", f.attempts,
                 l.id as "leadId", l.kind as "leadKind", l.created_at as "leadCreatedAt"`,
      { id, lease, leaseSeconds, sweepSeconds: leaseSeconds + sweepGraceSeconds },
    );
    return rows[0] && { ...rows[0], lease };
  }

  /** Mail hosts deliver whatever the letters' case, so the case makes no other address. */
  async function isCapped(transaction: Knex, id: string): Promise<boolean> {
    // Two rows for one address must not both see room for one more.
    const { rows: locked } = await transaction.raw<{ rows: { address: string }[] }>(
      `select lower(recipient) as address, pg_advisory_xact_lock(hashtextextended(lower(recipient), 0))
       from follow_ups where id = :id`,
      { id },
    );
    const [row] = locked;
    if (!row) return false;
    // With the address as a value PostgreSQL finds the rows by their index even while it knows nothing of the table yet;
    // joined to the row it would read every portfolio mail there is.
    const { rows } = await transaction.raw<{ rows: { count: number }[] }>(
      `select count(*)::integer as count from follow_ups
       where kind = 'portfolio_pdf' and lower(recipient) = :address and id <> :id
         and state in ('sending', 'sent')
         and (state = 'sending' or sent_at > now() - interval '1 hour')`,
      { id, address: row.address },
    );
    return (rows[0]?.count ?? 0) >= portfolioMailsPerHour;
  }

  return {
    /**
     * Takes hold of a row that is due: one that waits, or one whose holder let the lease run out.
     * @param leaseSeconds - longer than the longest send
     * @param lease - a new one; a claimant whose claim fails can tell by it what to give back
     * @throws {DatabaseUnavailableError} when the row may be held all the same; see `giveBack`
     */
    async claim(id: string, kind: FollowUpKind, leaseSeconds: number, lease: string = randomUUID()): Promise<Claim> {
      if (kind !== 'portfolio_pdf') {
        const followUp = await reachDatabase(claimRow(db, { id, lease }, leaseSeconds));
        return followUp ? { outcome: 'claimed', followUp } : { outcome: 'taken' };
      }
      return reachDatabase(
        db.transaction(async (transaction): Promise<Claim> => {
          if (await isCapped(transaction, id)) {
            const { rows } = await transaction.raw<{ rows: { leadId: string }[] }>(
              `update follow_ups f set state = 'withheld', lease = null, updated_at = now(),
                 server_answer = 'Not mailed: the address had its portfolio mails of this hour'
               where f.id = :id and ${claimable}
               returning f.lead_id as "leadId"`,
              { id },
            );
            return rows[0] ? { outcome: 'capped', leadId: rows[0].leadId } : { outcome: 'taken' };
          }
          const followUp = await claimRow(transaction, { id, lease }, leaseSeconds);
          return followUp ? { outcome: 'claimed', followUp } : { outcome: 'taken' };
        }),
      );
    },

    /**
     * Undoes a claim that nobody acted on, because its reply was lost; nothing when it never took hold of the row.
     * @throws {DatabaseUnavailableError}
     */
    async giveBack(hold: Hold): Promise<void> {
      await settle(hold, {
        state: 'pending',
        attempts: db.raw('attempts - 1'),
        available_at: db.fn.now(),
        sweep_at: db.fn.now(),
      });
    },

    /** @returns how long the lease still holds; 0 when it ended or another holds the row */
    async leaseSecondsLeft({ id, lease }: Hold): Promise<number> {
      const row = await reachDatabase(
        db('follow_ups')
          .where({ id, lease, state: 'sending' })
          .first<{ seconds: number } | undefined>(
            db.raw('greatest(0, extract(epoch from available_at - now()))::double precision as seconds'),
          ),
      );
      return row?.seconds ?? 0;
    },

    /** The mail server took it. */
    markSent(followUp: ClaimedFollowUp, serverAnswer: string): Promise<boolean> {
      return settle(followUp, { state: 'sent', sent_at: db.fn.now(), server_answer: serverAnswer });
    },

    /** Refused for good, or out of tries. */
    markFailed(followUp: ClaimedFollowUp, serverAnswer: string): Promise<boolean> {
      return settle(followUp, { state: 'failed', server_answer: serverAnswer });
    },

    /**
     * Gives the row back for a later try.
     * @param counts - false when the mail itself was never tried: an outage uses no chance up
     */
    release(
      followUp: ClaimedFollowUp,
      { delaySeconds, counts, serverAnswer }: { delaySeconds: number; counts: boolean; serverAnswer: string },
    ): Promise<boolean> {
      return settle(followUp, {
        state: 'pending',
        attempts: counts ? followUp.attempts : followUp.attempts - 1,
        available_at: db.raw('now() + make_interval(secs => ?)', [delaySeconds]),
        sweep_at: db.raw('now() + make_interval(secs => ?)', [delaySeconds]),
        server_answer: serverAnswer,
      });
    },

    /**
     * Finds rows that should have been settled by now and puts off their next sweep, so that of several sweeps one
     * finds each row.
     */
    async takeOverdue(limit: number): Promise<OverdueFollowUp[]> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: OverdueFollowUp[] }>(
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

    /** How many rows are in each state, exactly and at the same cost at any size; no state without rows. */
    async countByState(): Promise<Partial<Record<FollowUpState, number>>> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: { state: FollowUpState; count: string }[] }>(
          `select state, sum(count) as count from follow_up_counts group by state having sum(count) <> 0`,
        ),
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
  };
}

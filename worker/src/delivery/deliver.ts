/*
 * The delivery of a follow-up, whatever its transport. The row in the database is the only state; a job in the queue
 * is only a wake-up. A follow-up is in one of six states:
 *
 *   pending     It is due from `available_at` on. Any worker may claim it.
 *   sending     One worker holds it: the row has that worker's lease, which ends at `available_at`.
 *   sent        The receiver accepted it.
 *   failed      The receiver rejected it permanently, or it has no tries left.
 *   withheld    The address has received its portfolio emails for this hour.
 *   cancelled   Staff decided that it is not to be sent.
 *
 * Transitions:
 *
 *   (none) → pending      The API writes the row in the transaction of the change that requires it.
 *   pending → sending     A worker claims it: one more try, a new lease.
 *   sending → sending     The lease has ended, because its worker died or stood still. Another worker claims it.
 *   pending, sending → withheld
 *                         The claim finds that the address has had enough. No try is used.
 *   sending → sent        The transport returned `sent`.
 *   sending → failed      The transport returned `permanent`, or `temporary` on the last try; or the row was claimed
 *                         more often than it has tries.
 *   sending → pending     The worker puts it off. After `temporary` the try counts and the delays grow. After `outage`,
 *                         or while the lane for retries is full, the try does not count. If the worker cannot start to
 *                         send in time or is closing, it gives the row back immediately with all its tries.
 *   failed, withheld, cancelled → pending; pending, failed, withheld → cancelled
 *                         Staff or an operator (db/src/follow-up-admin.ts), never on a row in `sending`.
 *
 * Each transition is a compare-and-swap: a worker settles a row only while the row has its lease, so of two workers one
 * wins and the other records `leaseLost`. The sweep (sweep.ts) adds a wake-up for every row in `pending` or `sending`
 * whose time has passed, so a wake-up may be lost or come twice.
 *
 * What was sent must be recorded. While the database is unavailable, the worker keeps trying to write the outcome and,
 * if that was `sent`, notes it on disk (sent-notes.ts). A worker that starts writes these notes before it claims anything.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Claim, ClaimedFollowUp, followUpClaims, Hold } from '@dune-tide/db/follow-up-claims';
import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { codeOf } from '@dune-tide/platform/system-error';
import type { LimitFunction } from 'p-limit';
import type { Gate } from './gate.ts';
import { maxAttempts, outageDelaySeconds, retryDelaySeconds } from './retry-delay.ts';
import type { RetryLane } from './retry-lane.ts';
import type { SentNotes } from './sent-notes.ts';
import type { Lease, Outcome, Transports } from './transport.ts';

export interface DeliveryDependencies {
  readonly followUps: ReturnType<typeof followUpClaims>;
  readonly transports: Transports;
  readonly logger: Logger;
  readonly sentNotes: SentNotes;
  /** Claims that no delivery acts on. The sweep gives their rows back. */
  readonly orphanedClaims: Set<Hold>;
  /**
   * Ids of rows that this worker works on, until their outcome is written. It does not claim them again if their leases
   * end in the meantime, or seem to because the database's clock was set.
   */
  readonly inProgress: Set<string>;
  /** What is claimed and not sent yet. */
  readonly claims: Gate;
  /** What is sent concurrently. */
  readonly sends: LimitFunction;
  /** The part of it that was tried before. */
  readonly retries: RetryLane;
  /** Aborted when nothing more is to be sent. */
  readonly closing: AbortSignal;
}

/** A row whose turn comes later is given back then. */
const longestWaitSeconds = 30;
/** What a statement that prolongs a lease, or writes the outcome, may take. */
const statementSeconds = 10;
/** A claim as young as this holds. Later the row is looked at again, in case this process was suspended. */
const freshMs = 1_000;
/** The sweep waits for longer once the database is back, so that what was sent is recorded before anything is sent again. */
export const settleRetryMs = 500;
const warningEveryMs = 60_000;
const longestAnswer = 500;

/** A claim, and until when it holds by this worker's own clock. */
interface Held {
  readonly followUp: ClaimedFollowUp;
  /** By `performance.now()`, before the claim was asked for. */
  readonly claimedAt: number;
  readonly leaseSeconds: number;
}

/**
 * Delivers one follow-up: claims its row, has its transport send it, and writes the outcome to the row. A wake-up for a
 * row that is settled, held by another worker or not due does nothing.
 */
export async function deliver({ id, kind }: WakeUp, dependencies: DeliveryDependencies): Promise<void> {
  const { transports, logger, claims, sends, retries, closing, inProgress } = dependencies;
  const leaveClaims = await claims.enter();
  // The sweep comes back to it.
  if (closing.aborted || inProgress.has(id)) return leaveClaims();
  inProgress.add(id);
  try {
    const claimedAt = performance.now();
    const leaseSeconds = longestWaitSeconds + transports[kind].limits.sendSeconds + statementSeconds;
    const claim = await takeHold(id, leaseSeconds, dependencies);
    if (claim.outcome !== 'claimed') {
      logger.info({ followUpId: id, kind, ...claim }, 'follow-up');
      return;
    }
    const { followUp } = claim;
    const send = () =>
      sends(async () => {
        leaveClaims();
        const isLate = performance.now() > claimedAt + longestWaitSeconds * 1000;
        return isLate || closing.aborted ? undefined : attempt({ followUp, claimedAt, leaseSeconds }, dependencies);
      });
    const isRetry = followUp.attempts > 1;
    // A retry may wait long in its lane; inside the gate it would keep new rows out.
    if (isRetry) leaveClaims();
    const ending = await (isRetry ? retries.run(send, laneFull) : send());
    if (!ending || (ending === laneFull && closing.aborted)) return await giveBack(followUp, dependencies);
    const settled = await settle(followUp, ending, dependencies);
    logger.info(
      {
        followUpId: id,
        leadId: followUp.leadId,
        kind,
        attempts: followUp.attempts,
        messageId: followUp.messageId,
        outcome: ending.result,
        ...(settled ? {} : { leaseLost: true }),
      },
      'follow-up',
    );
  } finally {
    inProgress.delete(id);
    leaveClaims();
  }
}

/** Claims a row. If the answer is lost, the claim is noted for the sweep; else it would hold the row until its lease ends. */
async function takeHold(
  id: string,
  leaseSeconds: number,
  { followUps, orphanedClaims }: DeliveryDependencies,
): Promise<Claim> {
  const lease = randomUUID();
  try {
    return await followUps.claim(id, leaseSeconds, lease);
  } catch (error) {
    orphanedClaims.add({ id, lease });
    throw error;
  }
}

/** If this fails, the sweep gives the row back. */
async function giveBack({ id, lease }: Hold, { followUps, orphanedClaims }: DeliveryDependencies): Promise<void> {
  const hold = { id, lease };
  orphanedClaims.add(hold);
  await followUps.giveBack([hold]);
  orphanedClaims.delete(hold);
}

/** How a delivery ends: as the transport returned it, or without an answer, in which case the row keeps its last one. */
type Ending =
  | Outcome
  | { readonly result: 'abandoned'; readonly answer: string; readonly error?: undefined }
  | { readonly result: 'lane_full' | 'database_unavailable'; readonly answer?: undefined; readonly error?: unknown };

const laneFull: Ending = { result: 'lane_full' };

async function attempt(held: Held, dependencies: DeliveryDependencies): Promise<Ending> {
  const { followUp } = held;
  const { transports, logger } = dependencies;
  // A row whose worker dies each time never reports a failure; its claims are counted all the same.
  if (followUp.attempts > maxAttempts) return { result: 'abandoned', answer: 'Out of tries' };
  const over = new AbortController();
  let ending: Ending;
  try {
    const lease = leaseOf(held, over.signal, dependencies);
    ending = await transports[followUp.kind].send(followUp, lease, followUp.attempts === 1);
  } catch (error) {
    ending = endingOf(error);
  } finally {
    over.abort();
  }
  if (ending.error !== undefined) {
    logger.warn({ followUpId: followUp.id, fault: ending.result, error: describeError(ending.error) }, 'not sent');
  }
  return ending;
}

function endingOf(error: unknown): Ending {
  if (error instanceof DatabaseUnavailableError) return { result: 'database_unavailable', error };
  return { result: 'temporary', answer: codeOf(error) ?? (error instanceof Error ? error.name : 'unknown'), error };
}

/** @param over - aborted when the lease is not needed any more */
function leaseOf(
  { followUp, claimedAt, leaseSeconds }: Held,
  over: AbortSignal,
  { followUps, transports, logger }: DeliveryDependencies,
): Lease {
  return {
    async holdsUntil() {
      const asked = performance.now();
      if (asked < claimedAt + freshMs) return claimedAt + leaseSeconds * 1000;
      return asked + (await followUps.leaseSecondsLeft(followUp)) * 1000;
    },
    prolong() {
      const warn = (error: unknown): void => {
        logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'lease not prolonged');
      };
      const seconds = transports[followUp.kind].limits.prolongedSeconds + statementSeconds;
      retryUntilDatabaseBack(() => followUps.prolong(followUp, seconds), warn, over).catch(warn);
    },
  };
}

/** PostgreSQL stores no U+0000 in a text. */
const truncateAnswer = (answer: string): string => answer.replaceAll('\0', '').slice(0, longestAnswer);

function record(
  followUp: ClaimedFollowUp,
  { result, answer }: Ending,
  followUps: DeliveryDependencies['followUps'],
): Promise<boolean> {
  if (answer === undefined) return followUps.release(followUp, { delaySeconds: outageDelaySeconds(), usesTry: false });
  const serverAnswer = truncateAnswer(answer);
  if (result === 'sent') return followUps.markSent(followUp, serverAnswer);
  if (result === 'outage')
    return followUps.release(followUp, { delaySeconds: outageDelaySeconds(), usesTry: false, serverAnswer });
  if (result === 'temporary' && followUp.attempts < maxAttempts) {
    return followUps.release(followUp, {
      delaySeconds: retryDelaySeconds(followUp.attempts),
      usesTry: true,
      serverAnswer,
    });
  }
  return followUps.markFailed(followUp, serverAnswer);
}

/**
 * Writes the outcome, however long the database is unavailable: a follow-up that was sent and whose row does not record
 * it would be sent again. The row is still ours unless another worker claimed it. In the meantime a note on disk records
 * the outcome, in case this process ends.
 * @returns whether the row was still ours
 */
async function settle(
  followUp: ClaimedFollowUp,
  ending: Ending,
  { followUps, logger, sentNotes }: DeliveryDependencies,
): Promise<boolean> {
  let noted: Promise<void> | undefined;
  const note = async (answer: string): Promise<void> => {
    try {
      await sentNotes.add(followUp, truncateAnswer(answer));
    } catch (error) {
      // The disk may have been full for a moment.
      noted = undefined;
      logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'sent follow-up not noted');
    }
  };
  const warn = async (error: DatabaseUnavailableError): Promise<void> => {
    if (ending.result === 'sent') await (noted ??= note(ending.answer));
    logger.warn(
      { followUpId: followUp.id, outcome: ending.result, error: describeError(error) },
      'outcome not written',
    );
  };
  const settled = await retryUntilDatabaseBack(
    () => record(followUp, ending, followUps),
    (error) => void warn(error),
  );
  return settled === true;
}

/** Writes what earlier processes could not. */
export async function settleNotes({
  followUps,
  logger,
  sentNotes,
}: Pick<DeliveryDependencies, 'followUps' | 'logger' | 'sentNotes'>): Promise<void> {
  try {
    await retryUntilDatabaseBack(
      () =>
        sentNotes.takeUp(
          (hold, answer) => followUps.markSent(hold, answer),
          (error) => logger.error({ error: describeError(error) }, 'note of a sent follow-up not read'),
        ),
      (error) => logger.warn({ error: describeError(error) }, 'notes of sent follow-ups not written'),
    );
  } catch (error) {
    // Follow-ups that wait are worth more than notes that cannot be read.
    logger.error({ error: describeError(error) }, 'notes of sent follow-ups not read');
  }
}

/**
 * Retries a statement for as long as the database is unavailable.
 * @param warn - called with the error, once a minute
 * @param over - aborted when the statement is not wanted any more
 * @returns what the statement returned; undefined if it was not wanted any more
 * @throws any other error of the statement
 */
async function retryUntilDatabaseBack<Result>(
  write: () => Promise<Result>,
  warn: (error: DatabaseUnavailableError) => void,
  over?: AbortSignal,
): Promise<Result | undefined> {
  let warned = -Infinity;
  for (;;) {
    if (over?.aborted) return undefined;
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      if (performance.now() >= warned + warningEveryMs) {
        warned = performance.now();
        warn(error);
      }
      await pause(settleRetryMs);
    }
  }
}

/*
 * The delivery of a follow-up, whatever its transport. The row in the database is the only state; a job in the queue
 * is only a wake-up. A follow-up is in one of six states:
 *
 *   pending     It is due from `available_at` on. Any worker may claim it.
 *   sending     One worker holds it: the row has that worker's lease, which ends at `available_at`.
 *   sent        The receiver accepted it.
 *   failed      The receiver rejected it permanently, or it has no attempts left.
 *   withheld    An email limit is reached, or the mailbox is opted out.
 *   cancelled   Staff or an operator decided not to send it.
 *
 * Transitions:
 *
 *   (none) → pending      The API writes the row in the transaction of the change that requires it.
 *   pending → sending     A worker claims it: one more attempt, a new lease.
 *   sending → sending     The lease has expired because its worker died or was suspended. Another worker claims it.
 *   pending, sending → withheld
 *                         The claim finds that an email limit is reached or the mailbox is opted out. No attempt is used.
 *   pending → pending     The claim finds that staff got many notices: the row is collected in a digest, which is a
 *                         follow-up itself. No worker claims the row again; settling the digest settles it too.
 *   sending → sent        The transport returned `sent`.
 *   sending → failed      The transport returned `permanent`, or `temporary` or `doubtful` on the last attempt; or the row
 *                         was claimed more often than it has attempts.
 *   sending → pending     The worker releases it with a delay. After `temporary` and `doubtful`, the attempt counts and
 *                         the delays grow. After `outage`, or while the retry lane is full, the attempt does not count.
 *                         If the worker cannot start to send in time or is closing, it releases the row without a
 *                         delay, and the attempt does not count.
 *   sending → cancelled   The worker would release it, but staff have marked its lead as spam in the meantime; or the
 *                         transport returned `needless`, because what it would report has changed.
 *   failed, withheld, cancelled → pending; pending, failed, withheld → cancelled
 *                         Staff or an operator (db/src/follow-ups/admin.ts), never on a row in `sending`.
 *
 * While an outage of the receiver or of the database lasts, no row is claimed: deliveries wait for its end, and the rows
 * stay as they are (platform/src/outage.ts).
 *
 * Each transition is a compare-and-swap: a worker settles a row only while the row has its lease. If two workers race,
 * one wins and the other logs `leaseLost`. The sweep (sweep.ts) adds a wake-up for every row in `pending` or `sending`
 * whose time has passed, so a wake-up may be lost or duplicated.
 *
 * A row that was sent must become `sent`, or it would be sent again. While the database is unavailable, the worker keeps
 * retrying to write the outcome and, if it is `sent`, notes it on disk (sent-notes.ts). Once the outcome is written, it
 * deletes the note. When a worker starts, it writes the outcomes in notes that a crash left behind to the database before
 * it claims any row.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import type { SharedText, Claim, ClaimedFollowUp, followUpClaims, LeasedRow } from '@dune-tide/db/follow-ups';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage, type Pass } from '@dune-tide/platform/outage';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { codeOf } from '@dune-tide/platform/system-error';
import type { LimitFunction } from 'p-limit';
import type { Gate } from './gate.ts';
import {
  laneDelaySeconds,
  maxAttempts,
  maxDoubtfulAttempts,
  outageDelaySeconds,
  retryDelaySeconds,
} from './retry-delay.ts';
import type { RetryLane } from './retry-lane.ts';
import type { SentNotes } from './sent-notes.ts';
import type { Lease, Outcome, Transport, Transports } from './transport.ts';

export interface DeliveryDependencies {
  readonly followUps: ReturnType<typeof followUpClaims>;
  readonly transports: Transports;
  readonly logger: Logger;
  readonly sentNotes: SentNotes;
  /** Claims whose response was lost or whose release failed. The sweep releases their rows. */
  readonly orphanedClaims: Set<LeasedRow>;
  /**
   * Ids of the rows that this worker is delivering, until their outcome is written. It does not claim them again if
   * their leases expire in the meantime, or seem to expire because the database's clock was changed.
   */
  readonly inProgress: Set<string>;
  /** Limits the rows that are claimed and not yet sent. */
  readonly claims: Gate;
  /** Limits the sends in progress. */
  readonly sends: LimitFunction;
  /** Limits the sends in progress that are retries. */
  readonly retries: RetryLane;
  /** The state of the database; undefined if it is always tried. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes and must not start another send. */
  readonly closing: AbortSignal;
}

/**
 * A job that has waited longer for the end of an outage is dropped, so that a worker without an outage can find its row.
 * At that time the sweep finds rows again, see `sweptAgainAfterSeconds`.
 */
const outagePatienceMs = 30_000;
/** A claimed row that has waited longer for a connection is released, not sent. */
const longestWaitSeconds = 30;
/** The time for a statement that prolongs a lease or writes the outcome. */
const statementSeconds = 10;
/**
 * If the claim is older, its lease is read from the database before the send, because this process may have been
 * suspended.
 */
const freshMs = 1_000;
/**
 * The pause between two attempts to write an outcome. After an outage of the database, rows whose leases have expired
 * are claimed later than this (`every.ts`).
 */
const settleRetryMs = 500;
const warningEveryMs = 60_000;
const longestResponse = 500;

/** A claim with its times by this worker's clock. */
export interface TimedClaim {
  readonly transport: Transport;
  readonly followUp: ClaimedFollowUp;
  /** The value of `performance.now()` before the row was claimed. */
  readonly claimedAt: number;
  readonly leaseSeconds: number;
}

/**
 * Delivers one follow-up: claims its row, sends it with its transport, and writes the outcome to the row. Does nothing
 * if the row is settled, held by another worker or not due.
 */
export async function deliver(wakeUp: WakeUp, dependencies: DeliveryDependencies): Promise<void> {
  const { transports, claims, databaseOutage, closing, inProgress } = dependencies;
  const { id, kind } = wakeUp;
  const transport = transports[kind];
  if (!transport) throw new TypeError(`Follow-ups of kind ${kind} have no jobs`);
  for (;;) {
    const pass = await enterAll([databaseOutage, transport.outage]);
    // The sweep finds the row again.
    if (!pass) return;
    const leaveClaims = await claims.enter();
    if (closing.aborted || inProgress.has(id)) return leaveClaims();
    if (pass === 'free' && (databaseOutage?.isOut || transport.outage?.isOut)) {
      leaveClaims();
      continue;
    }
    inProgress.add(id);
    try {
      return await claimAndSend(wakeUp, { transport, pass, leaveClaims }, dependencies);
    } finally {
      inProgress.delete(id);
      leaveClaims();
    }
  }
}

/** Waits for the end of all outages. @returns undefined if one of them lasts longer, or the worker closes */
async function enterAll(outages: readonly (Outage | undefined)[]): Promise<Pass | undefined> {
  let pass: Pass | undefined = 'free';
  for (const outage of outages) if (pass && outage?.isOut) pass = await outage.enter(outagePatienceMs);
  return pass;
}

interface Entry {
  readonly transport: Transport;
  /** A trial is sent although the transport's outage lasts. */
  readonly pass: Pass;
  readonly leaveClaims: () => void;
}

async function claimAndSend(
  { id, kind }: WakeUp,
  { transport, pass, leaveClaims }: Entry,
  dependencies: DeliveryDependencies,
): Promise<void> {
  const { logger, sends, retries, closing } = dependencies;
  const claimedAt = performance.now();
  const leaseSeconds = leaseSecondsOf(transport);
  const claim = await claimRow(id, leaseSeconds, dependencies);
  if (claim.outcome !== 'claimed') {
    logger[claim.outcome === 'taken' ? 'debug' : 'info']({ followUpId: id, kind, ...claim }, 'follow-up');
    return;
  }
  const { followUp } = claim;
  const send = () =>
    sends(async () => {
      leaveClaims();
      const isLate = performance.now() > claimedAt + longestWaitSeconds * 1000;
      const isPointless = pass === 'free' && transport.outage?.isOut;
      return isLate || isPointless || closing.aborted
        ? undefined
        : attempt({ transport, followUp, claimedAt, leaseSeconds }, dependencies);
    });
  const isRetry = followUp.attempts > 1;
  // A retry may wait long in its lane. Inside the gate it would block new rows.
  if (isRetry) leaveClaims();
  const outcome = await (isRetry ? retries.run(send, laneFull) : send());
  if (!outcome || (outcome === laneFull && closing.aborted)) return releaseClaim(followUp, dependencies);
  await settleAndLog(transport, followUp, outcome, dependencies);
}

/** Returns the length of the lease of a claim, in seconds. */
export function leaseSecondsOf({ limits }: Transport): number {
  return longestWaitSeconds + limits.sendSeconds + statementSeconds;
}

/** The dependencies of a send without a job. */
export type SendDependencies = Pick<DeliveryDependencies, 'followUps' | 'logger' | 'sentNotes' | 'databaseOutage'>;

/**
 * Sends a follow-up that is claimed without a job, and writes the outcome to its row.
 * @returns the result of the attempt
 */
export async function sendClaimed(
  claim: TimedClaim,
  dependencies: SendDependencies,
): Promise<AttemptOutcome['result']> {
  const outcome = await attempt(claim, dependencies);
  await settleAndLog(claim.transport, claim.followUp, outcome, dependencies);
  return outcome.result;
}

/** Writes the outcome to the row, and logs it. */
async function settleAndLog(
  transport: Transport,
  followUp: ClaimedFollowUp,
  outcome: AttemptOutcome,
  dependencies: SendDependencies,
): Promise<void> {
  const level = levelOf(outcome, transport, dependencies, 'info');
  const settled = await settle(followUp, outcome, dependencies);
  dependencies.logger[level](
    {
      followUpId: followUp.id,
      leadId: followUp.leadId,
      kind: followUp.kind,
      attempts: followUp.attempts,
      messageId: followUp.messageId,
      outcome: outcome.result,
      ...(settled ? {} : { leaseLost: true }),
    },
    'follow-up',
  );
}

/** Returns the level of a line about an outcome. One line about an outage is enough for all follow-ups. */
function levelOf(
  { result }: AttemptOutcome,
  { outage }: Transport,
  { databaseOutage }: SendDependencies,
  otherwise: 'info' | 'warn',
) {
  if (result === 'outage' || result === 'temporary') return levelDuring(outage, otherwise);
  return result === 'database_unavailable' ? levelDuring(databaseOutage, otherwise) : otherwise;
}

/** Claims a row. If the response is lost, the sweep releases the row before its lease expires. */
async function claimRow(
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

/** Releases a row without a delay. If this fails, the sweep releases it. */
async function releaseClaim(
  { id, lease }: LeasedRow,
  { followUps, orphanedClaims }: DeliveryDependencies,
): Promise<void> {
  const claim = { id, lease };
  orphanedClaims.add(claim);
  await followUps.releaseUnsent([claim]);
  orphanedClaims.delete(claim);
}

/** The result of a delivery. If it has no response, the row keeps the previous one. */
type AttemptOutcome =
  | Outcome
  | { readonly result: 'abandoned'; readonly serverResponse: string; readonly error?: undefined }
  | {
      readonly result: 'lane_full' | 'database_unavailable';
      readonly serverResponse?: undefined;
      readonly error?: unknown;
    };

const laneFull: AttemptOutcome = { result: 'lane_full' };

async function attempt(claim: TimedClaim, dependencies: SendDependencies): Promise<AttemptOutcome> {
  const { followUp, transport } = claim;
  const { logger } = dependencies;
  // A worker that dies during the send reports no failure, but its claim was counted as an attempt.
  if (followUp.attempts > maxAttempts) return { result: 'abandoned', serverResponse: 'Out of attempts' };
  const over = new AbortController();
  let outcome: AttemptOutcome;
  try {
    const lease = leaseOf(claim, over.signal, dependencies);
    outcome = await transport.send(followUp, lease, followUp.attempts === 1);
  } catch (error) {
    outcome = outcomeOf(error);
  } finally {
    over.abort();
  }
  if (outcome.error !== undefined) {
    const level = levelOf(outcome, transport, dependencies, 'warn');
    logger[level]({ followUpId: followUp.id, fault: outcome.result, error: describeError(outcome.error) }, 'not sent');
  }
  return outcome;
}

function outcomeOf(error: unknown): AttemptOutcome {
  if (error instanceof DatabaseUnavailableError) return { result: 'database_unavailable', error };
  return {
    result: 'temporary',
    serverResponse: codeOf(error) ?? (error instanceof Error ? error.name : 'unknown'),
    error,
  };
}

/** @param over - aborted when the lease is no longer needed */
function leaseOf(
  { followUp, transport, claimedAt, leaseSeconds }: TimedClaim,
  over: AbortSignal,
  { followUps, logger, databaseOutage }: SendDependencies,
): Lease {
  return {
    async holdsUntil() {
      const asked = performance.now();
      if (asked < claimedAt + freshMs) return claimedAt + leaseSeconds * 1000;
      return asked + (await followUps.leaseSecondsLeft(followUp)) * 1000;
    },
    prolong() {
      const warn = (error: unknown): void => {
        logger[levelDuring(databaseOutage)](
          { followUpId: followUp.id, error: describeError(error) },
          'lease not prolonged',
        );
      };
      const seconds = transport.limits.prolongedSeconds + statementSeconds;
      retryUntilDatabaseBack(() => followUps.prolong(followUp, seconds), warn, over).catch(warn);
    },
  };
}

/** Shortens a response and removes U+0000, which PostgreSQL cannot store. */
const truncateResponse = (serverResponse: string): string =>
  serverResponse.replaceAll('\0', '').slice(0, longestResponse);

function record(
  followUp: ClaimedFollowUp,
  outcome: AttemptOutcome,
  followUps: DeliveryDependencies['followUps'],
): Promise<boolean> {
  if (outcome.serverResponse === undefined) {
    const delaySeconds = outcome.result === 'lane_full' ? laneDelaySeconds() : outageDelaySeconds();
    return followUps.release(followUp, { delaySeconds, usesTry: false });
  }
  const serverResponse = truncateResponse(outcome.serverResponse);
  if (outcome.result === 'sent') return followUps.markSent(followUp, serverResponse, outcome.text);
  const { result } = outcome;
  if (result === 'needless') return followUps.markCancelled(followUp, serverResponse);
  if (result === 'outage')
    return followUps.release(followUp, { delaySeconds: outageDelaySeconds(), usesTry: false, serverResponse });
  const triesAtMost = { temporary: maxAttempts, doubtful: maxDoubtfulAttempts, permanent: 0, abandoned: 0 }[result];
  if (followUp.attempts < triesAtMost) {
    return followUps.release(followUp, {
      delaySeconds: Math.max(
        retryDelaySeconds(followUp.attempts),
        ('waitSeconds' in outcome && outcome.waitSeconds) || 0,
      ),
      usesTry: true,
      serverResponse,
    });
  }
  return followUps.markFailed(followUp, serverResponse);
}

/**
 * Writes the outcome to the row, however long the database is unavailable. Until then, a note on disk records a sent
 * follow-up, because this process may end.
 * @returns whether this worker still held the row
 */
async function settle(
  followUp: ClaimedFollowUp,
  outcome: AttemptOutcome,
  { followUps, logger, sentNotes, databaseOutage }: SendDependencies,
): Promise<boolean> {
  let hasWarned = false;
  let noted: Promise<(() => Promise<void>) | undefined> | undefined;
  const note = async (serverResponse: string, text?: SharedText): Promise<(() => Promise<void>) | undefined> => {
    try {
      return await sentNotes.add(followUp, truncateResponse(serverResponse), text);
    } catch (error) {
      // The next warning writes the note again, because the disk may have been full only briefly.
      noted = undefined;
      logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'sent follow-up not noted');
      return undefined;
    }
  };
  const warn = async (error: DatabaseUnavailableError): Promise<void> => {
    if (outcome.result === 'sent') await (noted ??= note(outcome.serverResponse, outcome.text));
    // If this process ends before the outcome is written, this line shows which follow-ups may be sent again.
    const isNews = outcome.result === 'sent' && !hasWarned;
    hasWarned = true;
    logger[isNews ? 'warn' : levelDuring(databaseOutage)](
      { followUpId: followUp.id, outcome: outcome.result, error: describeError(error) },
      'outcome not written',
    );
  };
  const settled = await retryUntilDatabaseBack(
    () => record(followUp, outcome, followUps),
    (error) => void warn(error),
  );
  try {
    await (
      await noted
    )?.();
  } catch (error) {
    // The next start of a worker deletes it.
    logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'note of a sent follow-up not deleted');
  }
  return settled === true;
}

/** Reads the outcomes that earlier processes noted on disk and writes them to the database. */
export async function settleNotes({ followUps, logger, sentNotes, databaseOutage }: SendDependencies): Promise<void> {
  try {
    await retryUntilDatabaseBack(
      () =>
        sentNotes.adopt(
          (claim, serverResponse, text) => followUps.markSent(claim, serverResponse, text),
          (error) => logger.error({ error: describeError(error) }, 'note of a sent follow-up not read'),
        ),
      (error) =>
        logger[levelDuring(databaseOutage)]({ error: describeError(error) }, 'notes of sent follow-ups not written'),
    );
  } catch (error) {
    // Unreadable notes must not stop the delivery of all other follow-ups.
    logger.error({ error: describeError(error) }, 'notes of sent follow-ups not read');
  }
}

/**
 * Retries a statement while the database is unavailable.
 * @param warn - called with the error, at most once a minute
 * @param over - stops the retries when it is aborted
 * @returns the result of the statement; undefined if the retries were stopped
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

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Claim, ClaimedFollowUp, followUpClaims, Hold } from '@dune-tide/db/follow-up-claims';
import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import type { LimitFunction } from 'p-limit';
import type { Gate } from './gate.ts';
import type { ComposeDependencies } from './compose.ts';
import { jobs } from './jobs/jobs.ts';
import type { RetryLane } from './retry-lane.ts';
import type { SentNotes } from './sent-notes.ts';
import { classifyMailError, type MailFault } from './smtp/classify-error.ts';
import {
  answerDeadlineSeconds,
  promptAnswerSeconds,
  sendDeadlineSeconds,
  type Mailer,
  type MailLease,
} from './smtp/mailer.ts';
import { maxAttempts, outageDelaySeconds, retryDelaySeconds } from './smtp/retry-delay.ts';

export interface DeliveryDependencies extends ComposeDependencies {
  readonly followUps: ReturnType<typeof followUpClaims>;
  readonly mailer: Mailer;
  readonly logger: Logger;
  readonly sentNotes: SentNotes;
  /** Claims that nobody acts on; the sweep gives their rows back. */
  readonly lostClaims: Set<Hold>;
  /**
   * Ids of rows that this worker works on, until their outcome is written. It does not claim them again if their leases
   * end meanwhile, or seem to because the database's clock was set.
   */
  readonly inHand: Set<string>;
  /** What is claimed and not sent yet. */
  readonly claims: Gate;
  /** Mails that are sent at once. */
  readonly sends: LimitFunction;
  /** Those of them that were tried before. */
  readonly retries: RetryLane;
  /** Aborted when no further mail is to be sent. */
  readonly closing: AbortSignal;
}

/** A row whose turn comes later is given back then. */
const longestWaitSeconds = 30;
/** What a statement that prolongs a lease, or writes the outcome, may take. */
const statementSeconds = 10;
/** Until then nobody else touches the row. */
const leaseSeconds = longestWaitSeconds + sendDeadlineSeconds + promptAnswerSeconds + statementSeconds;
/** From then on, where the server has the whole mail and takes its time. */
const prolongedLeaseSeconds = answerDeadlineSeconds + statementSeconds;
/** A claim as young as this holds; later the row is looked at again, in case this process stood still without knowing. */
const freshMs = 1_000;
/** The sweep waits for longer once the database is back, so that what was sent is known before anything is sent again. */
export const settleRetryMs = 500;
const warningEveryMs = 60_000;
const longestAnswer = 500;

/**
 * Pays one follow-up: claims its row, writes and sends the mail, and keeps the outcome on the row. A wake-up for a row
 * that is settled, held by another worker or not due does nothing.
 */
export async function deliver({ id, kind }: WakeUp, dependencies: DeliveryDependencies): Promise<void> {
  const { logger, claims, sends, retries, closing, inHand } = dependencies;
  const leaveClaims = await claims.enter();
  // The sweep comes back to it.
  if (closing.aborted || inHand.has(id)) return leaveClaims();
  inHand.add(id);
  try {
    const claimed = performance.now();
    const claim = await takeHold(id, dependencies);
    if (claim.outcome !== 'claimed') {
      logger.info({ followUpId: id, kind, ...claim }, 'follow-up');
      return;
    }
    const { followUp } = claim;
    const send = () =>
      sends(async () => {
        leaveClaims();
        const isLate = performance.now() > claimed + longestWaitSeconds * 1000;
        return isLate || closing.aborted ? undefined : attempt(followUp, claimed, dependencies);
      });
    const isRetry = followUp.attempts > 1;
    // A retry may wait long in its lane; inside the gate it would keep new rows out.
    if (isRetry) leaveClaims();
    const outcome = await (isRetry ? retries.run(send, crowded) : send());
    if (!outcome || (outcome === crowded && closing.aborted)) return await giveBack(followUp, dependencies);
    const settled = await settle(followUp, outcome, dependencies);
    logger.info(
      {
        followUpId: id,
        leadId: followUp.leadId,
        kind,
        attempts: followUp.attempts,
        messageId: followUp.messageId,
        outcome: outcome.result,
        ...(settled ? {} : { leaseLost: true }),
      },
      'follow-up',
    );
  } finally {
    inHand.delete(id);
    leaveClaims();
  }
}

/** A claim whose answer was lost is noted for the sweep to give back; else it would hold the mail until its lease ends. */
async function takeHold(id: string, { followUps, lostClaims }: DeliveryDependencies): Promise<Claim> {
  const lease = randomUUID();
  try {
    return await followUps.claim(id, leaseSeconds, lease);
  } catch (error) {
    lostClaims.add({ id, lease });
    throw error;
  }
}

/** If this fails, the sweep gives the row back. */
async function giveBack({ id, lease }: Hold, { followUps, lostClaims }: DeliveryDependencies): Promise<void> {
  const hold = { id, lease };
  lostClaims.add(hold);
  await followUps.giveBack([hold]);
  lostClaims.delete(hold);
}

type Outcome =
  | { readonly result: 'sent' | 'abandoned' | MailFault; readonly answer: string }
  | { readonly result: 'crowded'; readonly answer?: undefined };

const crowded: Outcome = { result: 'crowded' };

/** @param claimed - by `performance.now()`, before the claim was asked for */
async function attempt(
  followUp: ClaimedFollowUp,
  claimed: number,
  dependencies: DeliveryDependencies,
): Promise<Outcome> {
  // A row whose worker dies each time never reports a fault; its claims are counted all the same.
  if (followUp.attempts > maxAttempts) return { result: 'abandoned', answer: 'Out of tries' };
  const over = new AbortController();
  try {
    const mail = await jobs[followUp.kind](followUp, dependencies);
    const answer = await dependencies.mailer.send(
      { ...mail, to: followUp.recipient, messageId: followUp.messageId },
      leaseOf(followUp, claimed, over.signal, dependencies),
      followUp.attempts === 1,
    );
    return { result: 'sent', answer };
  } catch (error) {
    const { fault, answer } = classifyMailError(error);
    dependencies.logger.warn({ followUpId: followUp.id, fault, error: describeError(error) }, 'not sent');
    return { result: fault, answer };
  } finally {
    over.abort();
  }
}

/**
 * @param claimed - by `performance.now()`, before the claim was asked for
 * @param over - aborted when the lease is not needed any more
 */
function leaseOf(
  followUp: ClaimedFollowUp,
  claimed: number,
  over: AbortSignal,
  { followUps, logger }: DeliveryDependencies,
): MailLease {
  return {
    async holdsUntil() {
      const asked = performance.now();
      if (asked < claimed + freshMs) return claimed + leaseSeconds * 1000;
      return asked + (await followUps.leaseSecondsLeft(followUp)) * 1000;
    },
    prolong() {
      const warn = (error: unknown): void => {
        logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'lease not prolonged');
      };
      untilWritten(() => followUps.prolong(followUp, prolongedLeaseSeconds), warn, over).catch(warn);
    },
  };
}

/** PostgreSQL keeps no U+0000 in a text. */
const keptOf = (answer: string): string => answer.replaceAll('\0', '').slice(0, longestAnswer);

function record(
  followUp: ClaimedFollowUp,
  { result, answer }: Outcome,
  followUps: DeliveryDependencies['followUps'],
): Promise<boolean> {
  // What the server said of its last try still holds.
  if (result === 'crowded') return followUps.release(followUp, { delaySeconds: outageDelaySeconds(), usesTry: false });
  const serverAnswer = keptOf(answer);
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
 * A sent mail whose row still says otherwise would go out again, so the outcome is written as soon as it can be, however
 * late: the row is still ours unless another worker claimed it. Meanwhile a note of it stands for this process, should
 * it end.
 * @returns whether it was
 */
async function settle(
  followUp: ClaimedFollowUp,
  outcome: Outcome,
  { followUps, logger, sentNotes }: DeliveryDependencies,
): Promise<boolean> {
  let noted: Promise<void> | undefined;
  const note = async (answer: string): Promise<void> => {
    try {
      await sentNotes.add(followUp, keptOf(answer));
    } catch (error) {
      // It may be a disk that was full for a moment.
      noted = undefined;
      logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'sent mail not noted');
    }
  };
  const warn = async (error: DatabaseUnavailableError): Promise<void> => {
    if (outcome.result === 'sent') await (noted ??= note(outcome.answer));
    logger.warn({ followUpId: followUp.id, error: describeError(error) }, 'outcome not written');
  };
  const settled = await untilWritten(
    () => record(followUp, outcome, followUps),
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
    await untilWritten(
      () =>
        sentNotes.takeUp(
          (hold, answer) => followUps.markSent(hold, answer),
          (error) => logger.error({ error: describeError(error) }, 'note of a sent mail not read'),
        ),
      (error) => logger.warn({ error: describeError(error) }, 'notes of sent mails not written'),
    );
  } catch (error) {
    // Mails that wait are worth more than notes that cannot be read.
    logger.error({ error: describeError(error) }, 'notes of sent mails not read');
  }
}

/**
 * Tries a statement for as long as the database is away.
 * @param warn - told of a fault, once a minute
 * @param over - aborted when the statement is not wanted any more
 * @returns what the statement returned; undefined when it was over before
 * @throws what the statement throws when it is not the database that is away
 */
async function untilWritten<Result>(
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

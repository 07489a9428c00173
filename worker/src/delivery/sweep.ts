import { setTimeout as pause } from 'node:timers/promises';
import type { followUpClaims, Hold } from '@dune-tide/db/follow-up-claims';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { settleRetryMs } from './deliver.ts';
import type { Transports } from './transport.ts';

export interface SweepDependencies {
  readonly followUps: ReturnType<typeof followUpClaims>;
  readonly producer: FollowUpProducer;
  readonly transports: Transports;
  readonly logger: Logger;
  /** Claims of this worker that no delivery acts on. Removed as they are given back. */
  readonly orphanedClaims: Set<Hold>;
  /** Aborted when no further rows are to be looked for. */
  readonly closing: AbortSignal;
}

const batchSize = 500;
/** With so many jobs waiting the workers have enough to do, and some of them may be for the rows that would be found. */
const enoughJobs = 1_000;
const intervalMs = 2_000;
/** Time for those who sent mails while the database was away to write so, before their leases are taken for over. */
const afterOutageMs = 3 * settleRetryMs;

/**
 * Wakes workers up for rows that nobody settled: the API could not enqueue them, the queue lost their jobs, their
 * worker died, or their delay is over. Runs in every worker on a timer of its own, because a queue that was emptied
 * would have lost a scheduled sweep, too.
 * @returns how many rows were found
 */
export async function sweep(dependencies: SweepDependencies): Promise<number> {
  const { followUps, producer, transports, logger, orphanedClaims, closing } = dependencies;
  while (orphanedClaims.size > 0) {
    const holds = [...orphanedClaims].slice(0, batchSize);
    await followUps.giveBack(holds);
    for (const hold of holds) orphanedClaims.delete(hold);
  }
  let found = 0;
  // Checked on each turn: with a long backlog the first rows are due again before the last is found.
  while (!closing.aborted) {
    // Found rows are put off, so the queue is asked first: where it is away, this throws and no row waits for nothing. A
    // queue that only reads fails at `enqueue`, and its rows are found again later.
    const { waiting } = await producer.depth();
    if (waiting > enoughJobs) break;
    const overdue = await followUps.takeOverdue(batchSize);
    // A later release may have written kinds that this one cannot send.
    const known = overdue.filter(({ kind }) => Object.hasOwn(transports, kind));
    if (known.length > 0) await producer.enqueue(known);
    found += overdue.length;
    if (overdue.length < batchSize) break;
  }
  if (found > 0) logger.info({ followUps: found }, 'swept');
  return found;
}

/** Sweeps until `closing`. A sweep that fails is logged; the next one comes anyway. */
export function startSweeping(dependencies: SweepDependencies): { readonly ended: Promise<void> } {
  const { followUps, logger, closing } = dependencies;
  const run = async (): Promise<void> => {
    let hasFailed = false;
    while (!closing.aborted) {
      try {
        if (hasFailed) {
          // Waited for first: those who sent mails can write so only once it answers.
          await followUps.check();
          await rest(afterOutageMs, closing);
        }
        await sweep(dependencies);
        hasFailed = false;
      } catch (error) {
        hasFailed = true;
        logger.warn({ error: describeError(error) }, 'not swept');
      }
      await rest(intervalMs, closing);
    }
  };
  return { ended: run() };
}

/** Waits, for nothing once the signal came. */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

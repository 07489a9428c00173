import type { followUpLedger, Hold } from '@dune-tide/db/follow-ups';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { rowsPerJob, type FollowUpProducer } from '@dune-tide/platform/queue';

export interface SweepDependencies {
  readonly ledger: ReturnType<typeof followUpLedger>;
  readonly producer: FollowUpProducer;
  readonly logger: Logger;
  /** Claims of this worker that nobody acts on. Emptied as they are given back. */
  readonly lostClaims: Set<Hold>;
}

const batchSize = 500;
/** With so many jobs waiting the workers have enough to do, and some of them may be for the rows that would be found. */
const enoughJobs = 1_000;
const intervalMs = 2_000;

/**
 * Wakes workers up for rows that nobody settled: the API could not enqueue them, the queue lost their jobs, their
 * worker died, or their delay is over. Runs in every worker on a timer of its own, because a queue that was emptied
 * would have lost a scheduled sweep, too.
 * @returns how many rows were found
 */
export async function sweep({ ledger, producer, logger, lostClaims }: SweepDependencies): Promise<number> {
  for (const hold of lostClaims) {
    await ledger.giveBack(hold);
    lostClaims.delete(hold);
  }
  // Found rows are put off; with the queue away, which throws here, they would wait for nothing.
  const { waiting } = await producer.depth();
  if (waiting > enoughJobs) return 0;
  let found = 0;
  for (;;) {
    const overdue = await ledger.takeOverdue(batchSize);
    if (overdue.length > 0) await producer.enqueue(overdue, rowsPerJob(overdue.length));
    found += overdue.length;
    if (overdue.length < batchSize) break;
  }
  if (found > 0) logger.info({ followUps: found }, 'swept');
  return found;
}

/** Sweeps until closed. A sweep that fails is logged; the next one comes anyway. */
export function startSweeping(dependencies: SweepDependencies): { close(): Promise<void> } {
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    try {
      await sweep(dependencies);
    } catch (error) {
      dependencies.logger.warn({ error: describeError(error) }, 'not swept');
    }
    if (!isClosed) timer = setTimeout(next, intervalMs);
  };
  const next = (): void => void (running = run());
  next();

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

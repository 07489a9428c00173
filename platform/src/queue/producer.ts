import type { Logger } from '../log.ts';
import { withinLimit, type QueueSettings } from './connections.ts';
import { jobsOf, rowsPerJob, type WakeUp } from './jobs.ts';
import { lazyQueue } from './lazy-queue.ts';

/** Jobs are tried once and leave nothing behind, so there are no others. */
const countedJobStates = ['waiting', 'active', 'delayed'] as const;

export type QueueDepth = Readonly<Record<(typeof countedJobStates)[number], number>>;

export interface FollowUpProducer {
  /**
   * Adds jobs. A job that is still waiting for one row alone stays the only one.
   * @param rowsEach - rows of a kind that share a job at most, and so a worker; by default as `rowsPerJob` has it
   * @throws when the queue does not take them within its time limit; the sweep comes back to the rows
   */
  enqueue(wakeUps: readonly WakeUp[], rowsEach?: number): Promise<void>;
  /** @throws when the queue cannot be reached, or takes no jobs */
  check(): Promise<void>;
  /** Jobs in the queue by state. @throws when the queue cannot be reached */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}

/** The API's side, and the sweep's. */
export function openProducer(settings: QueueSettings, logger: Logger): FollowUpProducer {
  const { ready, check, close } = lazyQueue(settings, logger);
  return {
    async enqueue(wakeUps, rowsEach = rowsPerJob(wakeUps.length)) {
      const { addAll } = await ready();
      await withinLimit(addAll(jobsOf(wakeUps, rowsEach)));
    },
    async depth() {
      const { queue } = await ready();
      const { waiting = 0, active = 0, delayed = 0 } = await withinLimit(queue.getJobCounts(...countedJobStates));
      return { waiting, active, delayed };
    },
    check,
    close,
  };
}

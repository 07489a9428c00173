import type { Logger } from '../log.ts';
import { withinLimit, type QueueSettings } from './connections.ts';
import { jobsOf, rowsPerJob, type WakeUp } from './jobs.ts';
import { lazyQueue } from './lazy-queue.ts';

/** The only possible states: jobs run once and are then removed. */
const countedJobStates = ['waiting', 'active', 'delayed'] as const;

export type QueueDepth = Readonly<Record<(typeof countedJobStates)[number], number>>;

export interface FollowUpProducer {
  /**
   * Adds jobs for wake-ups. A row that already has a waiting job of its own gets no second one. A webhook gets none,
   * because the workers find it in the database.
   * @param rowsEach - maximum number of rows in a job, which one worker handles; defaults to `rowsPerJob`
   * @throws if the queue does not accept them within its time limit; the sweep finds the rows again
   */
  enqueue(wakeUps: readonly WakeUp[], rowsEach?: number): Promise<void>;
  /** @throws if the queue is unavailable or accepts no jobs */
  check(): Promise<void>;
  /**
   * Counts the jobs in the queue by state.
   * @throws if the queue is unavailable
   */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}

/** Opens the queue to add jobs, for the API and the sweep. */
export function openProducer(settings: QueueSettings, logger: Logger): FollowUpProducer {
  const { ready, check, close } = lazyQueue(settings, logger);
  return {
    async enqueue(wakeUps, rowsEach = rowsPerJob(wakeUps.length)) {
      const jobs = jobsOf(
        wakeUps.filter(({ kind }) => kind !== 'webhook'),
        rowsEach,
      );
      if (jobs.length === 0) return;
      const { addAll } = await ready();
      await withinLimit(addAll(jobs));
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

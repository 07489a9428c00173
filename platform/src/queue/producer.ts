import type { Logger } from '../log.ts';
import type { Outage } from '../outage.ts';
import { withinLimit, type QueueSettings } from './connections.ts';
import { jobsOf, rowsPerJob, type WakeUp } from './jobs.ts';
import { lazyQueue } from './lazy-queue.ts';

/** The only possible states: jobs run once and are then removed. */
const countedJobStates = ['waiting', 'active', 'delayed'] as const;

/** The jobs that are searched for erased follow-ups, which takes less than a second. */
const searchedJobs = 1_000;

export type QueueDepth = Readonly<Record<(typeof countedJobStates)[number], number>>;

export interface FollowUpProducer {
  /** The state of the queue's server; undefined if it is not known. */
  readonly outage?: Outage | undefined;
  /**
   * Adds jobs for wake-ups. It adds none for a row that is alone in a waiting job, and none for a webhook, because the
   * workers find webhooks in the database.
   * @param rowsEach - maximum number of rows in a job, which one worker handles; defaults to `rowsPerJob`
   * @throws if the queue does not accept them within its time limit; the sweep finds the rows again
   */
  enqueue(wakeUps: readonly WakeUp[], rowsEach?: number): Promise<void>;
  /**
   * Removes the jobs of follow-ups that were erased. A job of several rows keeps the others. Jobs that a worker holds
   * stay, and so do those behind a long backlog: the worker finds that their rows are gone.
   * @throws if the queue is unavailable
   */
  remove(followUpIds: readonly string[]): Promise<void>;
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
    outage: settings.outage,
    async enqueue(wakeUps, rowsEach = rowsPerJob(wakeUps.length)) {
      const jobs = jobsOf(
        wakeUps.filter(({ kind }) => kind !== 'webhook'),
        rowsEach,
      );
      if (jobs.length === 0) return;
      const { addAll } = await ready();
      await withinLimit(addAll(jobs));
    },
    async remove(followUpIds) {
      if (followUpIds.length === 0) return;
      const erased = new Set(followUpIds);
      const { queue } = await ready();
      const jobs = await withinLimit(queue.getJobs(['waiting', 'delayed'], 0, searchedJobs - 1));
      const changes = jobs.map(async (job) => {
        const kept = job.data.followUpIds.filter((id) => !erased.has(id));
        if (kept.length === job.data.followUpIds.length) return;
        await withinLimit(kept.length === 0 ? job.remove() : job.updateData({ followUpIds: kept }));
      });
      const failed = (await Promise.allSettled(changes)).find((change) => change.status === 'rejected');
      if (failed) throw failed.reason;
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

import { randomUUID } from 'node:crypto';
import type { FollowUpJob, FollowUpKind } from '@dune-tide/domain/follow-ups';

/** Tells a worker that a follow-up is due. */
export interface WakeUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/**
 * Computes the size of jobs. A job costs the queue about the same for any number of rows, so jobs are large; a burst is
 * still split into about five jobs, so that several workers can share it.
 * @param rows - number of rows that are added together
 * @returns the maximum number of rows in a job
 */
export function rowsPerJob(rows: number): number {
  return Math.max(20, Math.ceil(rows / 5));
}

/**
 * The row stores attempts and outcome, so a job runs once and is then removed: if BullMQ kept its id, it would silently
 * drop the sweep's next wake-up for the same row.
 */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** A job in the form that BullMQ expects. */
export interface NewJob {
  readonly name: FollowUpKind;
  readonly data: FollowUpJob;
  readonly opts: typeof jobOptions & { readonly jobId: string };
}

/**
 * Groups wake-ups into jobs of one kind each.
 * @param rowsEach - maximum number of rows in a job
 */
export function jobsOf(wakeUps: readonly WakeUp[], rowsEach: number): NewJob[] {
  const jobs: NewJob[] = [];
  for (const kind of new Set(wakeUps.map((wakeUp) => wakeUp.kind))) {
    const ids = wakeUps.filter((wakeUp) => wakeUp.kind === kind).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += rowsEach) {
      const followUpIds = ids.slice(from, from + rowsEach);
      const [first = ''] = followUpIds;
      // A job of several rows gets a random id. With the id of one of its rows, BullMQ could drop it as a duplicate,
      // and the other rows would have no job.
      const jobId = followUpIds.length === 1 ? first : randomUUID();
      jobs.push({ name: kind, data: { followUpIds }, opts: { ...jobOptions, jobId } });
    }
  }
  return jobs;
}

import { randomUUID } from 'node:crypto';
import type { FollowUpJob, FollowUpKind } from '@dune-tide/domain/follow-ups';

/** A follow-up row to wake a worker up for. */
export interface WakeUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/**
 * Few jobs for many rows, since each costs the queue about the same however many rows it holds, but enough of them for
 * several workers to share a burst.
 * @param rows - that are added together
 * @returns how many of them share a job
 */
export function rowsPerJob(rows: number): number {
  return Math.max(20, Math.ceil(rows / 5));
}

/**
 * The row holds the tries and the outcome, so a job is tried once and leaves nothing behind: a retained id would make
 * BullMQ drop the sweep's wake-up for the same row in silence.
 */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** As BullMQ takes it. */
export interface NewJob {
  readonly name: FollowUpKind;
  readonly data: FollowUpJob;
  readonly opts: typeof jobOptions & { readonly jobId: string };
}

/** @param rowsEach - rows that share a job at most */
export function jobsOf(wakeUps: readonly WakeUp[], rowsEach: number): NewJob[] {
  const jobs: NewJob[] = [];
  for (const kind of new Set(wakeUps.map((wakeUp) => wakeUp.kind))) {
    const ids = wakeUps.filter((wakeUp) => wakeUp.kind === kind).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += rowsEach) {
      const followUpIds = ids.slice(from, from + rowsEach);
      const [first = ''] = followUpIds;
      // With a row's id it would be dropped as a duplicate of one with the same first row, and its other rows with it.
      const jobId = followUpIds.length === 1 ? first : randomUUID();
      jobs.push({ name: kind, data: { followUpIds }, opts: { ...jobOptions, jobId } });
    }
  }
  return jobs;
}

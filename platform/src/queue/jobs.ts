import { randomUUID } from 'node:crypto';
import { followUpKinds, type FollowUpJob, type FollowUpKind } from '@dune-tide/domain/follow-ups';

/** A follow-up row to wake a worker up for. */
export interface WakeUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/**
 * For whoever adds many rows: jobs that are few, since each costs the queue about the same however many rows it holds,
 * but so many that several workers share what comes at once.
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
  for (const kind of followUpKinds) {
    const ids = wakeUps.filter((wakeUp) => wakeUp.kind === kind).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += rowsEach) {
      const followUpIds = ids.slice(from, from + rowsEach);
      const [first = ''] = followUpIds;
      // Named after one of its rows, a job would be dropped beside another that begins alike, with all its other rows.
      const jobId = followUpIds.length === 1 ? first : randomUUID();
      jobs.push({ name: kind, data: { followUpIds }, opts: { ...jobOptions, jobId } });
    }
  }
  return jobs;
}

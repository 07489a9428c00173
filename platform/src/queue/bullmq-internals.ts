import type { IQueueBackend, JobProgress, Worker } from 'bullmq';

/*
 * The parts of BullMQ that this repository uses and that BullMQ does not document. `test/bullmq-internals.test.ts`
 * fails if BullMQ changes one of them.
 */

/** Stops the renewal of the locks of a worker's jobs. */
export async function stopRenewingLocks<Data, Result, Backend extends IQueueBackend, Connection>(
  worker: Worker<Data, Result, string, Backend, JobProgress, Connection>,
): Promise<void> {
  await worker['lockManager'].close();
}

/** The schema of the queue's tables. BullMQ always uses this name with a pool that it did not open itself. */
export const queueSchema = 'bullmq';

/** The table of jobs. Its column `data` holds the payload. */
export const jobTable = `${queueSchema}.job`;

/** Returns the Redis keys of a queue. A job is a hash whose field `data` is its payload as JSON. */
export function redisKeys(queue: string): {
  /** The lists of the ids of waiting and of active jobs. */
  readonly lists: readonly string[];
  readonly job: (id: string) => string;
} {
  return {
    lists: [`bull:${queue}:wait`, `bull:${queue}:active`],
    job: (id) => `bull:${queue}:${id}`,
  };
}

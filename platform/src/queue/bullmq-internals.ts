/*
 * Everything that the repository uses of BullMQ without BullMQ documenting it. `test/bullmq-internals.test.ts` fails when
 * BullMQ changes any of it.
 */

/** The schema of the queue's tables. BullMQ uses no other name with a pool that it did not open itself. */
export const queueSchema = 'bullmq';

/** The table of jobs; the column `data` holds a job's payload. */
export const jobTable = `${queueSchema}.job`;

/** Returns the Redis keys of a queue. A job is a hash whose field `data` is its payload as JSON. */
export function redisKeys(queue: string): {
  /** Lists of the ids of jobs that wait and that run. */
  readonly lists: readonly string[];
  readonly job: (id: string) => string;
} {
  return {
    lists: [`bull:${queue}:wait`, `bull:${queue}:active`],
    job: (id) => `bull:${queue}:${id}`,
  };
}

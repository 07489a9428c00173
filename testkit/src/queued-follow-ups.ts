import { followUpQueue, type FollowUpJob } from '@dune-tide/domain/follow-ups';
import { jobTable, redisKeys } from '@dune-tide/platform/queue/bullmq-internals';
import { Redis } from 'ioredis';
import type { Knex } from 'knex';

/** Returns the follow-ups with a waiting or active job. Reads BullMQ's tables and keys, as its API is much slower. */
export async function queuedFollowUps({
  database,
  redisUrl,
}: {
  readonly database: Knex;
  readonly redisUrl: string | undefined;
}): Promise<Set<string>> {
  const data =
    redisUrl === undefined
      ? await database(jobTable).pluck<FollowUpJob[]>('data')
      : (await dataOnRedis(redisUrl)).map((text) => JSON.parse(text) as FollowUpJob);
  return new Set(data.flatMap(({ followUpIds }) => followUpIds));
}

async function dataOnRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = redisKeys(followUpQueue);
    const lists = await Promise.all(keys.lists.map((list) => redis.lrange(list, 0, -1)));
    const jobs = redis.pipeline();
    for (const id of lists.flat()) jobs.hget(keys.job(id), 'data');
    const results = (await jobs.exec()) ?? [];
    // A job that has ended in the meantime does not exist any more.
    return results.flatMap(([, text]) => (typeof text === 'string' ? [text] : []));
  } finally {
    redis.disconnect();
  }
}

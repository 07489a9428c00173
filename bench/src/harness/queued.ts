import { followUpQueue, type FollowUpJob } from '@dune-tide/domain/follow-ups';
import { Redis } from 'ioredis';
import type { Product } from './product.ts';

/** The follow-ups that have a job, waiting or under way. BullMQ's own tables and keys: its calls take much longer. */
export async function queuedFollowUps({ database, redisUrl }: Product): Promise<Set<string>> {
  const data =
    redisUrl === undefined
      ? await database('bullmq.job').pluck<FollowUpJob[]>('data')
      : (await dataOnRedis(redisUrl)).map((text) => JSON.parse(text) as FollowUpJob);
  return new Set(data.flatMap(({ followUpIds }) => followUpIds));
}

async function dataOnRedis(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const lists = await Promise.all(
      ['wait', 'active'].map((list) => redis.lrange(`bull:${followUpQueue}:${list}`, 0, -1)),
    );
    const jobs = redis.pipeline();
    for (const id of lists.flat()) jobs.hget(`bull:${followUpQueue}:${id}`, 'data');
    const results = (await jobs.exec()) ?? [];
    // A job that is done meanwhile is gone.
    return results.flatMap(([, text]) => (typeof text === 'string' ? [text] : []));
  } finally {
    redis.disconnect();
  }
}

import { randomUUID } from 'node:crypto';
import { followUpQueue } from '@dune-tide/domain/follow-ups';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { jobTable, redisKeys } from '../src/queue/bullmq-internals.ts';
import { backends } from './queue-backends.ts';
import { parts } from './queue-support.ts';

async function payloadsOnPostgres(connectionString: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<{ data: unknown }>(`select data from ${jobTable}`)).rows.map(({ data }) => data);
  } finally {
    await client.end();
  }
}

async function payloadsOnRedis(url: string): Promise<unknown[]> {
  const redis = new Redis(url);
  try {
    const keys = redisKeys(followUpQueue);
    const ids = (await Promise.all(keys.lists.map((list) => redis.lrange(list, 0, -1)))).flat();
    const payloads = await Promise.all(ids.map((id) => redis.hget(keys.job(id), 'data')));
    return payloads.map((payload) => JSON.parse(payload ?? 'null') as unknown);
  } finally {
    redis.disconnect();
  }
}

for (const backend of backends) {
  describe(`undocumented parts of BullMQ on ${backend.name}`, () => {
    it('locate the payload of a job', async () => {
      const queue = await backend.createQueue();
      const using = parts();
      try {
        const id = randomUUID();
        await using.producer(queue.settings).enqueue([{ id, kind: 'acknowledgement' }]);
        const { databaseUrl, redisUrl } = queue.settings;
        const payloads = await (redisUrl === undefined ? payloadsOnPostgres(databaseUrl) : payloadsOnRedis(redisUrl));
        expect(payloads).to.deep.equal([{ followUpIds: [id] }]);
      } finally {
        await using.close();
        await queue.drop();
      }
    });
  });
}

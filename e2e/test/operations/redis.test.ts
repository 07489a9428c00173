import { openRateLimitStore, type RateLimitStore } from '@dune-tide/api/http/rate-limit-store';
import { Problem } from '@dune-tide/api/http/problem';
import { memoryLogger } from '@dune-tide/e2e/support/log';
import { startTestRedisCluster, startTestSentinel } from '@dune-tide/e2e/support/redis';
import { until } from '@dune-tide/e2e/support/until';
import { openProducer, startConsumer, type FollowUpConsumer, type FollowUpProducer } from '@dune-tide/platform/queue';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

/** Queue and limits as api and worker open them. */
async function openAll(redisUrl: string) {
  const { logger, lines } = memoryLogger();
  // Never reached: with a Redis they keep off PostgreSQL.
  const settings = { databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing', redisUrl };
  const handled: string[] = [];
  const producer: FollowUpProducer = openProducer(settings, logger);
  const handle = async ({ id }: { readonly id: string }): Promise<void> => void handled.push(id);
  const consumer: FollowUpConsumer = await startConsumer(settings, handle, 5, logger);
  const limits: RateLimitStore = openRateLimitStore(settings, logger, 2_000);
  return { producer, consumer, limits, handled, lines };
}

type Opened = Awaited<ReturnType<typeof openAll>>;

async function closeAll({ producer, consumer, limits }: Opened): Promise<void> {
  await consumer.close();
  await producer.close();
  await limits.close();
}

/** As the sweep does: the same wake-ups again until they were heard. */
async function wakeUp({ producer, handled }: Opened, count: number): Promise<void> {
  const wakeUps = Array.from({ length: count }, () => ({ id: randomUUID(), kind: 'acknowledgement' as const }));
  await until('all are handled', async () => {
    const left = wakeUps.filter(({ id }) => !handled.includes(id));
    if (left.length === 0) return true;
    await producer.enqueue(left).catch(() => undefined);
    return false;
  });
}

async function expectLimit({ limits, lines }: Opened): Promise<void> {
  const rule = { name: randomUUID(), points: 2, windowSeconds: 60, detail: 'Enough', givesBack: false };
  for (const address of ['a', 'b', 'c', 'd']) {
    // Two that count the same: what one took the other knows.
    const [one, other] = [limits.limiter(rule), limits.limiter(rule)];
    await one.take(address);
    await other.take(address);
    expect(await one.take(address).catch((error: unknown) => error)).to.be.instanceOf(Problem);
  }
  expect(lines().filter(({ msg }) => msg === 'rate limits are counted per process')).to.deep.equal([]);
}

describe('the queue and the limits on several Redis servers', () => {
  it('find the master by its sentinel, and the next one when that is killed', async () => {
    const sentinel = await startTestSentinel();
    const all = await openAll(sentinel.url);
    try {
      await wakeUp(all, 20);
      await expectLimit(all);
      await sentinel.killMaster();
      await wakeUp(all, 20);
      expect(await all.producer.depth()).to.deep.equal({ waiting: 0, active: 0, delayed: 0 });
    } finally {
      await closeAll(all);
      await sentinel.stop();
    }
  });

  it('work on a cluster, where keys lie on different nodes', async () => {
    const cluster = await startTestRedisCluster();
    const all = await openAll(cluster.url);
    try {
      await wakeUp(all, 20);
      await expectLimit(all);
      expect(await all.producer.depth()).to.deep.equal({ waiting: 0, active: 0, delayed: 0 });
    } finally {
      await closeAll(all);
      await cluster.stop();
    }
  });
});

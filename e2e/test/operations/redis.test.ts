import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestRedisCluster, startTestSentinel } from '@dune-tide/testkit/redis';
import { until } from '@dune-tide/testkit/until';
import { startConsumer, type FollowUpConsumer } from '@dune-tide/platform/queue/consumer';
import { openProducer, type FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { randomUUID } from 'node:crypto';

/** Opens the queue as the API and the worker do. */
async function openQueue(redisUrl: string) {
  const { logger } = memoryLogger();
  // Nothing connects to this database: with Redis the queue does not use PostgreSQL.
  const settings = { databaseUrl: 'postgres://none@127.0.0.1:1/nothing', redisUrl };
  const handled: string[] = [];
  const producer: FollowUpProducer = openProducer(settings, logger);
  const handle = async ({ id }: { readonly id: string }): Promise<void> => void handled.push(id);
  const consumer: FollowUpConsumer = await startConsumer(settings, handle, 5, logger);
  return { producer, consumer, handled };
}

type Opened = Awaited<ReturnType<typeof openQueue>>;

async function closeQueue({ producer, consumer }: Opened): Promise<void> {
  await consumer.close();
  await producer.close();
}

/** Repeats the same wake-ups until they are handled, as the sweep does. */
async function wakeUp({ producer, handled }: Opened, count: number): Promise<void> {
  const wakeUps = Array.from({ length: count }, () => ({ id: randomUUID(), kind: 'acknowledgement' as const }));
  await until('all are handled', async () => {
    const left = wakeUps.filter(({ id }) => !handled.includes(id));
    if (left.length === 0) return true;
    await producer.enqueue(left).catch(() => undefined);
    return false;
  });
}

/** Waits until no job is left: completed jobs leave the queue later, and duplicate wake-ups are handled twice. */
async function untilEmpty({ producer }: Opened): Promise<void> {
  await until('an empty queue', async () => Object.values(await producer.depth()).every((count) => count === 0));
}

describe('the queue on several Redis servers', () => {
  it('finds the master through its sentinel, and the next one after the master is killed', async () => {
    const sentinel = await startTestSentinel();
    const all = await openQueue(sentinel.url);
    try {
      await wakeUp(all, 20);
      await untilEmpty(all);
      await sentinel.killMaster();
      await wakeUp(all, 20);
      await untilEmpty(all);
    } finally {
      await closeQueue(all);
      await sentinel.stop();
    }
  });

  it('works on a cluster, where keys are on different nodes', async () => {
    const cluster = await startTestRedisCluster();
    const all = await openQueue(cluster.url);
    try {
      await wakeUp(all, 20);
      await untilEmpty(all);
    } finally {
      await closeQueue(all);
      await cluster.stop();
    }
  });
});

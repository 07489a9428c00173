import { createLogger } from '../src/log.ts';
import { runProcess } from '../src/process.ts';
import { startConsumer } from '../src/queue/consumer.ts';
import { openProducer } from '../src/queue/producer.ts';
import { closeInOrder } from '../src/shutdown.ts';

/** A process that consumes the queue of its environment and logs each wake-up. */
const { DATABASE_URL = '', REDIS_URL } = process.env;

await runProcess(async () => {
  const settings = { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL };
  const logger = createLogger('consumer', 'info');
  const producer = openProducer(settings, logger);
  await producer.check();
  const consumer = await startConsumer(settings, async ({ id }) => logger.info({ id }, 'handled'), 1, logger);
  closeInOrder(logger, [
    { name: 'jobs', close: () => consumer.close() },
    { name: 'queue', close: () => producer.close() },
  ]);
});

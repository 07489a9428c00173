import { createLogger } from '../src/log.ts';
import { runProcess } from '../src/process.ts';
import { startConsumer } from '../src/queue/consumer.ts';

/** A process that closes its consumer on SIGTERM. It ends only if the closed consumer leaves nothing running. */
const { DATABASE_URL = '', REDIS_URL } = process.env;

await runProcess(async () => {
  const logger = createLogger('consumer', 'info');
  const settings = { databaseUrl: DATABASE_URL, redisUrl: REDIS_URL };
  const consumer = await startConsumer(settings, async ({ id }) => logger.info({ id }, 'handled'), 1, logger);
  process.once('SIGTERM', () => {
    process.channel?.unref();
    void consumer.close();
  });
});

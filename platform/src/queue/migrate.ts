import { runMigrations } from 'bullmq';
import pg from 'pg';
import { queueSchema } from './bullmq-internals.ts';
import type { QueueSettings } from './connections.ts';

/** The limit of one statement. It is long, because a statement may wait for another process that migrates. */
const migrationTimeoutMs = 5 * 60_000;

/**
 * Creates or updates BullMQ's tables on PostgreSQL. Does nothing on Redis. Several processes may run it concurrently.
 * @param timeoutMs - limit of one statement
 * @throws the error of the failed statement; the migration is rolled back
 */
export async function migrateQueue(
  { databaseUrl, redisUrl }: QueueSettings,
  timeoutMs = migrationTimeoutMs,
): Promise<void> {
  if (redisUrl) return;
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    statement_timeout: timeoutMs,
    // Longer than the server's limit; needed when the server itself hangs.
    query_timeout: timeoutMs + 1_000,
    keepAlive: true,
  });
  // Without a listener, a broken connection would end the process. The running statement still fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client, queueSchema);
  } finally {
    await client.end();
  }
}

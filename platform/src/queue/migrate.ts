import { runMigrations } from 'bullmq';
import pg from 'pg';
import { queueSchema } from './bullmq-internals.ts';
import type { QueueSettings } from './connections.ts';

/** For one statement of BullMQ's migrations: it may wait for another process that runs them. */
const migrationTimeoutMs = 5 * 60_000;

/**
 * Makes or updates BullMQ's own tables on PostgreSQL; nothing to do on Redis. Safe to run from several processes.
 * @throws what a statement fails with; all is as it was then
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
    // Later than the server's: it helps when the server is stopped.
    query_timeout: timeoutMs + 1_000,
    keepAlive: true,
  });
  // Without a listener a connection that breaks would end the process; the statement under way fails all the same.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client, queueSchema);
  } finally {
    await client.end();
  }
}

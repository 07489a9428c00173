import { migrateUp } from '@dune-tide/db/migrate';
import { migrateQueue, type QueueSettings } from '@dune-tide/platform/queue';
import type { Knex } from 'knex';

/**
 * Brings the tables and the queue's own tables up to date. Safe to run from several processes.
 * @returns the names of the migrations that ran
 */
export async function migrate(database: Knex, queue: QueueSettings): Promise<string[]> {
  const names = await migrateUp(database);
  await migrateQueue(queue);
  return names;
}

import { grantQueueAccess, describeLater, migrateUp, migrations } from '@dune-tide/db/schema';
import { queueSchema } from '@dune-tide/platform/queue/bullmq-internals';
import type { QueueSettings } from '@dune-tide/platform/queue/connections';
import { migrateQueue } from '@dune-tide/platform/queue/migrate';
import type { Knex } from 'knex';

type Migrated = Awaited<ReturnType<typeof migrateUp>>;

/**
 * Migrates the product's tables and the queue's tables, and grants the roles their rights on them. Several processes may run it concurrently.
 * @returns the result of migrateUp
 * @throws the errors of migrateUp
 */
export async function migrate(database: Knex, queue: QueueSettings): Promise<Migrated> {
  const migrated = await migrateUp(database);
  await migrateQueue(queue);
  await grantQueueAccess(database, queueSchema);
  return migrated;
}

/** Describes which migrations ran, or why none did. */
export function describeMigrated({ run, later }: Migrated): string {
  if (later.length > 0) {
    return `${describeLater(later)} Nothing was migrated. This release's last one is ${migrations.at(-1)?.name}.`;
  }
  return run.length === 0 ? 'The database is up to date.' : `Migrated: ${run.join(', ')}`;
}

import { describeLater, migrateUp, migrations } from '@dune-tide/db/migrate';
import type { QueueSettings } from '@dune-tide/platform/queue/connections';
import { migrateQueue } from '@dune-tide/platform/queue/migrate';
import type { Knex } from 'knex';

type Migrated = Awaited<ReturnType<typeof migrateUp>>;

/**
 * Brings the tables and the queue's own tables up to date. Safe to run from several processes.
 * @returns as migrateUp
 * @throws as migrateUp
 */
export async function migrate(database: Knex, queue: QueueSettings): Promise<Migrated> {
  const migrated = await migrateUp(database);
  await migrateQueue(queue);
  return migrated;
}

/** For the operator: which migrations ran, or why none did. */
export function describeMigrated({ run, later }: Migrated): string {
  if (later.length > 0) {
    return `${describeLater(later)} Nothing was migrated. This release's last one is ${migrations.at(-1)?.name}.`;
  }
  return run.length === 0 ? 'The database is up to date.' : `Migrated: ${run.join(', ')}`;
}

import type { Knex } from 'knex';
import { checkSessionMode, checkWritable, NotMigratedError } from '../connection/index.ts';
import { migrations } from './migrations.ts';

/**
 * Checks that the database accepts writes, that all migrations of this release have run, and that no pooler is in
 * transaction mode. Sends a few short statements, so that probes can call it often.
 * @param db - a pool of at least two connections
 * @throws {NotMigratedError} if a migration has not run
 * @throws {TransactionPoolingError} behind PgBouncer in transaction mode
 * @throws {DatabaseUnavailableError} if the database is unavailable or read-only
 */
export async function checkReadiness(db: Knex): Promise<void> {
  // One after the other, so that a probe uses few connections at a time.
  await checkSessionMode(db);
  await checkWritable(db);
  const last = migrations.at(-1)?.name;
  const found = await db('schema_migrations').where({ name: last }).first<object | undefined>('name');
  if (!found) throw new NotMigratedError(new Error(`${last} has not run`));
}

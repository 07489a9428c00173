import type { Knex } from 'knex';
import { checkWritable, NotMigratedError } from '../connection/index.ts';
import { migrations } from './migrations.ts';

/**
 * Checks that the database accepts writes and that all migrations of this release have run. Sends two short statements,
 * so that probes can call it often.
 * @throws {NotMigratedError} if a migration has not run
 * @throws {DatabaseUnavailableError} if the database is unavailable or read-only
 */
export async function checkReadiness(db: Knex): Promise<void> {
  // One after the other, so that a probe uses one connection at a time.
  await checkWritable(db);
  const last = migrations.at(-1)?.name;
  const found = await db('schema_migrations').where({ name: last }).first<object | undefined>('name');
  if (!found) throw new NotMigratedError(new Error(`${last} has not run`));
}

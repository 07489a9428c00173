import type { Knex } from 'knex';
import { checkWritable } from './check-writable.ts';
import { migrations } from './migrate.ts';
import { NotMigratedError, reachDatabase } from './unavailable.ts';

/**
 * Makes sure that the database takes what is written and that all migrations of this release have run. Two short
 * statements, so it is for probes.
 * @throws {NotMigratedError} when they have not; DatabaseUnavailableError when it does not answer, or only reads
 */
export async function checkReadiness(db: Knex): Promise<void> {
  // One after the other: a probe is to take one connection at a time.
  await checkWritable(db);
  const last = migrations.at(-1)?.name;
  const found = await reachDatabase(db('schema_migrations').where({ name: last }).first<object | undefined>('name'));
  if (!found) throw new NotMigratedError(new Error(`${last} has not run`));
}

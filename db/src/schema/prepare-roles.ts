import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type pg from 'pg';
import { serverErrorOf } from '../connection/index.ts';
import { roles } from './app-access.ts';
import { MigrationHistoryError } from './migrate.ts';

/** PostgreSQL, appendix A: raise_exception. */
const raisedException = 'P0001';

/** A role of the product (docs/RUNBOOK.md, "Database roles"). */
export type Role = keyof typeof roles;

/**
 * Creates the roles, makes `migrate` the owner of the database and its tables, and sets the passwords. It can be run
 * again while the product is running.
 * @param client - a connection of a superuser to the product's database, outside a transaction
 * @throws {MigrationHistoryError} if the data is older than the required stop; nothing was changed
 * @throws the error of a statement; a later call completes what is missing
 */
export async function prepareRoles(client: pg.Client, passwordOf: (role: Role) => string): Promise<void> {
  const file = createRequire(import.meta.url).resolve('@dune-tide/db/roles.sql');
  try {
    await client.query(await readFile(file, 'utf8'));
  } catch (error) {
    const refusal = serverErrorOf(error);
    if (refusal?.code !== raisedException) throw error;
    throw new MigrationHistoryError(refusal.message, { cause: error });
  }
  for (const role of Object.values(roles)) {
    await client.query(`alter role ${role} password ${client.escapeLiteral(passwordOf(role))}`);
  }
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type pg from 'pg';
import { roles } from './app-access.ts';

/** A role of the product (docs/RUNBOOK.md, "Database roles"). */
export type Role = keyof typeof roles;

/**
 * Creates the roles, makes `migrate` the owner of the database and its tables, and sets the passwords. It can be run
 * again while the product is running.
 * @param client - a connection of a superuser to the product's database, outside a transaction
 * @throws the error of a statement; a later call completes what is missing
 */
export async function prepareRoles(client: pg.Client, passwordOf: (role: Role) => string): Promise<void> {
  const file = createRequire(import.meta.url).resolve('@dune-tide/db/roles.sql');
  await client.query(await readFile(file, 'utf8'));
  for (const role of Object.values(roles)) {
    await client.query(`alter role ${role} password ${client.escapeLiteral(passwordOf(role))}`);
  }
}

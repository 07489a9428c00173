import type { Knex } from 'knex';
import { isTable, privileges, tables, type Table } from './tables.ts';

/** The roles of the database (docs/RUNBOOK.md, "Database roles"). `db/roles.sql` creates them. */
export const roles = { app: 'app', backup: 'backup', migrate: 'migrate' } as const;

/** The functions that only the role `app` may call, besides the owner. They do what it has no right to do by itself. */
const appFunctions = [
  'erase_leads(uuid[])',
  'erase_former_address(text)',
  'remove_old_audit_entries(integer)',
  'remove_old_audit_origins()',
] as const;

/**
 * Grants the roles their rights on the tables that exist, and revokes all others. Does nothing for a role that does not
 * exist: the database then has one role, which owns its tables.
 * @param db - a transaction of the owner of the tables
 */
export async function grantTableAccess(db: Knex): Promise<void> {
  const existing = await existingRoles(db);
  if (existing.length === 0) return;
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select tablename as name from pg_tables where schemaname = current_schema()`,
  );
  const statements: string[] = [];
  if (existing.includes(roles.app)) {
    for (const { name } of rows) {
      statements.push(`revoke all on table ${name} from ${roles.app}`);
      if (isTable(name)) statements.push(`grant ${privilegesOf(tables[name])} on table ${name} to ${roles.app}`);
    }
    const { rows: functions } = await db.raw<{ rows: { name: string }[] }>(
      `select name from unnest(?::text[]) as wanted (name) where to_regprocedure(name) is not null`,
      [[...appFunctions]],
    );
    for (const { name } of functions) {
      // A backup of a server has no rights, so the functions that it restores are open to all.
      statements.push(`revoke execute on function ${name} from public`);
      statements.push(`grant execute on function ${name} to ${roles.app}`);
    }
  }
  if (existing.includes(roles.backup)) {
    for (const kind of ['tables', 'sequences']) {
      statements.push(`grant select on all ${kind} in schema public to ${roles.backup}`);
    }
  }
  await db.raw(statements.join(';'));
}

const privilegesOf = ({ app, appInserts }: Table): string =>
  appInserts ? privileges[app].replace('insert', `insert (${appInserts.join(', ')})`) : privileges[app];

/**
 * Grants the role `app` its rights on the tables of the queue, except for changes to the list of the queue's
 * migrations.
 * @param db - a pool of the owner of the tables
 * @param schema - the schema of the queue; if it does not exist, nothing is done
 */
export async function grantQueueAccess(db: Knex, schema: string): Promise<void> {
  const { rows } = await db.raw<{ rows: unknown[] }>('select from pg_namespace where nspname = ?', [schema]);
  if (rows.length === 0 || !(await existingRoles(db)).includes(roles.app)) return;
  await db.raw(
    [
      `grant usage on schema ${schema} to ${roles.app}`,
      `grant ${privileges.delete} on all tables in schema ${schema} to ${roles.app}`,
      `revoke insert, update, delete on table ${schema}.migration from ${roles.app}`,
      `grant usage on all sequences in schema ${schema} to ${roles.app}`,
    ].join(';'),
  );
}

async function existingRoles(db: Knex): Promise<string[]> {
  return db('pg_roles').whereIn('rolname', [roles.app, roles.backup]).pluck<string[]>('rolname');
}

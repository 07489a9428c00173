import type { Knex } from 'knex';

/** The roles of the database (docs/RUNBOOK.md, "Database roles"). `db/roles.sql` creates them. */
export const roles = { app: 'app', backup: 'backup', migrate: 'migrate' } as const;

/** Levels of rights on the rows of a table. Each level includes the ones before it. */
const privileges = {
  none: '',
  read: 'select',
  append: 'select, insert',
  change: 'select, insert, update',
  delete: 'select, insert, update, delete',
} as const;

/**
 * The rights of the role `app` on every table (ADR 0017). A trigger runs with the rights of the statement that fires it,
 * so the tables that triggers fill are included.
 */
export const appAccess: Readonly<Record<string, keyof typeof privileges>> = {
  leads: 'change',
  follow_ups: 'change',
  staff: 'change',
  digest_entries: 'delete',
  email_opt_outs: 'delete',
  recent_emails: 'delete',
  lead_events: 'append',
  lead_reminders: 'append',
  lead_replies: 'change',
  lead_search: 'delete',
  lead_views: 'delete',
  bulk_requests: 'append',
  webhook_events: 'append',
  email_texts: 'append',
  notice_texts: 'change',
  audit_log: 'append',
  erasures: 'change',
  account_notices: 'append',
  totp_factors: 'delete',
  recovery_codes: 'delete',
  passkeys: 'delete',
  pending_sign_ins: 'delete',
  sessions: 'delete',
  recipes: 'delete',
  lead_counts: 'change',
  follow_up_counts: 'change',
  rate_limits: 'delete',
  schema_migrations: 'read',
  schema_migrations_lock: 'read',
};

/** The functions that only the role `app` may call, besides the owner. They do what it has no right to do by itself. */
const appFunctions = ['erase_leads(uuid[])', 'erase_former_address(text)'] as const;

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
  const tables = rows.map(({ name }) => name);
  const statements: string[] = [];
  if (existing.includes(roles.app)) {
    for (const table of tables) {
      statements.push(`revoke all on table ${table} from ${roles.app}`);
      const granted = privileges[appAccess[table] ?? 'none'];
      if (granted !== '') statements.push(`grant ${granted} on table ${table} to ${roles.app}`);
    }
  }
  if (existing.includes(roles.app)) {
    const { rows: functions } = await db.raw<{ rows: { name: string }[] }>(
      `select name from unnest(?::text[]) as wanted (name) where to_regprocedure(name) is not null`,
      [[...appFunctions]],
    );
    for (const { name } of functions) statements.push(`grant execute on function ${name} to ${roles.app}`);
  }
  if (existing.includes(roles.backup)) {
    for (const kind of ['tables', 'sequences']) {
      statements.push(`grant select on all ${kind} in schema public to ${roles.backup}`);
    }
  }
  await db.raw(statements.join(';'));
}

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

import type { Knex } from 'knex';
import pg from 'pg';
import { advisoryLocks } from '../connection/index.ts';

/** An index on a table that may be large. Building it would take too long in the transaction of the migrations. */
export interface LargeIndex {
  readonly name: string;
  readonly table: string;
  readonly isUnique: boolean;
  /** The columns in parentheses, and the condition of a partial index after them. */
  readonly columns: string;
}

/** PostgreSQL, appendix A: undefined_column. */
const undefinedColumn = '42703';

/**
 * Returns the statement that creates an index unless an index with that name exists. A migration runs it without
 * `concurrently`, for databases where the table did not exist when `buildLargeIndexes` ran.
 */
export function createIndex({ name, table, isUnique, columns }: LargeIndex, concurrently = false): string {
  const kind = `${isUnique ? 'unique ' : ''}index${concurrently ? ' concurrently' : ''}`;
  return `create ${kind} if not exists ${name} on ${table} ${columns}`;
}

/**
 * Builds indexes while their tables are read and written, and replaces the invalid indexes of an interrupted build. In
 * a transaction it only removes invalid indexes, because PostgreSQL cannot build an index concurrently there. The
 * migrations build the indexes of tables that do not exist yet.
 * @param db - a pool of at least two connections, or a transaction
 * @returns false if another process is currently building indexes
 * @throws {DatabaseUnavailableError} if the database is unavailable, or if a transaction that is older than the build
 *   does not end in time
 */
export async function buildLargeIndexes(db: Knex, indexes: readonly LargeIndex[]): Promise<boolean> {
  const missing = await missingOf(db, indexes);
  if (missing.length === 0) return true;
  if (db.isTransaction) {
    for (const { name } of missing) await db.raw(`drop index if exists ${name}`);
    return true;
  }
  return buildAlone(db, missing);
}

/**
 * Builds indexes on columns that the migrations have just added, as `buildLargeIndexes` does. If `db` is a transaction,
 * e.g. of a restore, builds them in it, because that caller has locked the tables anyway. Does nothing if another
 * process is currently building indexes: only the speed of queries depends on them.
 * @throws {DatabaseUnavailableError}
 */
export async function buildLateIndexes(db: Knex, indexes: readonly LargeIndex[]): Promise<void> {
  const missing = await missingOf(db, indexes);
  if (missing.length === 0) return;
  if (!db.isTransaction) return void (await buildAlone(db, missing));
  for (const index of missing) {
    await db.raw(`drop index if exists ${index.name}`);
    await db.raw(createIndex(index));
  }
}

/** @returns false if another process is currently building indexes */
async function buildAlone(db: Knex, missing: readonly LargeIndex[]): Promise<boolean> {
  return db.transaction(async (holder) => {
    await holder.raw('set local idle_in_transaction_session_timeout = 0');
    // The build waits for all running statements. So this one must not wait for the lock, and must not have bindings:
    // PostgreSQL keeps a statement with bindings open until the next one.
    const { rows } = await holder.raw<{ rows: { isHeld: boolean }[] }>(
      `select pg_try_advisory_xact_lock(${advisoryLocks.largeIndexes}) as "isHeld"`,
    );
    if (!rows[0]?.isHeld) return false;
    for (const index of await missingOf(db, missing)) await build(db, index);
    return true;
  });
}

async function build(db: Knex, index: LargeIndex): Promise<void> {
  await db.raw(`drop index concurrently if exists ${index.name}`);
  try {
    await db.raw(createIndex(index, true));
  } catch (error) {
    // A migration that has not run yet adds the column and then the index.
    if (!(error instanceof pg.DatabaseError) || error.code !== undefinedColumn) throw error;
  }
}

/** Returns the indexes that are missing or invalid and whose table exists. */
async function missingOf(db: Knex, indexes: readonly LargeIndex[]): Promise<LargeIndex[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select name from unnest(:names::text[], :tables::text[]) as wanted (name, "table")
     where to_regclass("table") is not null
       and not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)`,
    { names: indexes.map(({ name }) => name), tables: indexes.map(({ table }) => table) },
  );
  const names = new Set(rows.map(({ name }) => name));
  return indexes.filter(({ name }) => names.has(name));
}

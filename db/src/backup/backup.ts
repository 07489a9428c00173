import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { auditLog } from '../audit-log/index.ts';
import {
  maintenanceLockTimeoutMs,
  acquireConnection,
  destroySocket,
  asUnavailable,
  serverErrorOf,
} from '../connection/index.ts';
import {
  erasureList,
  NoErasuresToSkip,
  personalData,
  type ErasureCount,
  type ListedErasure,
} from '../personal-data/index.ts';
import {
  isBackedUp,
  isBeforeRequiredStop,
  lockNotAvailable,
  MigrationHistoryError,
  migrateTo,
  migrateUp,
  migrations,
  oneTry,
  readMigrationHistory,
  tables,
  upgradeFirst,
  type BackedUpTable,
} from '../schema/index.ts';

/** The tables that a backup contains, each after the tables that it references. */
const backedUpTables = [...new Set(['staff', ...Object.keys(tables)])].filter(isBackedUp);

export type RowCounts = Partial<Record<BackedUpTable, number>>;

/** The first line of a backup. */
interface Header {
  readonly format: 1;
  readonly takenAt: string;
  /** The migrations that had run, so that a later release knows which ones are missing. */
  readonly migrations: readonly string[];
}

/** Thrown if a backup cannot be written or restored. Nothing was changed. The message has the reason. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** A migration tries a lock once, because the restore already holds locks on all other tables. */
const patience = oneTry(maintenanceLockTimeoutMs);

// Not taken from `brand`, so that a backup is still recognised after the studio changes its name.
const headerMark = '-- Dune & Tide backup ';
const endMark = '-- end ';
const endOfRows = '\\.\n';

/**
 * Reads a backup from a snapshot of a database. Its text can be read by psql: COPY statements with one row on each line
 * (docs/decisions/0012-backups.md).
 * @param db - a pool of `connectForMaintenance`
 * @param onRows - called with the numbers of rows after all were read
 * @throws {BackupError} e.g. if a later release added tables, because this release cannot know whether to back them up
 * @throws {DatabaseUnavailableError}
 */
export async function* readBackup(db: Knex, onRows: (rows: RowCounts) => void): AsyncGenerator<Buffer | string> {
  const transaction = await db.transaction(undefined, { isolationLevel: 'repeatable read', readOnly: true });
  try {
    const { completed, later } = await readMigrationHistory(transaction);
    if (completed.length === 0) throw new BackupError('The database has no tables: the migration has not run.');
    if (later.length > 0) await requireNoOtherTables(transaction);
    // The role of backups cannot write to the audit log, so this line of PostgreSQL's log is the trace of the export.
    await transaction.raw(
      `do $$ begin raise log 'role "%" backs up database "%"', session_user, current_database(); end $$`,
    );
    const header: Header = { format: 1, takenAt: new Date().toISOString(), migrations: completed };
    yield `${headerMark}${JSON.stringify(header)}\n`;
    // Knex does not support COPY, so it runs on the connection of the driver.
    const client = await acquireConnection(transaction);
    const rows: RowCounts = {};
    for (const table of backedUpTables) {
      const columns = await columnsOf(transaction, table);
      if (columns.length === 0) continue;
      const target = `${table} (${columns.join(', ')})`;
      yield `COPY ${target} FROM stdin;\n`;
      rows[table] = yield* copyOut(client, target);
      yield endOfRows;
    }
    yield `${endMark}${JSON.stringify(rows)}\n`;
    onRows(rows);
  } catch (error) {
    throw asBackupError(error);
  } finally {
    await transaction.rollback();
  }
}

/**
 * Yields the rows of a table in the text format of COPY. If they are not read to the end, for example because the disk
 * is full, it closes the connection: a COPY cannot be cancelled on it, and the rollback would wait for the unread rows.
 * @returns the number of rows
 */
async function* copyOut(client: pg.Client, target: string): AsyncGenerator<Buffer, number> {
  const copy = client.query(copyTo(`copy ${target} to stdout`));
  let isWhole = false;
  try {
    yield* copy as AsyncIterable<Buffer>;
    // The number of rows can arrive in a packet after the rows. It has arrived when the next query returns.
    await client.query('select');
    isWhole = true;
    return copy.rowCount;
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    if (!isWhole) destroySocket(client);
  }
}

/** The changes that a restore makes to the list of erasures. */
export interface RestoredErasures {
  /** The list of another database, or of a file. */
  readonly listed?: readonly ListedErasure[];
  /** The account whose erasures since a time are left out. */
  readonly skipped?: { readonly username: string; readonly since: Date } | undefined;
}

export interface Restored {
  readonly rows: RowCounts;
  readonly erasedLeads: number;
  /** The erasures on the list since the backup was written. */
  readonly laterErasures: readonly ErasureCount[];
  /** The number of addresses whose erasure was left out. */
  readonly skippedAddresses: number;
}

/**
 * Restores a backup, all or nothing. The schema is migrated to the release that wrote the backup, filled, and migrated
 * forward again, so that later migrations also change the restored rows. Follow-ups that were being sent become
 * pending, because their worker is gone. The restore keeps the list of erasures of the replaced database, adds
 * the given ones to it, and repeats them, because the backup may be older than they are.
 * @param db - a pool of `connectForMaintenance`
 * @param replace - whether existing data may be deleted
 * @throws {BackupError}
 * @throws {DatabaseUnavailableError}
 */
export async function restoreBackup(
  db: Knex,
  source: Readable,
  replace: boolean,
  { listed = [], skipped }: RestoredErasures = {},
): Promise<Restored> {
  const lines = linesOf(source);
  try {
    const { completed, takenAt } = readHeader((await lines.next()).value);
    if (isBeforeRequiredStop(completed)) throw new BackupError(upgradeFirst);
    const last = completed.at(-1) ?? '';
    const foreign = completed.find((name, index) => migrations[index]?.name !== name);
    if (foreign !== undefined) {
      throw new BackupError(
        `The backup is of a database with ${foreign}, which this release cannot restore. Use the release that migrated that database.`,
      );
    }
    return await db.transaction(async (transaction) => {
      const before = await existingTables(transaction);
      // The lock stops writers during the check, because the restore would delete their rows unseen.
      if (before.length > 0) await transaction.raw(`lock table ${before.join(', ')} in access exclusive mode`);
      if (!replace && (await holdsSomething(transaction, before))) {
        throw new BackupError(
          'The database is not empty. Restore into a new one, or replace its content (--replace; with make, REPLACE=1).',
        );
      }
      const replaced = before.includes('erasures') ? await listOf(transaction) : [];
      const skips = before.includes('erasure_skips') ? await erasureList(transaction).skips() : [];
      await migrateTo(transaction, last, patience);
      const filled = await existingTables(transaction);
      // The audit log is restored as it was, so restored rows must not add entries to it.
      const audited = filled.includes('audit_log') ? ['audit_log', 'lead_events'] : [];
      for (const table of audited) await transaction.raw(`alter table ${table} disable trigger user`);
      await transaction.raw(`truncate ${filled.join(', ')} cascade`);
      const rows = await fillTables(await acquireConnection(transaction), lines);
      for (const table of audited) await transaction.raw(`alter table ${table} enable trigger user`);
      if (rows.follow_ups !== undefined) {
        await transaction('follow_ups').where({ state: 'sending' }).update({
          state: 'pending',
          lease: null,
          available_at: transaction.fn.now(),
          sweep_at: transaction.fn.now(),
        });
      }
      await migrateUp(transaction, patience);
      // The workers then write the search texts of all leads.
      await transaction('lead_search_builds').delete();
      await auditLog(transaction).add({ action: 'backup_restored', actor: 'operator' });
      const list = erasureList(transaction);
      await list.repeatSkips(skips);
      for (const entries of [replaced, listed]) await list.merge(entries);
      const skippedAddresses = skipped ? await list.skip(skipped.username, skipped.since) : 0;
      return {
        rows,
        laterErasures: await list.countSince(takenAt),
        skippedAddresses,
        erasedLeads: await personalData(transaction).applyListed('operator'),
      };
    });
  } catch (error) {
    // Errors of zlib: the file is incomplete or was changed.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_')) throw new BackupError('The file is damaged.', { cause: error });
    throw asBackupError(error);
  } finally {
    source.destroy();
  }
}

/** Returns the list of a database, which an earlier release may have migrated. */
async function listOf(transaction: Knex.Transaction): Promise<ListedErasure[]> {
  const rows = await transaction('erasures').select<Readonly<Record<string, unknown>>[]>('*');
  return rows.map(
    (row) =>
      ({
        hash: row['hash'],
        key: row['key'],
        erasedAt: row['erased_at'],
        subject: row['subject'] ?? null,
        erasedBy: row['erased_by'] ?? null,
        firstErasedAt: row['first_erased_at'] ?? null,
      }) as ListedErasure,
  );
}

function asBackupError(error: unknown): unknown {
  if (error instanceof NoErasuresToSkip) return new BackupError(error.message, { cause: error });
  if (error instanceof MigrationHistoryError) return new BackupError(error.message, { cause: error });
  const serverError = serverErrorOf(error);
  if (serverError?.code === lockNotAvailable) {
    return new BackupError('The tables are locked by another process. Try again in a minute.', { cause: error });
  }
  // PostgreSQL, appendix A, class 23: a row that another one needs is missing, or a value is invalid.
  if (serverError?.code?.startsWith('23') === true) {
    return new BackupError('The file is damaged.', { cause: error });
  }
  // COPY does not run through Knex, which converts other errors.
  return error instanceof pg.DatabaseError ? asUnavailable(error) : error;
}

async function fillTables(client: pg.Client, lines: AsyncGenerator<Buffer>): Promise<RowCounts> {
  const rows: RowCounts = {};
  for (;;) {
    const { value, done } = await lines.next();
    const line = done ? '' : value.toString();
    if (line.startsWith(endMark)) {
      if (JSON.stringify(rows) !== line.slice(endMark.length).trim()) throw new BackupError('Rows are missing.');
      return rows;
    }
    const [, table, columns] = /^COPY (\w+) \(([\w, ]+)\) FROM stdin;\n$/.exec(line) ?? [];
    if (table === undefined || !isBackedUp(table)) throw new BackupError('The file is damaged or is not a backup.');
    const copy = client.query(copyFrom(`copy ${table} (${columns}) from stdin`));
    await pipeline(rowsOf(lines), copy);
    rows[table] = copy.rowCount;
  }
}

/** Yields the lines up to the end of a table's rows, in chunks of at least 64 KiB. */
async function* rowsOf(lines: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const end = Buffer.from(endOfRows);
  let batch: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new BackupError('The file ends too early.');
    if (value.equals(end)) break;
    batch.push(value);
    size += value.length;
    if (size < 65_536) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
  yield Buffer.concat(batch);
}

/** Yields lines with their line ends. Node's readline would also split at U+2028, which texts can contain. */
async function* linesOf(source: Readable): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const text = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10, start)) {
      yield text.subarray(start, end + 1);
      start = end + 1;
    }
    rest = text.subarray(start);
  }
  if (rest.length > 0) yield rest;
}

/**
 * Reads the first line of a backup.
 * @returns the migrations that had run, and when the backup was written
 * @throws {BackupError}
 */
function readHeader(line: Buffer | undefined): { readonly completed: readonly string[]; readonly takenAt: Date } {
  const text = line?.toString() ?? '';
  if (!text.startsWith(headerMark)) throw new BackupError('The file is not a backup of this program.');
  const header = parseHeader(text.slice(headerMark.length));
  if (header?.format !== 1) throw new BackupError('The backup has a format that this release does not support.');
  const { migrations: names, takenAt: time } = header;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new BackupError('The file is damaged.');
  }
  const takenAt = new Date(String(time));
  return { completed: names, takenAt: Number.isNaN(takenAt.getTime()) ? new Date(0) : takenAt };
}

function parseHeader(text: string): Partial<Record<keyof Header, unknown>> | null {
  try {
    return JSON.parse(text) as Partial<Record<keyof Header, unknown>> | null;
  } catch (error) {
    throw new BackupError('The file is damaged.', { cause: error });
  }
}

/** Returns the backed-up tables that exist. An older release has fewer of them, and an empty database none. */
async function existingTables(db: Knex): Promise<BackedUpTable[]> {
  const { rows } = await db.raw<{ rows: { name: BackedUpTable }[] }>(
    `select name from unnest(?::text[]) as wanted (name) where to_regclass(name) is not null`,
    [[...backedUpTables]],
  );
  return rows.map(({ name }) => name);
}

/**
 * Conditions under which a row of a table counts as data. A single account without a sign-in does not, because the
 * first start creates it.
 */
const holding: Partial<Record<BackedUpTable, string>> = {
  leads: 'true',
  follow_ups: 'true',
  email_opt_outs: 'true',
  recipes: 'true',
  staff: 'last_sign_in_at is not null or not is_active or (select count(*) from staff) > 1',
};

async function holdsSomething(db: Knex, names: readonly BackedUpTable[]): Promise<boolean> {
  for (const table of names) {
    const condition = holding[table];
    if (condition !== undefined && (await db(table).whereRaw(condition).first('id'))) return true;
  }
  return false;
}

async function requireNoOtherTables(db: Knex): Promise<void> {
  const names = await db('pg_tables')
    .where('schemaname', db.raw('current_schema()'))
    .whereNotIn('tablename', Object.keys(tables))
    .orderBy('tablename')
    .pluck<string[]>('tablename');
  if (names.length === 0) return;
  throw new BackupError(
    `A later release has migrated the database, and this one cannot back up ${names.join(', ')}. Use that release.`,
  );
}

/** Returns the columns in the order of the table; none if the release does not have the table. */
async function columnsOf(db: Knex, table: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass(?) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

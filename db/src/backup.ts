import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { maintenanceLockTimeoutMs } from './connect.ts';
import { acquireConnection } from './knex-internals.ts';
import {
  lockNotAvailable,
  MigrationHistoryError,
  migrateTo,
  migrateUp,
  migrations,
  oneTry,
  readMigrationHistory,
} from './migrate.ts';
import { destroySocket } from './pg-internals.ts';
import { asUnavailable, markConnectionFault, reachDatabase } from './unavailable.ts';

/** What a backup holds, parents before those that point to them. */
export const backedUpTables = ['leads', 'follow_ups', 'staff', 'recipes'] as const;

/**
 * What it leaves out: who is signed in, since a restore must not sign anyone in again; what the limits counted; the
 * counts that triggers keep; Knex's own. The queue's jobs are only wake-ups, which the sweep makes anew.
 */
export const leftOutTables = [
  'sessions',
  'rate_limits',
  'lead_counts',
  'follow_up_counts',
  'schema_migrations',
  'schema_migrations_lock',
] as const;

type BackedUpTable = (typeof backedUpTables)[number];
export type RowCounts = Partial<Record<BackedUpTable, number>>;

/** The first line of a backup. */
interface Header {
  readonly format: 1;
  readonly takenAt: string;
  /** Those that had run, so that a later release knows where to begin. */
  readonly migrations: readonly string[];
}

/** A backup that cannot be made or restored, or not here; nothing was changed. The message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Said of a file that is something else, and no damaged backup. */
export const noBackup = 'The file is no backup of this program.';

/** All other tables are locked by then. */
const patience = oneTry(maintenanceLockTimeoutMs);

// Not by `brand`: a backup is to be known by it whatever the studio is called by then.
const headerMark = '-- Dune & Tide backup ';
const endMark = '-- end ';
const endOfRows = '\\.\n';

/**
 * Reads a backup out of a database as one moment shows it, whatever is written meanwhile. The text is what psql reads:
 * COPY with its rows, one line each (docs/decisions/0012-backups.md).
 * @param db - see `connectForMaintenance`
 * @param onRows - told of the rows once all were read
 * @throws {BackupError} also when a later release added tables: nobody here knows whether they belong in it
 * @throws {DatabaseUnavailableError}
 */
export async function* readBackup(db: Knex, onRows: (rows: RowCounts) => void): AsyncGenerator<Buffer | string> {
  const transaction = await reachDatabase(
    db.transaction(undefined, { isolationLevel: 'repeatable read', readOnly: true }),
  );
  try {
    const { completed, later } = await readMigrationHistory(transaction);
    if (completed.length === 0) throw new BackupError('There is nothing to back up: the migration has not run.');
    if (later.length > 0) await requireNoOtherTables(transaction);
    const header: Header = { format: 1, takenAt: new Date().toISOString(), migrations: completed };
    yield `${headerMark}${JSON.stringify(header)}\n`;
    // Knex itself has no COPY.
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
 * The rows of a table, in COPY's text. Cuts the connection unless they were read to the end, e.g. because the disk is
 * full: a COPY cannot be called off on it, and the rollback would wait behind the rest, which nobody reads.
 * @returns how many rows there were
 */
async function* copyOut(client: pg.Client, target: string): AsyncGenerator<Buffer, number> {
  const copy = client.query(copyTo(`copy ${target} to stdout`));
  let isWhole = false;
  try {
    yield* copy as AsyncIterable<Buffer>;
    // The count comes behind the rows, perhaps in a packet of its own, and the answer to anything else behind both.
    await client.query('select');
    isWhole = true;
    return copy.rowCount;
  } catch (error) {
    throw markConnectionFault(error);
  } finally {
    if (!isWhole) destroySocket(client);
  }
}

/**
 * Puts a backup into a database, all of it or nothing. The tables are brought to the state of the release that made the
 * backup, filled, and brought up to date again, so that later migrations change its rows as they change any others.
 * What was being sent when the backup was made waits for its turn again: nobody sends it any more.
 * @param db - see `connectForMaintenance`
 * @param replace - whether what the database holds may be thrown away
 * @throws {BackupError}
 * @throws {DatabaseUnavailableError}
 */
export async function restoreBackup(db: Knex, source: Readable, replace: boolean): Promise<RowCounts> {
  const lines = linesOf(source);
  try {
    const completed = readHeader((await lines.next()).value);
    const last = completed.at(-1);
    const foreign = completed.find((name, index) => migrations[index]?.name !== name);
    if (last === undefined || foreign !== undefined) {
      throw new BackupError(
        `The backup holds ${foreign ?? 'no migration'}, which this release does not know here. Restore it with the release that wrote it into the database.`,
      );
    }
    return await db.transaction(async (transaction) => {
      const before = await existingTables(transaction);
      // What is stored meanwhile waits until it is decided, or it would be thrown away unseen.
      if (before.length > 0) await transaction.raw(`lock table ${before.join(', ')} in access exclusive mode`);
      if (!replace && (await holdsSomething(transaction, before))) {
        throw new BackupError(
          'The database is not empty. Restore into a new one, or replace what it holds (--replace; with make, REPLACE=1).',
        );
      }
      await migrateTo(transaction, last, patience);
      await transaction.raw(`truncate ${(await existingTables(transaction)).join(', ')} cascade`);
      const rows = await fillTables(await acquireConnection(transaction), lines);
      if (rows.follow_ups !== undefined) {
        await transaction('follow_ups').where({ state: 'sending' }).update({
          state: 'pending',
          lease: null,
          available_at: transaction.fn.now(),
          sweep_at: transaction.fn.now(),
        });
      }
      await migrateUp(transaction, patience);
      return rows;
    });
  } catch (error) {
    // zlib's faults: the file ends too early, or something in it has changed.
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_')) throw new BackupError('The file is damaged.', { cause: error });
    throw asBackupError(error);
  } finally {
    source.destroy();
  }
}

function asBackupError(error: unknown): unknown {
  if (error instanceof MigrationHistoryError) return new BackupError(error.message, { cause: error });
  if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) {
    return new BackupError('Others hold the tables. Try again in a moment.', { cause: error });
  }
  return asUnavailable(error);
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
    if (table === undefined || !isBackedUp(table)) throw new BackupError('The file is damaged or no backup.');
    const copy = client.query(copyFrom(`copy ${table} (${columns}) from stdin`));
    await pipeline(rowsOf(lines), copy);
    rows[table] = copy.rowCount;
  }
}

/** The lines up to the end of a table's rows, several at once. */
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

/** Lines with their ends. Node's readline would end one at U+2028 as well, which stands in texts as it is. */
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

/** @returns the migrations that had run */
function readHeader(line: Buffer | undefined): readonly string[] {
  const text = line?.toString() ?? '';
  if (!text.startsWith(headerMark)) throw new BackupError(noBackup);
  const header = parseHeader(text.slice(headerMark.length));
  if (header?.format !== 1) throw new BackupError('The backup has a form that this release does not know.');
  const { migrations: names } = header;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new BackupError('The file is damaged.');
  }
  return names;
}

function parseHeader(text: string): Partial<Record<keyof Header, unknown>> | null {
  try {
    return JSON.parse(text) as Partial<Record<keyof Header, unknown>> | null;
  } catch (error) {
    throw new BackupError('The file is damaged.', { cause: error });
  }
}

/** Those that are backed up and there: an older release has fewer, an empty database none. */
async function existingTables(db: Knex): Promise<BackedUpTable[]> {
  const { rows } = await db.raw<{ rows: { name: BackedUpTable }[] }>(
    `select name from unnest(?::text[]) as wanted (name) where to_regclass(name) is not null`,
    [[...backedUpTables]],
  );
  return rows.map(({ name }) => name);
}

/**
 * Conditions under which a table holds something. One account that nobody has signed in with or changed is what a first
 * start makes.
 */
const holding: Partial<Record<BackedUpTable, string>> = {
  leads: 'true',
  follow_ups: 'true',
  recipes: 'true',
  staff: 'last_sign_in_at is not null or not is_active or (select count(*) from staff) > 1',
};

async function holdsSomething(db: Knex, tables: readonly BackedUpTable[]): Promise<boolean> {
  for (const table of tables) {
    const condition = holding[table];
    if (condition !== undefined && (await db(table).whereRaw(condition).first('id'))) return true;
  }
  return false;
}

async function requireNoOtherTables(db: Knex): Promise<void> {
  const names = await db('pg_tables')
    .where('schemaname', db.raw('current_schema()'))
    .whereNotIn('tablename', [...backedUpTables, ...leftOutTables])
    .orderBy('tablename')
    .pluck<string[]>('tablename');
  if (names.length === 0) return;
  throw new BackupError(
    `The database is of a later release, and this one does not know what is in ${names.join(', ')}. Use that release.`,
  );
}

/** In the order of the table; none when the release has no such table. */
async function columnsOf(db: Knex, table: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass(?) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

function isBackedUp(table: string): table is BackedUpTable {
  return (backedUpTables as readonly string[]).includes(table);
}

import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError, readBackup, restoreBackup, type RowCounts } from '@dune-tide/db/backup';
import type { ErasureCount } from '@dune-tide/db/personal-data';
import { isBackedUp, tables } from '@dune-tide/db/schema';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import type { OperatorCommand, OperatorConsole } from '../command-line/run-command.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import { parseCommandLine } from '../command-line/arguments.ts';
import { textTable } from '../command-line/text-table.ts';
import {
  describeErased,
  describeSkipped,
  readErasures,
  readSkip,
  skipOptions,
  skipUsage,
  type Skip,
} from './erasures.ts';

export const backupUsage = [
  'Usage: make backup [FILE=NAME.sql.gz]',
  '    or node ops/dist/src/backup.js [NAME.sql.gz]',
  '',
  'Writes a backup of the database to the file. The default is a file in backups/, named after the current time.',
].join('\n');

export const restoreUsage = [
  'Usage: make restore FILE=NAME.sql.gz [REPLACE=1] [ERASURES=LIST] [SKIP_ERASURES_BY=NAME SINCE=TIME]',
  '    or node ops/dist/src/restore.js [--replace] [--erasures LIST] [--skip-by NAME --since TIME] NAME.sql.gz',
  '',
  'Restores a backup into an empty database. REPLACE=1 or --replace deletes the existing data of the database first.',
  'People who were erased after the backup was written are erased again: those on the list of the replaced database,',
  'and those on the list in the file LIST, which make erasures writes.',
  ...skipUsage,
].join('\n');

/**
 * Writes a backup of the database to a file that only its owner can read. The default is a file in `backups/`, named
 * after the current time. Needs a connection of `connectForMaintenance`.
 * @throws {OperatorError} if several files are named; when it runs, if the file exists or cannot be written, or if the
 *   backup would be incomplete
 */
export const backupCommand: OperatorCommand = (words) => {
  const { file } = parseWords(words, {}, backupUsage);
  return (console) => backUp(file, console);
};

async function backUp(
  named: string | undefined,
  { database, say, showProgress = () => undefined }: OperatorConsole,
): Promise<void> {
  const file = resolve(named ?? `backups/${new Date().toISOString().replaceAll(/[:.]/g, '-')}.sql.gz`);
  await requireFree(file);
  // A missing folder that was named may be a disk that is not mounted, so it is not created.
  if (named === undefined) await mkdir(dirname(file), { recursive: true });
  // The temporary name stays until the backup is complete and synced, so that an incomplete file is not taken for one.
  const partial = `${file}.${randomUUID()}.partial`;
  const output = await written(file, open(partial, 'wx', 0o600));
  // A signal ends the process by process.exit, which skips `finally`. SIGKILL leaves the temporary file behind.
  const removePartial = (): void => rmSync(partial, { force: true });
  process.once('exit', removePartial);
  let rows: RowCounts = {};
  try {
    await pipeline(
      readBackup(database, (counted) => (rows = counted)),
      countingBytes((bytes) => showProgress(`Backing up, ${megabytes(bytes)} read`)),
      createGzip(),
      output.createWriteStream({ flush: true }),
    );
    // Claims the name, so that a file that another process has created in the meantime is not replaced.
    await written(file, writeFile(file, '', { flag: 'wx' }));
    await written(file, rename(partial, file));
  } catch (error) {
    throw error instanceof BackupError ? new OperatorError(`Nothing was backed up. ${error.message}`) : error;
  } finally {
    process.off('exit', removePartial);
    removePartial();
  }
  say(`Backed up ${describeRows(rows)} to ${file}`);
}

/** Forwards all chunks and reports the number of bytes so far. */
function countingBytes(report: (bytes: number) => void) {
  return async function* (source: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer | string> {
    let bytes = 0;
    for await (const chunk of source) {
      report((bytes += chunk.length));
      yield chunk;
    }
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** @throws {OperatorError} if the file cannot be written */
async function written<Result>(file: string, writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    throw cannotBe('written', file, error);
  }
}

/** @throws {OperatorError} if the file exists or cannot be checked */
async function requireFree(file: string): Promise<void> {
  try {
    await stat(file);
  } catch (error) {
    if (isMissingFile(error)) return;
    throw cannotBe('written', file, error);
  }
  throw exists(file);
}

const exists = (file: string): OperatorError => new OperatorError(`${file} already exists. Choose another name.`);

/**
 * Restores a backup file into the database. With `--replace`, the existing data may be deleted. Needs a connection of
 * `connectForMaintenance`.
 * @throws {OperatorError} if not exactly one file is named; when it runs, if the file cannot be restored. Nothing is
 *   changed then
 */
export const restoreCommand: OperatorCommand = (words) => {
  const options = { replace: { type: 'boolean' }, erasures: { type: 'string' }, ...skipOptions } as const;
  const { file, values } = parseWords(words, options, restoreUsage);
  if (file === undefined) throw new OperatorError('Name the backup file, e.g. make restore FILE=backups/….sql.gz');
  const { replace, erasures } = values;
  const skipped = readSkip(values, restoreUsage);
  const list = typeof erasures === 'string' ? erasures : undefined;
  return (console) => restore(file, replace === true, list, skipped, console);
};

async function restore(
  file: string,
  mayReplace: boolean,
  list: string | undefined,
  skipped: Skip | undefined,
  { database, say, showProgress = () => undefined }: OperatorConsole,
): Promise<void> {
  let size: number;
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new OperatorError(`${file} is a folder.`);
    size = found.size;
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotBe('read', file, error);
  }
  const listed = list === undefined ? [] : await readErasures(list);
  const packed = createReadStream(file);
  const text = createGunzip();
  packed.on('data', () => showProgress(`Restoring, ${megabytes(packed.bytesRead)} of ${megabytes(size)} read`));
  packed.on('error', (error) => text.destroy(error)).pipe(text);
  try {
    const { rows, erasedLeads, laterErasures, skippedAddresses } = await restoreBackup(database, text, mayReplace, {
      listed,
      skipped,
    });
    say(`Restored ${describeRows(rows)}. All staff are signed out. Pending emails will be sent.`);
    if (rows.leads) say(describeIndexing(rows.leads));
    if (skipped) say(describeSkipped(skippedAddresses, skipped));
    if (erasedLeads > 0) say(describeErased(erasedLeads));
    if (laterErasures.length > 0) for (const line of describeLater(laterErasures)) say(line);
  } catch (error) {
    if (error instanceof BackupError) throw new OperatorError(`Nothing was restored. ${error.message}`);
    throw error;
  } finally {
    packed.destroy();
  }
}

function parseWords(
  words: readonly string[],
  options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>,
  usage: string,
) {
  const { positionals, values } = parseCommandLine(words, options, usage);
  const [file, ...more] = positionals;
  if (more.length > 0) throw new OperatorError(`Name only one file instead of: ${positionals.join(', ')}`);
  return { file, values };
}

/** Describes the erasures since the backup by day and by account. */
function describeLater(counts: readonly ErasureCount[]): string[] {
  const authorOf = ({ erasedBy, isWithdrawal }: ErasureCount): string =>
    erasedBy ?? (isWithdrawal ? 'visitors, who withdrew' : 'not recorded');
  const rows = counts.map((count) => [count.day, String(count.count), authorOf(count)]);
  return [
    'Erasures since the backup was written, which the restore has repeated:',
    ...textTable([['DAY (UTC)', 'ERASURES', 'BY'], ...rows]),
    ...(counts.some(({ erasedBy }) => erasedBy !== null)
      ? ['To leave out those of an account, restore again with SKIP_ERASURES_BY=NAME SINCE=TIME.']
      : []),
  ];
}

/** The number of leads that the workers make searchable in a second, on two slow cores. */
const indexedPerSecond = 500;

function describeIndexing(leads: number): string {
  const minutes = Math.ceil(leads / indexedPerSecond / 60);
  const time = minutes === 1 ? 'a minute' : `${minutes.toLocaleString('en-US')} minutes`;
  return `The workers now make the leads searchable, which takes about ${time}. The leads page shows how far they are.`;
}

function describeRows(rows: RowCounts): string {
  return Object.keys(tables)
    .filter(isBackedUp)
    .flatMap((table) => {
      const count = rows[table];
      return count === undefined ? [] : [`${count} ${tables[table].backup[count === 1 ? 0 : 1]}`];
    })
    .join(', ');
}

function cannotBe(what: 'read' | 'written', file: string, error: unknown): OperatorError {
  const code = codeOf(error);
  if (code === 'EEXIST') return exists(file);
  return new OperatorError(`${file} cannot be ${what}: ${code ?? String(error)}`);
}

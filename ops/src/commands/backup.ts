import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { link, mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError, backedUpTables, noBackup, readBackup, restoreBackup, type RowCounts } from '@dune-tide/db/backup';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import type { OperatorCommand, OperatorConsole } from '../command-line/run-command.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import { parseCommandLine } from '../command-line/arguments.ts';

export const backupUsage = [
  'Usage: make backup [FILE=NAME.sql.gz]',
  '    or node ops/dist/src/backup.js [NAME.sql.gz]',
  '',
  'Writes a backup of the database to that file; without one to backups/, named after the time.',
].join('\n');

export const restoreUsage = [
  'Usage: make restore FILE=NAME.sql.gz [REPLACE=1]',
  '    or node ops/dist/src/restore.js [--replace] NAME.sql.gz',
  '',
  'Puts a backup into an empty database; REPLACE=1 or --replace throws away what the database holds.',
].join('\n');

/**
 * Writes a backup of the database, by `connectForMaintenance`, into a file that nobody but its owner can read: the one
 * that is named, or one named after the time in `backups/`.
 * @throws {OperatorError} when two files are named; its work when the file exists or cannot be written, or when the
 *   backup would leave something out
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
  // A folder that is named and not there may be a disk that is not mounted.
  if (named !== undefined) await requireFolderOf(file);
  // Nothing is written over, least of all an older backup; known before an hour's work, and asked again after it.
  await requireFree(file);
  // Under another name until it is whole and on the disk, so that half a backup never passes for one, however it ends.
  const partial = `${file}.${randomUUID()}.partial`;
  const begun = await begin(partial, file);
  // Whoever hears a signal leaves by process.exit, which no `finally` outlives. A kill leaves it behind.
  const removePartial = (): void => rmSync(partial, { force: true });
  process.once('exit', removePartial);
  let rows: RowCounts = {};
  try {
    await pipeline(
      readBackup(database, (counted) => (rows = counted)),
      countingBytes((bytes) => showProgress(`Backing up, ${megabytes(bytes)} read`)),
      createGzip(),
      begun.createWriteStream({ flush: true }),
    );
    await putInPlace(partial, file);
  } catch (error) {
    throw error instanceof BackupError ? new OperatorError(`Nothing was backed up. ${error.message}`) : error;
  } finally {
    process.off('exit', removePartial);
    removePartial();
  }
  say(`Backed up ${describeRows(rows)} to ${file}`);
}

/** Passes everything on and reports how many bytes have passed. */
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

async function begin(partial: string, file: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(file), { recursive: true });
    return await open(partial, 'wx', 0o600);
  } catch (error) {
    throw cannotBe('written', file, error);
  }
}

/** What says that a rename would fail as well. Any other may mean a file system without second names, e.g. exFAT. */
const renameFailsToo = new Set(['EEXIST', 'ENOENT', 'EACCES', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

async function putInPlace(partial: string, file: string): Promise<void> {
  try {
    // A rename would write over what is there.
    await link(partial, file);
  } catch (error) {
    if (renameFailsToo.has(codeOf(error) ?? '')) throw cannotBe('written', file, error);
    await requireFree(file);
    await rename(partial, file).catch((failure: unknown) => {
      throw cannotBe('written', file, failure);
    });
  }
}

/** @throws {OperatorError} when there is no such folder, or nobody can tell */
async function requireFolderOf(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    if ((await stat(folder)).isDirectory()) return;
  } catch (error) {
    if (!isMissingFile(error)) throw cannotBe('written', file, error);
  }
  throw new OperatorError(`There is no folder ${folder}.`);
}

/** @throws {OperatorError} when there is such a file, or nobody can tell */
async function requireFree(file: string): Promise<void> {
  try {
    await stat(file);
  } catch (error) {
    if (isMissingFile(error)) return;
    throw cannotBe('written', file, error);
  }
  throw exists(file);
}

const exists = (file: string): OperatorError => new OperatorError(`${file} exists already. Choose another name.`);

/**
 * Puts a backup into the database, by `connectForMaintenance`: the file that is named; with `--replace` what the database
 * holds may be thrown away.
 * @throws {OperatorError} when no file is named, or two are; its work when the file cannot be restored, which changes
 *   nothing then
 */
export const restoreCommand: OperatorCommand = (words) => {
  const { file, values } = parseWords(words, { replace: { type: 'boolean' } }, restoreUsage);
  if (file === undefined) throw new OperatorError('Which backup? e.g. make restore FILE=backups/….sql.gz');
  return (console) => restore(file, values['replace'] === true, console);
};

async function restore(
  file: string,
  mayReplace: boolean,
  { database, say, showProgress = () => undefined }: OperatorConsole,
): Promise<void> {
  let size: number;
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new OperatorError(`${file} is a folder.`);
    size = found.size;
    if (!(await isPacked(file))) throw new OperatorError(`Nothing was restored. ${noBackup}`);
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotBe('read', file, error);
  }
  const packed = createReadStream(file);
  const text = createGunzip();
  packed.on('data', () => showProgress(`Restoring, ${megabytes(packed.bytesRead)} of ${megabytes(size)} read`));
  packed.on('error', (error) => text.destroy(error)).pipe(text);
  try {
    const rows = await restoreBackup(database, text, mayReplace);
    say(`Restored ${describeRows(rows)}. Everyone is signed out; what is pending will be mailed.`);
  } catch (error) {
    if (error instanceof BackupError) throw new OperatorError(`Nothing was restored. ${error.message}`);
    throw error;
  } finally {
    packed.destroy();
  }
}

/** Whether a file begins as gzip's do: the fault of unpacking another is the same as that of a damaged one. */
async function isPacked(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await handle.close();
  }
}

function parseWords(
  words: readonly string[],
  options: Readonly<Record<string, { readonly type: 'boolean' }>>,
  usage: string,
) {
  const { positionals, values } = parseCommandLine(words, options, usage);
  const [file, ...more] = positionals;
  if (more.length > 0) throw new OperatorError(`That is more than one file: ${positionals.join(', ')}`);
  return { file, values };
}

/** What a row of each table is, and several. */
const rowWords: Readonly<Record<keyof RowCounts, readonly [one: string, several: string]>> = {
  leads: ['lead', 'leads'],
  follow_ups: ['follow-up', 'follow-ups'],
  staff: ['staff account', 'staff accounts'],
  recipes: ['recipe', 'recipes'],
};

function describeRows(rows: RowCounts): string {
  return backedUpTables
    .flatMap((table) => {
      const count = rows[table];
      return count === undefined ? [] : [`${count} ${rowWords[table][count === 1 ? 0 : 1]}`];
    })
    .join(', ');
}

function cannotBe(what: 'read' | 'written', file: string, error: unknown): OperatorError {
  const code = codeOf(error);
  if (code === 'EEXIST') return exists(file);
  return new OperatorError(`${file} cannot be ${what}: ${code ?? String(error)}`);
}

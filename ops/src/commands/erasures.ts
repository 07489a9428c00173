import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { personalData, type ListedErasure } from '@dune-tide/db/personal-data';
import { isUuid } from '@dune-tide/domain/uuid';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import { parseCommandLine, usageError } from '../command-line/arguments.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import type { OperatorCommand } from '../command-line/run-command.ts';

export const erasuresUsage = [
  'Usage: make erasures FILE=NAME.json',
  '    or node ops/dist/src/erasures.js NAME.json',
  '',
  'Writes the list of erased people to the file. If the file exists, first erases those on its list from the database.',
  'The list holds no addresses. Keep it apart from the backups, and restore them with ERASURES=NAME.json.',
].join('\n');

/** The content of the file. */
interface ErasureFile {
  readonly format: 1;
  readonly erasures: readonly (Pick<ListedErasure, 'hash' | 'key'> & { readonly erasedAt: string })[];
}

/**
 * Brings the list of erasures in a file and in the database together (docs/PRODUCT.md, "Erasure"): erases what only the
 * file lists, and writes the whole list to the file.
 * @throws {OperatorError} if not exactly one file is named; when it runs, if the file cannot be read or written
 */
export const erasuresCommand: OperatorCommand = (words) => {
  const { positionals } = parseCommandLine(words, {}, erasuresUsage);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw usageError(erasuresUsage, 'Name one file');
  const file = resolve(name);
  return async ({ database, say }) => {
    const people = personalData(database);
    const known = await readIfPresent(file);
    if (known) {
      await people.addListed(known);
      say(describeErased(await people.applyListed('operator')));
    }
    const listed = await people.listed();
    await write(file, listed);
    say(`The list has ${listed.length} ${listed.length === 1 ? 'entry' : 'entries'}: ${file}`);
  };
};

/** Tells the operator how many leads the list of erasures has erased. */
export function describeErased(leads: number): string {
  return `Erased ${leads} ${leads === 1 ? 'lead' : 'leads'} of people on the list of erasures.`;
}

/**
 * Reads a list of erasures.
 * @throws {OperatorError} if the file does not exist, cannot be read or is not such a list
 */
export async function readErasures(file: string): Promise<readonly ListedErasure[]> {
  const listed = await readIfPresent(file);
  if (!listed) throw new OperatorError(`${file} does not exist.`);
  return listed;
}

async function readIfPresent(file: string): Promise<readonly ListedErasure[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw new OperatorError(`${file} cannot be read: ${codeOf(error) ?? String(error)}`);
  }
  const content = parsed(text);
  if (!isErasureFile(content)) throw new OperatorError(`${file} is not a list that make erasures wrote.`);
  return content.erasures.map(({ hash, key, erasedAt }) => ({ hash, key, erasedAt: new Date(erasedAt) }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isErasureFile(content: unknown): content is ErasureFile {
  const { format, erasures } = (content ?? {}) as Partial<Record<keyof ErasureFile, unknown>>;
  return format === 1 && Array.isArray(erasures) && erasures.every(isEntry);
}

function isEntry(entry: unknown): boolean {
  const { hash, key, erasedAt } = (entry ?? {}) as Partial<Record<keyof ListedErasure, unknown>>;
  return (
    /^[0-9a-f]{64}$/.test(String(hash)) && isUuid(String(key)) && !Number.isNaN(new Date(String(erasedAt)).getTime())
  );
}

/** Replaces the file, so that a crash leaves the former or the new list. */
async function write(file: string, erasures: readonly ListedErasure[]): Promise<void> {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, `${JSON.stringify({ format: 1, erasures }, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw new OperatorError(`${file} cannot be written: ${codeOf(error) ?? String(error)}`);
  }
}

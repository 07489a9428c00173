import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { personalData, type ListedErasure } from '@dune-tide/db/personal-data';
import { isUuid } from '@dune-tide/domain/uuid';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import { Ajv } from 'ajv';
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

const isErasureFile = new Ajv({
  formats: { uuid: isUuid, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
}).compile<ErasureFile>({
  type: 'object',
  properties: {
    format: { const: 1 },
    erasures: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          key: { type: 'string', format: 'uuid' },
          erasedAt: { type: 'string', format: 'date-time' },
        },
        required: ['hash', 'key', 'erasedAt'],
      },
    },
  },
  required: ['format', 'erasures'],
});

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
    const fromFile = await readIfPresent(file);
    if (fromFile) {
      await people.addListed(fromFile);
      say(describeErased(await people.applyListed('operator')));
    }
    const fromDatabase = await people.listed();
    await write(file, fromDatabase);
    say(`The list has ${fromDatabase.length} ${fromDatabase.length === 1 ? 'entry' : 'entries'}: ${file}`);
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
  const erasures = await readIfPresent(file);
  if (!erasures) throw new OperatorError(`${file} does not exist.`);
  return erasures;
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

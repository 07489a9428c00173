import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  erasureList,
  erasureSubjects,
  NoErasuresToSkip,
  personalData,
  type ListedErasure,
} from '@dune-tide/db/personal-data';
import { isUuid } from '@dune-tide/domain/uuid';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import { Ajv } from 'ajv';
import { parseCommandLine, usageError } from '../command-line/arguments.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import type { OperatorCommand } from '../command-line/run-command.ts';

/** The options that leave out the erasures of an account, and their description. */
export const skipOptions = { 'skip-by': { type: 'string' }, since: { type: 'string' } } as const;
export const skipUsage = [
  'SKIP_ERASURES_BY=NAME SINCE=TIME, or --skip-by NAME --since TIME, removes the erasures that the account NAME has made',
  'since TIME, e.g. 2026-11-28T14:05Z, from the list. Withdrawals by visitors and erasures by others stay on it.',
];

export const erasuresUsage = [
  'Usage: make erasures FILE=NAME.json [SKIP_ERASURES_BY=NAME SINCE=TIME]',
  '    or node ops/dist/src/erasures.js [--skip-by NAME --since TIME] NAME.json',
  '',
  'Writes the list of erased people to the file. If the file exists, first erases those on its list from the database.',
  'The list holds no addresses. Keep it apart from the backups, and restore them with ERASURES=NAME.json.',
  ...skipUsage,
].join('\n');

/** The content of the file. */
interface ErasureFile {
  readonly format: 1;
  readonly erasures: readonly FileEntry[];
}

/** An entry of the file. Files of an earlier release have only the first three members. */
interface FileEntry extends Pick<ListedErasure, 'hash' | 'key'>, Partial<Pick<ListedErasure, 'subject' | 'erasedBy'>> {
  readonly erasedAt: string;
  readonly firstErasedAt?: string | null;
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
          subject: { enum: [...erasureSubjects, null] },
          erasedBy: { type: 'string', nullable: true },
          firstErasedAt: { type: 'string', format: 'date-time', nullable: true },
        },
        required: ['hash', 'key', 'erasedAt'],
      },
    },
  },
  required: ['format', 'erasures'],
});

/**
 * Brings the list of erasures in a file and in the database together (docs/PRODUCT.md, "Erasure"): erases what only the
 * file lists, and writes the whole list to the file. Leaves out the erasures of an account if that is wanted.
 * @throws {OperatorError} if not exactly one file is named; when it runs, if the file cannot be read or written, or if
 *   there is nothing to leave out
 */
export const erasuresCommand: OperatorCommand = (words) => {
  const { positionals, values } = parseCommandLine(words, skipOptions, erasuresUsage);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw usageError(erasuresUsage, 'Name one file');
  const skipped = readSkip(values, erasuresUsage);
  const file = resolve(name);
  return async ({ database, say }) => {
    const fromFile = await readIfPresent(file);
    await database
      .transaction(async (transaction) => {
        const list = erasureList(transaction);
        if (fromFile) await list.merge(fromFile);
        if (skipped) say(describeSkipped(await list.skip(skipped.username, skipped.since), skipped));
      })
      .catch((error: unknown) => {
        throw error instanceof NoErasuresToSkip ? new OperatorError(error.message) : error;
      });
    if (fromFile) say(describeErased(await personalData(database).applyListed('operator')));
    const fromDatabase = await erasureList(database).listed();
    await write(file, fromDatabase);
    say(`The list has ${fromDatabase.length} ${fromDatabase.length === 1 ? 'entry' : 'entries'}: ${file}`);
  };
};

/** The account whose erasures are left out, and the time from which they are. */
export interface Skip {
  readonly username: string;
  readonly since: Date;
}

/** A date, or a time with a zone. */
const timeForm = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads the options of `skipOptions`.
 * @returns undefined without them
 * @throws {OperatorError} if one is missing, or if the time is invalid
 */
export function readSkip(
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>,
  usage: string,
): Skip | undefined {
  const { 'skip-by': username, since } = values;
  if (username === undefined && since === undefined) return undefined;
  if (typeof username !== 'string' || typeof since !== 'string') {
    throw usageError(usage, 'SKIP_ERASURES_BY and SINCE belong together');
  }
  const time = new Date(since.replace(' ', 'T'));
  if (!timeForm.test(since) || Number.isNaN(time.getTime())) {
    throw usageError(usage, 'SINCE must be a date, or a time with its zone such as 2026-11-28T14:05Z');
  }
  return { username, since: time };
}

/** Tells the operator what was left out. */
export function describeSkipped(addresses: number, { username, since }: Skip): string {
  const people = `${addresses} ${addresses === 1 ? 'address' : 'addresses'}`;
  return `Removed ${people} that ${username} has erased since ${since.toISOString()} from the list of erasures.`;
}

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
  return content.erasures.map(({ hash, key, erasedAt, subject = null, erasedBy = null, firstErasedAt = null }) => ({
    hash,
    key,
    erasedAt: new Date(erasedAt),
    subject,
    erasedBy,
    firstErasedAt: firstErasedAt === null ? null : new Date(firstErasedAt),
  }));
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

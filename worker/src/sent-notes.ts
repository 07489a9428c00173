import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hold } from '@dune-tide/db/follow-ups';
import { isMissingFile } from '@dune-tide/platform/system-error';

/**
 * Mails that the server took while the database was away, kept as files beside it: a process that ends before it can
 * say so would leave rows that another mails again.
 */
export interface SentNotes {
  /** @throws the system's error when the file cannot be written */
  add(hold: Hold, answer: string): Promise<void>;
  /**
   * Hands on what was noted, by processes that are gone or beside this one, and forgets it then.
   * @param write - a note that is true no more does nothing
   * @throws what `write` throws, and the system's error when a file cannot be read
   */
  takeUp(write: (hold: Hold, answer: string) => Promise<unknown>): Promise<void>;
}

interface SentNote extends Hold {
  readonly answer: string;
}

const nameOf = (process: string): string => `sent-${process}.jsonl`;
const isOfNotes = (name: string): boolean => /^sent-.+\.jsonl$/.test(name);

/** @param directory - of one product's workers; what is there outlives them */
export function openSentNotes(directory: string): SentNotes {
  const own = join(directory, nameOf(randomUUID()));
  return {
    async add({ id, lease }, answer) {
      const note: SentNote = { id, lease, answer };
      await mkdir(directory, { recursive: true });
      await appendFile(own, `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true });
    },
    async takeUp(write) {
      for (const name of (await filesIn(directory)).filter(isOfNotes)) {
        const file = join(directory, name);
        const notes = await readNotes(file);
        await Promise.all(notes.map(({ answer, ...hold }) => write(hold, answer)));
        await rm(file, { force: true });
      }
    },
  };
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

async function readNotes(file: string): Promise<SentNote[]> {
  const text = await readFile(file, 'utf8');
  // The last line ends in nothing, or was cut off with its process.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as SentNote);
}

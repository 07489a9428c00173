import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hold } from '@dune-tide/db/follow-up-claims';
import { isMissingFile } from '@dune-tide/platform/system-error';

/**
 * Follow-ups that were sent while the database was unavailable, each in a file of its own. Without them, a process that
 * ends before it can write so would leave rows that another worker sends again.
 */
export interface SentNotes {
  /** @throws the system's error when the note cannot be written */
  add(hold: Hold, answer: string): Promise<void>;
  /**
   * Hands on what was noted, by processes that are gone or beside this one, and forgets it then.
   * @param write - does nothing for a note that is no longer true
   * @param onUnreadable - told of each note that cannot be read; it stays
   * @throws what `write` throws, and the system's error when the directory cannot be read
   */
  takeUp(
    write: (hold: Hold, answer: string) => Promise<unknown>,
    onUnreadable: (error: unknown) => void,
  ): Promise<void>;
}

interface SentNote extends Hold {
  readonly answer: string;
}

const isOfNote = (name: string): boolean => /^sent-[^.]+\.json$/.test(name);

/** @param directory - of one product's workers; what is there outlives them */
export function openSentNotes(directory: string): SentNotes {
  return {
    async add({ id, lease }, answer) {
      const note: SentNote = { id, lease, answer };
      const file = join(directory, `sent-${randomUUID()}.json`);
      const unfinished = `${file}.part`;
      await mkdir(directory, { recursive: true });
      try {
        await writeFile(unfinished, JSON.stringify(note), { mode: 0o600, flush: true });
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async takeUp(write, onUnreadable) {
      const handOn = async (file: string): Promise<void> => {
        const note = await readNote(file, onUnreadable);
        if (!note) return;
        const { answer, ...hold } = note;
        await write(hold, answer);
        await rm(file, { force: true });
      };
      const names = (await filesIn(directory)).filter(isOfNote);
      await Promise.all(names.map((name) => handOn(join(directory, name))));
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

async function readNote(file: string, onUnreadable: (error: unknown) => void): Promise<SentNote | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SentNote;
  } catch (error) {
    // A worker that started at the same time was first.
    if (!isMissingFile(error)) onUnreadable(error);
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharedText, LeasedRow } from '@dune-tide/db/follow-ups';
import { isMissingFile } from '@dune-tide/platform/system-error';

/**
 * Notes of follow-ups that were sent while the database was unavailable, each in its own file. They prevent a second send
 * if the process ends before it can write the outcome to the database.
 */
export interface SentNotes {
  /**
   * Writes a note, without the addresses in the server's response.
   * @param text - the shared text with which the follow-up was sent
   * @returns a function that deletes the note
   * @throws the file system's error
   */
  add(claim: LeasedRow, serverResponse: string, text?: SharedText): Promise<() => Promise<void>>;
  /**
   * Passes the notes of all processes to `write` and then deletes them.
   * @param write - must ignore an outdated note
   * @param onUnreadable - called with the error of each note that cannot be read; the note stays
   * @throws the error of `write`, or the file system's error if the directory cannot be read
   */
  adopt(
    write: (claim: LeasedRow, serverResponse: string, text?: SharedText) => Promise<unknown>,
    onUnreadable: (error: unknown) => void,
  ): Promise<void>;
}

interface SentNote extends LeasedRow {
  /** The server's response. Earlier releases read and write it under this name. */
  readonly answer: string;
  readonly text?: SharedText | undefined;
}

/** Anything that can be an email address. */
const addresses = /[^\s<>]+@[^\s<>]+/g;

const isOfNote = (name: string): boolean => /^sent-[^.]+\.json$/.test(name);

/**
 * Opens the notes in a directory.
 * @param directory - shared by the workers of one installation and kept when they end
 */
export function openSentNotes(directory: string): SentNotes {
  return {
    async add({ id, lease }, serverResponse, text) {
      // Only the database holds personal data, so that an erasure reaches all of it.
      const note: SentNote = { id, lease, answer: serverResponse.replaceAll(addresses, '…'), text };
      const file = join(directory, `sent-${randomUUID()}.json`);
      const unfinished = `${file}.part`;
      await mkdir(directory, { recursive: true });
      try {
        await writeFile(unfinished, JSON.stringify(note), { mode: 0o600, flush: true });
        await rename(unfinished, file);
        return () => rm(file, { force: true });
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async adopt(write, onUnreadable) {
      const adoptOne = async (file: string): Promise<void> => {
        const note = await readNote(file, onUnreadable);
        if (!note) return;
        const { answer: serverResponse, text, ...claim } = note;
        await write(claim, serverResponse, text);
        await rm(file, { force: true });
      };
      const names = (await filesIn(directory)).filter(isOfNote);
      await Promise.all(names.map((name) => adoptOne(join(directory, name))));
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
    // Another worker that started at the same time has processed the note.
    if (!isMissingFile(error)) onUnreadable(error);
    return undefined;
  }
}

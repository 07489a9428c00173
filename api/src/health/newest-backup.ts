import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '@dune-tide/platform/system-error';

/**
 * Returns the time of the newest complete backup in a folder.
 * @returns undefined if the folder has no complete backup or does not exist
 * @throws the system's error if the folder cannot be read
 */
export async function newestBackup(directory: string): Promise<Date | undefined> {
  const names = (await unlessMissing(readdir(directory))) ?? [];
  const files = names.filter((name) => /\.(?:dump|sql\.gz)$/.test(name));
  // A file may be deleted after it was listed.
  const found = await Promise.all(files.map((name) => unlessMissing(stat(join(directory, name)))));
  const times = found.flatMap((file) => file?.mtimeMs ?? []);
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

async function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '@dune-tide/platform/system-error';

/**
 * When the newest whole backup in a folder was made.
 * @returns undefined when there is none, or no such folder
 * @throws the system's error when nobody can tell
 */
export async function newestBackup(directory: string): Promise<Date | undefined> {
  const names = (await unlessMissing(readdir(directory))) ?? [];
  const files = names.filter((name) => /\.(?:dump|sql\.gz)$/.test(name));
  // One may be deleted meanwhile.
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

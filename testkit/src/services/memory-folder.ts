import { access, chmod, constants, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = '/dev/shm';
/** Several times the size of all concurrent databases and browser profiles. */
const enoughBytes = 4 * 1024 ** 3;

/**
 * Finds a folder in memory, where the tests take a fifth less time than on a disk.
 * @returns undefined if the folder is missing or too small, or does not allow programs to run
 */
export async function memoryFolder(): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= enoughBytes && (await runsPrograms()) ? folder : undefined;
  } catch {
    return undefined;
  }
}

async function runsPrograms(): Promise<boolean> {
  const directory = await mkdtemp(join(folder, 'studio-probe-'));
  try {
    const program = join(directory, 'program');
    await writeFile(program, '');
    await chmod(program, 0o700);
    await access(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    await rm(directory, { recursive: true });
  }
}

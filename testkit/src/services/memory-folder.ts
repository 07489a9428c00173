import { access, chmod, constants, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = '/dev/shm';
/** All databases and browser profiles that are there at once, several times over. */
const enoughBytes = 4 * 1024 ** 3;

/**
 * @returns a folder whose files are in memory, where this machine has one with room in which programs may run: the tests
 *   take a fifth less time there than on a disk
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

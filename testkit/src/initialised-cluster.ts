import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testService } from './environment.ts';

/**
 * Copies an initialised database to where `startCluster` expects it, because initdb takes seconds of processor time.
 * @param directory - created if it does not exist
 */
export async function copyInitialisedCluster(directory: string): Promise<void> {
  // PostgreSQL requires the same owners and modes.
  await promisify(execFile)('cp', ['--archive', '--no-target-directory', testService('TEST_CLUSTER'), directory]);
}

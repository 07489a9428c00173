import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testService } from './environment.ts';

/**
 * Puts a database, as initdb made it, where `startCluster` will look for one: initdb takes seconds of processor time.
 * @param directory - is made when it is not there
 */
export async function copyInitialisedCluster(directory: string): Promise<void> {
  // With owners and modes, which PostgreSQL insists on.
  await promisify(execFile)('cp', ['--archive', '--no-target-directory', testService('TEST_CLUSTER'), directory]);
}

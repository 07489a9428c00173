import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testService } from './environment.ts';

/**
 * Copies an initialised cluster to where `startCluster` expects it, because initdb takes seconds of processor time.
 * @param directory - created if it does not exist
 */
export const copyInitialisedCluster = (directory: string): Promise<void> => copy('TEST_CLUSTER', directory);

/** Copies a cluster with the product's roles and its migrated database, which has no rows. */
export const copyMigratedCluster = (directory: string): Promise<void> => copy('TEST_MIGRATED_CLUSTER', directory);

async function copy(from: 'TEST_CLUSTER' | 'TEST_MIGRATED_CLUSTER', directory: string): Promise<void> {
  // PostgreSQL requires the same owners and modes.
  await promisify(execFile)('cp', ['--archive', '--no-target-directory', testService(from), directory]);
}

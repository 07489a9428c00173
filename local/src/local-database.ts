import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCluster, requireStopped, startCluster, type Cluster } from './cluster.ts';

const databaseName = 'dune_and_tide';

/** The local stack's PostgreSQL with its database. */
export interface LocalDatabase extends Pick<Cluster, 'ended' | 'stop'> {
  readonly databaseUrl: string;
}

/**
 * Starts the database that `make run` keeps in its data directory.
 * @param port - another free port is used when it is taken
 * @throws {ClusterError} also when it is running already
 */
export async function startLocalDatabase(dataDirectory: string, port: number): Promise<LocalDatabase> {
  const logDirectory = join(dataDirectory, 'log');
  await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const cluster = await startCluster({
    directory: clusterDirectory(dataDirectory),
    port,
    logFile: join(logDirectory, 'postgresql.log'),
  });
  try {
    await cluster.createDatabase(databaseName);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return { databaseUrl: cluster.url(databaseName), ended: cluster.ended, stop: cluster.stop };
}

/** @throws {ClusterError} when the database of the data directory is running already */
export async function requireNotUnderWay(dataDirectory: string): Promise<void> {
  await requireStopped(clusterDirectory(dataDirectory));
}

/** @returns where the database of a `make run` listens that is under way, if there is one */
export async function runningDatabaseUrl(dataDirectory: string): Promise<string | undefined> {
  return (await findCluster(clusterDirectory(dataDirectory)))?.(databaseName);
}

/** @returns where the database of a data directory is kept */
export function clusterDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'postgresql');
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCluster, requireStopped, startCluster, type Cluster } from './cluster.ts';

const databaseName = 'dune_and_tide';

/** The PostgreSQL server of the local stack. */
export interface LocalDatabase extends Pick<Cluster, 'ended' | 'stop'> {
  readonly databaseUrl: string;
}

/**
 * Starts the database that `make run` keeps in its data directory.
 * @param port - the preferred port; if it is taken, another free port is used
 * @throws {ClusterError} if it is already running or does not start
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

/** @throws {ClusterError} if the database of the data directory is already running */
export async function requireNotUnderWay(dataDirectory: string): Promise<void> {
  await requireStopped(clusterDirectory(dataDirectory));
}

/** @returns the connection string of the database of a running `make run`, or undefined if none is running */
export async function runningDatabaseUrl(dataDirectory: string): Promise<string | undefined> {
  return (await findCluster(clusterDirectory(dataDirectory)))?.(databaseName);
}

/** @returns the database's folder in a data directory */
export function clusterDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'postgresql');
}

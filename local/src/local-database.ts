import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Role } from '@dune-tide/db/schema';
import { isMissingFile } from '@dune-tide/platform/system-error';
import { findCluster, requireStopped, startCluster, type Cluster } from './cluster.ts';
import { rotate } from './log-file.ts';

/** The name of the product's database in its own cluster. */
export const localDatabaseName = 'dune_and_tide';

/** The pause between two attempts to restart the server, e.g. while the disk is full. */
const restartDelayMs = 1_000;
/** The size in bytes above which PostgreSQL's log is rotated at a start. One old log is kept. */
const logBytes = 10_000_000;

/** The PostgreSQL server of the local stack. */
export interface LocalDatabase {
  /** Returns the connection string of a role. */
  readonly url: (role: Role) => string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the database that `make run` keeps in its data directory.
 * @param port - the preferred port; if it is taken, another free port is used
 * @param say - prints a message for the operator; if it is given, a server that exits is restarted on the same port
 *   until `stop`, because it can exit for a temporary reason such as a full disk
 * @throws {ClusterError} if it is already running or does not start
 * @throws {MigrationHistoryError} if its data is older than the required stop
 */
export async function startLocalDatabase(
  dataDirectory: string,
  port: number,
  say?: (line: string) => void,
): Promise<LocalDatabase> {
  const logDirectory = join(dataDirectory, 'log');
  await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const logFile = join(logDirectory, 'postgresql.log');
  const start = async (wanted: number): Promise<Cluster> => {
    await rotateLargeLog(logFile);
    return startCluster({ directory: clusterDirectory(dataDirectory), port: wanted, logFile });
  };
  let cluster = await start(port);
  try {
    await cluster.createDatabase(localDatabaseName);
    await cluster.prepareRoles(localDatabaseName);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const { url } = cluster;

  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;
  const restartWhenEnded = (): void => {
    void cluster.ended.then(() => {
      if (say && !stopping.signal.aborted) restarting = restart(say);
    });
  };
  async function restart(tell: (line: string) => void): Promise<void> {
    tell('The database ended unexpectedly; restarting it.');
    let told: string | undefined;
    while (!stopping.signal.aborted) {
      try {
        cluster = await start(Number(new URL(url(localDatabaseName)).port));
        if (cluster.url(localDatabaseName) !== url(localDatabaseName)) {
          await cluster.stop();
          throw new Error('Its port is in use.');
        }
        tell('The database is running again.');
        return restartWhenEnded();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== told) tell(`The database cannot be restarted yet: ${reason}`);
        told = reason;
      }
      await pause(restartDelayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  restartWhenEnded();

  return {
    url: (role) => url(localDatabaseName, role),
    async stop() {
      stopping.abort();
      await restarting;
      await cluster.stop();
    },
  };
}

async function rotateLargeLog(file: string): Promise<void> {
  try {
    if ((await stat(file)).size > logBytes) await rotate(file, 2);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}

/** @throws {ClusterError} if the database of the data directory is already running */
export async function requireNotUnderWay(dataDirectory: string): Promise<void> {
  await requireStopped(clusterDirectory(dataDirectory));
}

/** @returns the connection string of a role on the database of a running `make run`, or undefined if none is running */
export async function runningDatabaseUrl(dataDirectory: string, role: Role): Promise<string | undefined> {
  return (await findCluster(clusterDirectory(dataDirectory)))?.(localDatabaseName, role);
}

/** @returns the database's folder in a data directory */
export function clusterDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'postgresql');
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster, type Cluster } from '@dune-tide/local/cluster';
import { freePort } from '@dune-tide/local/ports';
import pg from 'pg';
import { localDatabaseName } from '@dune-tide/local/local-database';
import { connectForTest, type TestDatabase } from './database.ts';
import { copyInitialisedCluster, copyMigratedCluster } from './initialised-cluster.ts';
import { until } from './until.ts';

/** A PostgreSQL server for one test, with a migrated database. */
export interface TestCluster {
  readonly test: TestDatabase;
  /** Returns the process id of the postmaster. */
  pid(): number;
  /** Returns the ids of the processes that serve an application, e.g. `api`, the last active one first. */
  backends(application: string): Promise<number[]>;
  /** Stops the server like `pg_ctl stop -m`. `immediate` is a crash, with a recovery at the next start. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts the server again with the same data and port. */
  start(): Promise<void>;
  /** Opens every available connection. @returns a function that closes them */
  exhaust(): Promise<() => Promise<void>>;
}

/** A PostgreSQL server for one file of tests, with neither a database of the product nor its roles. */
export interface EmptyCluster {
  readonly cluster: Cluster;
  /** Holds the server's data. Its owner is the server's user. */
  readonly directory: string;
  /** Stops the server and deletes its data. */
  drop(): Promise<void>;
}

/** Starts a server on a free port. It does not sync its files, so its data does not survive a crash of the machine. */
export async function startEmptyCluster(): Promise<EmptyCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'empty-cluster-'));
  await copyInitialisedCluster(directory);
  const cluster = await startCluster({
    directory,
    port: 0,
    logFile: join(directory, 'postgresql.log'),
    settings: ['fsync=off', 'shared_buffers=16MB'],
  });
  return {
    cluster,
    directory,
    async drop() {
      await cluster.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a cluster, which `test.drop()` stops. @param settings - settings of PostgreSQL, e.g. `fsync=off` */
export async function startTestCluster(settings: readonly string[] = []): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'faults-cluster-'));
  await copyMigratedCluster(directory);
  const port = await freePort(0, '127.0.0.1');
  const start = () =>
    startCluster({
      directory,
      port,
      logFile: join(directory, 'postgresql.log'),
      settings: ['shared_buffers=16MB', 'max_connections=60', ...settings],
    });
  let cluster = await start();
  const url = cluster.url(localDatabaseName);
  const appUrl = cluster.url(localDatabaseName, 'app');
  const database = connectForTest(url);
  const app = connectForTest(appUrl);
  const appWithWebhooks = connectForTest(appUrl, { writesWebhooks: true });

  return {
    test: {
      url,
      database,
      appUrl,
      app,
      appWithWebhooks,
      ownerUrl: cluster.url(localDatabaseName, 'migrate'),
      backupUrl: cluster.url(localDatabaseName, 'backup'),
      async drop() {
        try {
          // The server needs a moment to notice a closed connection. A leaked connection stays open.
          await until('all connections are closed', async () => {
            const { rows } = await database.raw<{ rows: unknown[] }>(
              `select from pg_stat_activity where datname = current_database() and application_name <> 'test'`,
            );
            return rows.length === 0;
          });
        } finally {
          await Promise.all([database, app, appWithWebhooks].map((pool) => pool.destroy()));
          await cluster.stop();
          await rm(directory, { recursive: true, force: true });
        }
      },
    },
    pid: () => cluster.pid,
    async backends(application) {
      const { rows } = await database.raw<{ rows: { pid: number }[] }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = ?
         order by query_start desc nulls last`,
        [application],
      );
      return rows.map(({ pid }) => pid);
    },
    async stop(mode) {
      process.kill(cluster.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await cluster.ended;
    },
    async start() {
      cluster = await start();
    },
    async exhaust() {
      const taken: pg.Client[] = [];
      for (;;) {
        const client = new pg.Client({
          connectionString: url,
          connectionTimeoutMillis: 5_000,
          application_name: 'greedy',
        });
        client.on('error', () => undefined);
        try {
          await client.connect();
          taken.push(client);
        } catch (error) {
          if (error instanceof pg.DatabaseError && error.code === '53300') break;
          throw error;
        }
      }
      return async () => void (await Promise.all(taken.map((client) => client.end())));
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTools } from '@dune-tide/testkit/services/services';
import { startTestRedis } from '@dune-tide/testkit/redis';
import { startCluster } from '@dune-tide/local/cluster';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Ends } from './run.ts';
import { showProgress } from './report.ts';

/** The servers that all contenders share. Each contender has its own database. */
export interface Services {
  /** The folder of the data and logs, which is removed after the measurement. */
  readonly directory: string;
  /** The folder in which all workers cache the portfolio, so that it is rendered once. */
  readonly portfolioDirectory: string;
  /** e.g. `PostgreSQL 18.1`. */
  readonly versions: readonly string[];
  readonly postgresPid: number;
  readonly redisPid: number;
  readonly logFile: (name: string) => string;
  /** Creates a database. @returns its connection string */
  createDatabase(name: string): Promise<string>;
  /** @returns the URL of an unused Redis database */
  redisDatabase(): string;
}

/** The settings of production: a crash loses at most the last second of the queue. */
const redisSettings = ['appendonly yes', 'appendfsync everysec', 'databases 64', 'maxmemory-policy noeviction'];

/** Starts Redis, and the PostgreSQL that npm installed, with its default settings. */
export async function startServices(ends: Ends): Promise<Services> {
  showProgress('Starting PostgreSQL and Redis');
  await installTools();
  const directory = await mkdtemp(join(tmpdir(), 'studio-bench-'));
  ends.add({ stop: () => rm(directory, { recursive: true, force: true }) });
  const cluster = ends.add(
    await startCluster({
      directory: join(directory, 'postgresql'),
      port: 0,
      logFile: join(directory, 'postgresql.log'),
      settings: ['max_connections=200'],
    }),
  );
  const redis = ends.add(await startTestRedis(undefined, redisSettings));
  let redisDatabases = 0;
  return {
    directory,
    portfolioDirectory: join(directory, 'portfolio'),
    versions: [await postgresVersion(cluster.url('postgres')), await redisVersion(redis.url)],
    postgresPid: cluster.pid,
    redisPid: redis.pid,
    logFile: (name) => join(directory, `${name}.log`),
    async createDatabase(name) {
      await cluster.createDatabase(name);
      return cluster.url(name);
    },
    redisDatabase: () => `${redis.url}/${++redisDatabases}`,
  };
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return `PostgreSQL ${rows[0]?.server_version}`;
}

async function redisVersion(url: string): Promise<string> {
  const redis = new Redis(url);
  const version = /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1];
  redis.disconnect();
  return `Redis ${version} (append-only file, each second)`;
}

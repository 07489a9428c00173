import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCluster } from '@dune-tide/local/cluster';
import { clusterDirectory, startLocalDatabase } from '@dune-tide/local/local-database';
import { migrateTestDatabase } from '../database.ts';
import { copyInitialisedCluster, copyMigratedCluster } from '../initialised-cluster.ts';
import { startTestRedis } from '../redis.ts';

const run = promisify(execFile);
const installLimitMs = 8 * 60_000;

/** The running services of the tests. Tests find their addresses in the environment. */
export interface TestServices {
  stop(): Promise<void>;
}

/**
 * Installs the tools that the machine lacks and sets the variables with their paths.
 * @param tools - names that scripts/debian-tools.sh knows; the default are the tools of the tests
 * @throws with the output of the script if a tool cannot be installed
 */
export async function installTools(
  tools: readonly string[] = ['chromium', 'redis-server', 'promtool', 'soffice'],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tools-'));
  const file = join(directory, 'tools.env');
  await run('scripts/debian-tools.sh', ['--env', file, ...tools], { timeout: installLimitMs });
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const [, name, value] = /^([A-Z_]+)=(.+)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) process.env[name] = value;
  }
  await rm(directory, { recursive: true });
}

/**
 * Starts Redis, and PostgreSQL with a migrated database. Their folders are in TMPDIR, which the caller removes.
 * @throws if one does not start; the other is stopped then
 */
export async function startServices(): Promise<TestServices> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    const directory = await mkdtemp(join(tmpdir(), 'studio-tests-'));
    process.env['TEST_CLUSTER'] = await initialiseCluster();
    process.env['TEST_MIGRATED_CLUSTER'] = await migrateCluster();
    await copyMigratedCluster(directory);
    const cluster = await startCluster({
      directory,
      port: 0,
      logFile: join(directory, 'postgresql.log'),
      // The data is temporary. Tests of crashes start their own clusters.
      settings: ['fsync=off', 'max_connections=200'],
    });
    stops.push(() => cluster.stop());
    process.env['TEST_DATABASE_URL'] = cluster.url('postgres');
    process.env['TEST_APP_URL'] = cluster.url('postgres', 'app');
    process.env['TEST_OWNER_URL'] = cluster.url('postgres', 'migrate');
    process.env['TEST_BACKUP_URL'] = cluster.url('postgres', 'backup');

    const redis = await startTestRedis();
    stops.push(() => redis.stop());
    process.env['TEST_REDIS_URL'] = redis.url;
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Migrates the product's database in a cluster that tests copy. @returns its directory */
async function migrateCluster(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'studio-migrated-'));
  await copyInitialisedCluster(clusterDirectory(data));
  const database = await startLocalDatabase(data, 0);
  try {
    await migrateTestDatabase(database.url('migrate'));
  } finally {
    await database.stop();
  }
  return clusterDirectory(data);
}

/** Initialises a cluster that tests copy. @returns its directory */
async function initialiseCluster(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'studio-initialised-'));
  const cluster = await startCluster({ directory, port: 0, logFile: join(directory, 'postgresql.log') });
  await cluster.stop();
  return directory;
}

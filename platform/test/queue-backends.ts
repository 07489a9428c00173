import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { copyInitialisedCluster } from '@dune-tide/testkit/initialised-cluster';
import { startTestRedis } from '@dune-tide/testkit/redis';
import { startCluster } from '@dune-tide/local/cluster';
import { freePort } from '@dune-tide/local/ports';
import { followUpQueue } from '@dune-tide/domain/follow-ups';
import { createPostgresBackend, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { queueSchema } from '../src/queue/bullmq-internals.ts';
import type { QueueSettings } from '../src/queue/connections.ts';
import { migrateQueue } from '../src/queue/migrate.ts';

/** Direct access to a queue, without the code under test. */
export interface RawQueue {
  add(name: string, data: unknown, id: string): Promise<void>;
  /** Counts the jobs in all states. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** An empty queue for one test. */
export interface TestQueue {
  readonly settings: QueueSettings;
  readonly raw: RawQueue;
  /** Counts the consumers that wait for a job. */
  idleConsumers(): Promise<number>;
  /** @throws if the code under test left a connection open */
  drop(): Promise<void>;
}

/** A server for one test, which can be killed and restarted. */
export interface TestServer {
  readonly settings: QueueSettings;
  /** Starts it, always on the same port. A restart may lose its data. */
  start(): Promise<void>;
  /** Ends it without a graceful shutdown. */
  kill(): Promise<void>;
  /** Returns the ids of its processes. */
  pids(): Promise<number[]>;
  /** Ends it and removes its files. */
  remove(): Promise<void>;
}

export interface Backend {
  readonly name: string;
  createQueue(): Promise<TestQueue>;
  /** Returns a server that has not been started. */
  prepareServer(): Promise<TestServer>;
}

function rawQueue(queue: Pick<Queue, 'add' | 'getJobCounts' | 'close'>): RawQueue {
  return {
    async add(name, data, id) {
      await queue.add(name, data, { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true });
    },
    async count() {
      const counts = await queue.getJobCounts();
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: () => queue.close(),
  };
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Ends the connections on which consumers listen for new jobs.
 * @returns the number of ended connections
 */
export async function cutListeners(databaseUrl: string): Promise<number> {
  const cut = await query(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like '${followUpQueue}%'`,
  );
  return cut.length;
}

const postgres: Backend = {
  name: 'PostgreSQL',

  async createQueue() {
    const database = await createTestDatabase();
    const raw = rawQueue(
      new Queue(
        followUpQueue,
        { connection: { connectionString: database.url, schema: queueSchema, max: 1 } },
        createPostgresBackend,
      ),
    );
    return {
      settings: { databaseUrl: database.appUrl },
      raw,
      async idleConsumers() {
        const { rows } = await database.database.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity
           where datname = current_database() and application_name like ? and state = 'idle' and query like '%LISTEN%'`,
          [`${followUpQueue}%`],
        );
        return rows.length;
      },
      async drop() {
        await raw.close();
        await database.drop();
      },
    };
  },

  async prepareServer() {
    const directory = await mkdtemp(join(tmpdir(), 'queue-cluster-'));
    await copyInitialisedCluster(directory);
    const port = await freePort(0, '127.0.0.1');
    const start = () =>
      startCluster({
        directory,
        port,
        logFile: join(directory, 'postgresql.log'),
        settings: ['fsync=off', 'shared_buffers=16MB'],
      });
    // The URL contains the password, which is generated at the first start.
    let cluster = await start();
    await cluster.createDatabase('queue');
    const settings = { databaseUrl: cluster.url('queue') };
    await migrateQueue(settings);
    await cluster.stop();
    return {
      settings,
      async start() {
        cluster = await start();
      },
      kill: () => cluster.stop(),
      async pids() {
        const rows = await query<{ pid: number }>(
          settings.databaseUrl,
          `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
        return [cluster.pid, ...rows.map(({ pid }) => pid)];
      },
      async remove() {
        await cluster.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  },
};

/** An unreachable address, because the queue on Redis must not use PostgreSQL. */
const noDatabase = 'postgres://no-one@127.0.0.1:1/nothing';

const redis: Backend = {
  name: 'Redis',

  async createQueue() {
    const server = await startTestRedis();
    const client = new Redis(server.url, { maxRetriesPerRequest: 1 });
    const raw = rawQueue(new Queue(followUpQueue, { connection: { url: server.url } }));
    const commands = async (): Promise<string[]> =>
      [...String(await client.client('LIST')).matchAll(/ cmd=(\S+)/g)].map(([, command]) => command ?? '');
    return {
      settings: { databaseUrl: noDatabase, redisUrl: server.url },
      raw,
      idleConsumers: async () => (await commands()).filter((command) => command === 'bzpopmin').length,
      async drop() {
        await raw.close();
        const connections = await commands();
        client.disconnect();
        await server.stop();
        if (connections.length > 1) throw new Error(`Connections left open: ${connections.join(', ')}`);
      },
    };
  },

  async prepareServer() {
    const port = await freePort(0, '127.0.0.1');
    let server: Awaited<ReturnType<typeof startTestRedis>> | undefined;
    const kill = async (): Promise<void> => {
      await server?.kill();
      server = undefined;
    };
    return {
      settings: { databaseUrl: noDatabase, redisUrl: `redis://127.0.0.1:${port}` },
      async start() {
        server = await startTestRedis(port);
      },
      kill,
      pids: async () => (server ? [server.pid] : []),
      remove: kill,
    };
  },
};

/** Tests of the queue run on both backends. */
export const backends: readonly Backend[] = [postgres, redis];

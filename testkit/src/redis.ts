import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dune-tide/local/ports';
import { Redis } from 'ioredis';
import { testService } from './environment.ts';
import { until } from './until.ts';

/** A real Redis server for one test. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Sends SIGKILL: Redis neither writes its data nor closes its connections. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

interface RunningServer {
  readonly port: number;
  readonly pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** @param settings - lines of redis.conf, without port and folder */
async function startServer(
  settings: readonly string[],
  port: number,
  mode: readonly string[] = [],
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'));
  const file = join(directory, 'redis.conf');
  // Redis needs a file that it can write, because a sentinel saves its state there.
  await writeFile(file, [`bind ${host}`, `port ${port}`, `dir ${directory}`, ...settings, ''].join('\n'));
  const server = spawn(testService('REDIS_SERVER'), [file, ...mode], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await until('Redis is available', () => responds(`redis://${host}:${port}`, server));
  return {
    port,
    pid: server.pid ?? 0,
    async end(signal) {
      server.kill(signal);
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const inMemory = ['save ""', 'appendonly no', 'maxmemory-policy noeviction'];

/**
 * Starts an empty Redis server.
 * @param port - the default is a free port; a test that restarts Redis passes the same port again
 * @param own - lines of redis.conf that replace the default settings
 */
export async function startTestRedis(port?: number, own: readonly string[] = inMemory): Promise<TestRedis> {
  const listening = port ?? (await freePort(0, host));
  const server = await startServer(own, listening);
  const url = `redis://${host}:${listening}`;
  return {
    url,
    port: listening,
    pid: server.pid,
    kill: () => server.end('SIGKILL'),
    stop: () => server.end('SIGTERM'),
  };
}

/** Several Redis servers that clients use through one URL. */
export interface TestRedisGroup {
  readonly url: string;
  /** Kills the master after its replica has all writes. */
  killMaster(): Promise<void>;
  stop(): Promise<void>;
}

function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort(0, host)));
}

/** Starts a master, a replica, and a sentinel that promotes the replica if the master is down for three seconds. */
export async function startTestSentinel(): Promise<TestRedisGroup> {
  const [first = 0, second = 0, watching = 0] = await freePorts(3);
  const master = await startServer(inMemory, first);
  const replica = await startServer([...inMemory, `replicaof ${host} ${first}`, 'repl-diskless-sync-delay 0'], second);
  const sentinel = await startServer(
    [
      `sentinel monitor studio ${host} ${first} 1`,
      'sentinel down-after-milliseconds studio 3000',
      'sentinel failover-timeout studio 2000',
    ],
    watching,
    ['--sentinel'],
  );
  await ask(watching, async (redis) =>
    until('the sentinel knows the replica', async () => {
      const replicas = (await redis.call('SENTINEL', 'REPLICAS', 'studio')) as string[][];
      return replicas.some((fields) => fields[fields.indexOf('master-link-status') + 1] === 'ok');
    }),
  );
  return {
    url: `redis+sentinel://${host}:${watching}/studio`,
    async killMaster() {
      await ask(first, async (redis) => {
        // WAIT covers only the writes of this connection and those before them, so this connection writes too.
        await redis.set('last-write', '');
        await until('the replica has all', async () => (await redis.wait(1, 1_000)) === 1);
      });
      await master.end('SIGKILL');
    },
    async stop() {
      for (const server of [sentinel, replica, master]) await server.end('SIGKILL');
    },
  };
}

/** Starts a cluster of three masters. */
export async function startTestRedisCluster(): Promise<Omit<TestRedisGroup, 'killMaster'>> {
  const ports = await freePorts(3);
  const servers: RunningServer[] = [];
  const slots = [
    [0, 5460],
    [5461, 10_922],
    [10_923, 16_383],
  ];
  for (const [index, port] of ports.entries()) {
    // The default bus port is 10,000 higher, which may exceed the highest port.
    const bus = await freePort(0, host);
    servers.push(
      await startServer([...inMemory, 'cluster-enabled yes', `cluster-port ${bus}`, 'cluster-node-timeout 2000'], port),
    );
    await ask(port, async (redis) => {
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', ...(slots[index] ?? []));
      if (index === 0) return;
      const [firstPort = 0] = ports;
      await redis.call('CLUSTER', 'MEET', host, firstPort, await busPort(firstPort));
    });
  }
  for (const port of ports) {
    await ask(port, async (redis) =>
      until('the cluster is complete', async () =>
        /cluster_state:ok[^]*cluster_known_nodes:3/.test(String(await redis.call('CLUSTER', 'INFO'))),
      ),
    );
  }
  return {
    url: `redis+cluster://${ports.map((port) => `${host}:${port}`).join(',')}`,
    async stop() {
      for (const server of servers) await server.end('SIGKILL');
    },
  };
}

async function busPort(port: number): Promise<number> {
  return ask(port, async (redis) => Number((await redis.config('GET', 'cluster-port'))[1]));
}

async function ask<Result>(port: number, question: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(port, host);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

async function responds(url: string, server: ChildProcess): Promise<boolean> {
  if (server.exitCode !== null) throw new Error(`redis-server exited with ${server.exitCode}`);
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return (await redis.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dune-tide/local/ports';
import { Redis } from 'ioredis';
import { testService } from './environment.ts';
import { until } from './until.ts';

/** A real Redis of a test's own. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** SIGKILL: nothing is written, nobody is told. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts Redis, empty.
 * @param port - a free one when left out; a test that restarts Redis gives the same again
 * @param own - further settings, as on redis-server's command line; they count before those of tests
 */
export async function startTestRedis(port?: number, own: readonly string[] = []): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'));
  const listening = port ?? (await freePort(0, '127.0.0.1'));
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
  const server = spawn(
    testService('REDIS_SERVER'),
    ['--port', String(listening), '--dir', directory, ...settings, ...own],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = `redis://127.0.0.1:${listening}`;
  await until('Redis answers', () => answers(url, server));

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  return { url, port: listening, pid: server.pid ?? 0, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

async function answers(url: string, server: ChildProcess): Promise<boolean> {
  if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dune-tide/local/ports';
import type { Knex } from 'knex';
import { createTestDatabase } from './database.ts';
import { startProcess, type RunningProcess } from './processes.ts';
import { startTestSmtp, type TestSmtp } from './smtp.ts';

/** Mails that a worker of a test sends at once. */
export const workerConcurrency = 10;

export interface SystemOptions {
  /** The queue's backend: Redis when there is one. */
  readonly redisUrl?: string | undefined;
  readonly staffEmail?: string;
  readonly siteDirectory?: string;
}

/** Real api and worker processes on a database of their own, mailing to a scripted server. */
export interface RunningSystem {
  readonly url: string;
  readonly database: Knex;
  readonly smtp: TestSmtp;
  startWorker(): Promise<RunningProcess>;
  startApi(): Promise<RunningProcess>;
  /** Stops what still runs; fails when a process does not end well or leaves a connection behind. */
  stop(): Promise<void>;
}

/** Prepares a system; its processes are started by the test. */
export async function prepareSystem(options: SystemOptions = {}): Promise<RunningSystem> {
  const test = await createTestDatabase();
  const smtp = await startTestSmtp();
  const cache = await mkdtemp(join(tmpdir(), 'studio-cache-'));
  const port = await freePort(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const shared = {
    DATABASE_URL: test.url,
    PUBLIC_URL: url,
    LOG_LEVEL: 'info',
    ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl }),
  };
  const processes: RunningProcess[] = [];
  const start = async (module: string, environment: Record<string, string>): Promise<RunningProcess> => {
    const started = await startProcess(module, { ...shared, ...environment });
    processes.push(started);
    return started;
  };

  return {
    url,
    database: test.database,
    smtp,
    startWorker: () =>
      start('@dune-tide/worker/main', {
        SMTP_URL: smtp.url,
        CACHE_DIRECTORY: cache,
        WORKER_CONCURRENCY: String(workerConcurrency),
      }),
    startApi: () =>
      start('@dune-tide/api/main', {
        PORT: String(port),
        SESSION_KEYS: 'a-key-that-signs-nothing-outside-this-test',
        PUBLIC_POST_LIMIT: '0',
        ...(options.staffEmail === undefined ? {} : { STAFF_EMAIL: options.staffEmail }),
        ...(options.siteDirectory === undefined ? {} : { SITE_DIRECTORY: options.siteDirectory }),
      }),
    async stop() {
      const ends = await Promise.all(processes.map((running) => running.stop()));
      await smtp.close();
      await rm(cache, { recursive: true, force: true });
      await test.drop();
      const bad = ends.filter((end) => end !== 0 && end !== 'SIGKILL');
      if (bad.length > 0) throw new Error(`A process ended with ${bad.join(', ')}`);
    },
  };
}

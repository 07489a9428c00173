import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dune-tide/local/ports';
import type { Knex } from 'knex';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { startTestSmtp, type SmtpScript, type TestSmtp } from '@dune-tide/testkit/smtp';

/** Mails that a worker of a test sends at once. */
export const workerConcurrency = 10;
/** Told of each lead. */
export const staffEmail = 'staff@studio.example';

export interface SystemOptions {
  /** Made for the system when left out; dropped with it in any case. */
  readonly database?: TestDatabase;
  /** @returns the address that processes are given for a real part, e.g. a proxy's */
  readonly via?: (part: 'database' | 'mail', url: string) => Promise<string>;
  /** The queue's backend: Redis when there is one. */
  readonly redisUrl?: string | undefined;
  /** Where workers keep the portfolio; several systems may share one, so that it is made once. */
  readonly cacheDirectory?: string;
  /** Of all processes, e.g. `{ DATABASE_POOL_SIZE: '4' }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** The Node.js that runs the processes; the one that runs the tests unless given. */
  readonly executable?: string | undefined;
  /** What the mail server does from the start. */
  readonly mailServer?: SmtpScript | undefined;
}

/** Real api and worker processes on a database of their own, mailing to a scripted server. */
export interface RunningSystem {
  readonly database: Knex;
  readonly smtp: TestSmtp;
  startWorker(): Promise<RunningProcess>;
  /** @param url - where it listens; somewhere new when left out */
  startApi(url?: string): Promise<RunningProcess & { readonly url: string }>;
  /** SIGKILLs what still runs, stopped or not: for a test that failed already. */
  kill(): Promise<void>;
  /**
   * Stops what still runs; fails when a process does not end well or leaves a connection behind.
   * @param betweenThem - called when the processes have ended
   */
  stop(betweenThem?: () => void): Promise<void>;
}

/** Prepares a system; its processes are started by the test. */
export async function prepareSystem(options: SystemOptions = {}): Promise<RunningSystem> {
  const { via = async (_, url) => url, settings = {} } = options;
  const test = options.database ?? (await createTestDatabase());
  const smtp = await startTestSmtp(options.mailServer);
  const cache = options.cacheDirectory ?? (await mkdtemp(join(tmpdir(), 'studio-cache-')));
  const smtpUrl = await via('mail', smtp.url);
  const shared = {
    DATABASE_URL: await via('database', test.url),
    PUBLIC_URL: 'https://site.example',
    ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl }),
    ...settings,
  };
  const processes: RunningProcess[] = [];
  const start = async (module: string, environment: Record<string, string>): Promise<RunningProcess> => {
    const started = await startProcess(module, { ...shared, ...environment }, options.executable);
    processes.push(started);
    return started;
  };

  return {
    database: test.database,
    smtp,
    startWorker: () =>
      start('@dune-tide/worker/main', {
        SMTP_URL: smtpUrl,
        CACHE_DIRECTORY: cache,
        WORKER_CONCURRENCY: String(workerConcurrency),
      }),
    async startApi(url) {
      const listening = url ?? `http://127.0.0.1:${await freePort(0, '127.0.0.1')}`;
      const api = await start('@dune-tide/api/main', {
        PORT: new URL(listening).port,
        SESSION_KEYS: 'a-key-that-signs-nothing-outside-this-test',
        PUBLIC_POST_LIMIT: '0',
        STAFF_EMAIL: staffEmail,
      });
      return { ...api, url: listening };
    },
    async kill() {
      for (const running of processes) running.signal('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
    },
    async stop(betweenThem) {
      const ends = await Promise.all(processes.map((running) => running.stop()));
      betweenThem?.();
      await smtp.close();
      if (options.cacheDirectory === undefined) await rm(cache, { recursive: true, force: true });
      await test.drop();
      const bad = processes.filter((_, index) => ends[index] !== 0 && ends[index] !== 'SIGKILL');
      if (bad.length > 0) {
        throw new Error(
          `${bad.length} processes did not end well (${ends.join(', ')}):\n${bad[0]?.output().slice(-2_000)}`,
        );
      }
    },
  };
}

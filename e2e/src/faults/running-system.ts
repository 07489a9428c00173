import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dune-tide/local/ports';
import type { Knex } from 'knex';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { startTestSmtp, type SmtpScript, type TestSmtp } from '@dune-tide/testkit/smtp';

/** Number of emails that a worker sends concurrently. */
export const workerConcurrency = 10;
/** The address of the site, for the links in emails. */
export const publicUrl = 'https://site.example';
/** Receives a notice of each lead. */
export const staffEmail = 'staff@studio.example';

export interface SystemOptions {
  /** Created for the system if undefined; dropped when the system stops in either case. */
  readonly database?: TestDatabase;
  /** @returns the address that the processes get instead of the real one, such as a proxy's */
  readonly via?: (part: 'database' | 'mail', url: string) => Promise<string>;
  /** Address of Redis; without it, the queue is in PostgreSQL. */
  readonly redisUrl?: string | undefined;
  /** Where workers cache the portfolio. Systems that share it render it only once. */
  readonly cacheDirectory?: string;
  /** EMAIL_LIMIT of the workers; without it, emails are not limited and no digest is sent. */
  readonly emailLimit?: string | undefined;
  /** Settings of all processes, such as `{ DATABASE_POOL_SIZE: '4' }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** The Node.js executable of the processes. Default: the one that runs the tests. */
  readonly executable?: string | undefined;
  /** Behaviour of the mail server from the start. */
  readonly mailServer?: SmtpScript | undefined;
}

export type RunningApi = RunningProcess & { readonly url: string };

/** Real API and worker processes with a separate database and a scripted mail server. */
export interface RunningSystem {
  readonly database: Knex;
  readonly smtp: TestSmtp;
  /** @param checkout - the folder of the release to run; this one if undefined */
  startWorker(checkout?: string): Promise<RunningProcess>;
  /**
   * @param url - address to listen on; a free port if undefined
   * @param checkout - the folder of the release to run; this one if undefined
   */
  startApi(url?: string, checkout?: string): Promise<RunningApi>;
  /** SIGKILLs every running process, suspended or not, after a failed test. */
  kill(): Promise<void>;
  /**
   * Stops every running process. @throws if a process exits with an error or leaves a connection open
   * @param betweenThem - called after the processes have exited
   */
  stop(betweenThem?: () => void): Promise<void>;
}

/** Prepares a system without processes; the test starts them. */
export async function prepareSystem(options: SystemOptions = {}): Promise<RunningSystem> {
  const { via = async (_, url) => url, settings = {} } = options;
  const test = options.database ?? (await createTestDatabase());
  const smtp = await startTestSmtp(options.mailServer);
  const cache = options.cacheDirectory ?? (await mkdtemp(join(tmpdir(), 'studio-cache-')));
  const smtpUrl = await via('mail', smtp.url);
  const shared = {
    DATABASE_URL: await via('database', test.appUrl),
    PUBLIC_URL: publicUrl,
    SESSION_KEYS: 'a-key-that-signs-nothing-outside-this-test',
    REQUIRE_SECOND_FACTOR: 'off',
    ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl }),
    ...settings,
  };
  const processes: RunningProcess[] = [];
  const start = async (
    module: string,
    environment: Record<string, string>,
    checkout?: string,
  ): Promise<RunningProcess> => {
    const started = await startProcess(module, { ...shared, ...environment }, options.executable, checkout);
    processes.push(started);
    return started;
  };

  return {
    database: test.database,
    smtp,
    startWorker: (checkout) =>
      start(
        '@dune-tide/worker/main',
        {
          SMTP_URL: smtpUrl,
          CACHE_DIRECTORY: cache,
          WORKER_CONCURRENCY: String(workerConcurrency),
          EMAIL_LIMIT: options.emailLimit ?? '0',
          STAFF_EMAIL: staffEmail,
        },
        checkout,
      ),
    async startApi(url, checkout) {
      const listening = url ?? `http://127.0.0.1:${await freePort(0, '127.0.0.1')}`;
      const api = await start(
        '@dune-tide/api/main',
        { PORT: new URL(listening).port, PUBLIC_POST_LIMIT: '0', STAFF_EMAIL: staffEmail },
        checkout,
      );
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
          `${bad.length} processes did not exit cleanly (${ends.join(', ')}):\n${bad[0]?.output().slice(-2_000)}`,
        );
      }
    },
  };
}

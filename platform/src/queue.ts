import { randomUUID } from 'node:crypto';
import {
  followUpJobSchema,
  followUpKinds,
  followUpQueue,
  type FollowUpJob,
  type FollowUpKind,
} from '@dune-tide/domain/follow-ups';
import { Ajv } from 'ajv';
import {
  createPostgresBackend,
  type PgPool,
  Queue,
  runMigrations,
  UnrecoverableError,
  Worker,
  type WorkerOptions,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
} from 'bullmq';
import pLimit from 'p-limit';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { describeError, type Logger } from './log.ts';
import { connectRedis, type RedisClient, type RedisConnectionOptions } from './redis.ts';
import { isClusterUrl } from './redis-url.ts';

/** Where the queue lives: on Redis when there is a REDIS_URL, else beside the tables on PostgreSQL. */
export interface QueueSettings {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
}

/** A follow-up row to wake a worker up for. */
export interface WakeUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/**
 * For whoever adds many rows: jobs that are few, since each costs the queue about the same however many rows it holds,
 * but so many that several workers share what comes at once.
 * @param rows - that are added together
 * @returns how many of them share a job
 */
export function rowsPerJob(rows: number): number {
  return Math.max(20, Math.ceil(rows / 5));
}

export type QueueDepth = Readonly<Record<(typeof countedJobStates)[number], number>>;

export interface FollowUpProducer {
  /**
   * Adds jobs. A job that is still waiting for one row alone stays the only one.
   * @param rowsEach - rows that share a job at most, and so a worker
   * @throws when the queue does not take them within its time limit; the sweep comes back to the rows
   */
  enqueue(wakeUps: readonly WakeUp[], rowsEach?: number): Promise<void>;
  /** @throws when the queue cannot be reached */
  check(): Promise<void>;
  /** Jobs in the queue by state. @throws when the queue cannot be reached */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}

export interface FollowUpConsumer {
  /** Finishes the jobs under way, takes no new ones. */
  close(): Promise<void>;
}

/** Jobs are tried once and leave nothing behind, so there are no others. */
const countedJobStates = ['waiting', 'active', 'delayed'] as const;
const commandTimeoutMs = 2_000;
/**
 * A connection that answers nothing for so long while it should is given up and opened anew: a half-open one gives no
 * error by itself for a quarter of an hour. A consumer waits for jobs up to BullMQ's ten seconds.
 */
const producerSilenceMs = commandTimeoutMs + 1_000;
const consumerSilenceMs = 13_000;
/**
 * How long a consumer waits after the queue refused its connection before it fetches again, or puts a job away. BullMQ's
 * own 15 seconds would hold every mail up after a restart of a second.
 */
const consumerRetryMs = 500;
/** BullMQ's own name for it: with a pool of ours it looks nowhere else. */
const queueSchema = 'bullmq';
const fewJobs = 10;
/**
 * A killed worker's jobs are free again within about two locks. Short, because until then BullMQ drops the sweep's
 * wake-ups for their rows; a lock that is lost to a slow moment does no harm, since the row's own lease decides who
 * sends.
 */
const lockDurationMs = 6_000;

/**
 * The row holds the tries and the outcome, so a job is tried once and leaves nothing behind: a retained id would make
 * BullMQ drop the sweep's wake-up for the same row in silence.
 */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** For one statement of BullMQ's migrations: it may wait for another process that runs them. */
const migrationTimeoutMs = 5 * 60_000;

/**
 * Makes or updates BullMQ's own tables on PostgreSQL; nothing to do on Redis. Safe to run from several processes.
 * @throws what a statement fails with; all is as it was then
 */
export async function migrateQueue(
  { databaseUrl, redisUrl }: QueueSettings,
  timeoutMs = migrationTimeoutMs,
): Promise<void> {
  if (redisUrl) return;
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    statement_timeout: timeoutMs,
    // Later than the server's: it helps when the server is stopped.
    query_timeout: timeoutMs + 1_000,
    keepAlive: true,
  });
  // Without a listener a connection that breaks would end the process; the statement under way fails all the same.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client, queueSchema);
  } finally {
    await client.end();
  }
}

/** Thrown when the queue did not answer within its time limit. What was asked of it may still happen. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';

  constructor(options?: ErrorOptions) {
    super('The queue is unavailable', options);
  }
}

function withinLimit<Result>(answer: Promise<Result>): Promise<Result> {
  return pTimeout(answer, {
    milliseconds: commandTimeoutMs,
    fallback() {
      throw new QueueUnavailableError();
    },
  });
}

/**
 * The queue's own connections. BullMQ's would have no listener at times: one that breaks then would end the process.
 * @param poolSize - a consumer listens on one of them for new jobs
 */
function postgresPool(databaseUrl: string, poolSize: number): PgPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'queue',
    // A job that a crash of the server takes back is only a wake-up less, and the sweep comes to its row.
    options: `-c synchronous_commit=off -c search_path=${queueSchema}`,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
    query_timeout: 6_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  // It is one; only the overloads of BullMQ's type are written in another way.
  return pool as unknown as PgPool;
}

/** On a cluster a name in braces keeps all keys of the queue on one node, which BullMQ's scripts need. */
function keysPrefix(redisUrl: string | undefined): { readonly prefix?: string } {
  return redisUrl !== undefined && isClusterUrl(redisUrl) ? { prefix: '{bull}' } : {};
}

function queueRedis(url: string, own: RedisConnectionOptions, logger: Logger): RedisClient {
  return connectRedis(url, own, (error) => logger.warn({ error: describeError(error) }, 'redis'));
}

interface NewJob {
  readonly name: FollowUpKind;
  readonly data: FollowUpJob;
  readonly opts: typeof jobOptions & { readonly jobId: string };
}

/** BullMQ's type differs by backend. */
type RedisQueue = Queue<FollowUpJob, unknown, FollowUpKind>;
type PostgresQueue = Queue<
  FollowUpJob,
  unknown,
  FollowUpKind,
  FollowUpJob,
  unknown,
  FollowUpKind,
  PostgresQueueBackend,
  PostgresConnectionOptions
>;

interface OpenQueue {
  readonly queue: RedisQueue | PostgresQueue;
  readonly addAll: (jobs: NewJob[]) => Promise<unknown>;
  readonly disconnect: () => Promise<void>;
}

function openQueue({ databaseUrl, redisUrl }: QueueSettings, logger: Logger): OpenQueue {
  if (!redisUrl) {
    const connection = postgresPool(databaseUrl, 2);
    const queue: PostgresQueue = new Queue(followUpQueue, { connection }, createPostgresBackend);
    return {
      queue,
      // BullMQ makes two temporary tables for each bulk, which cost PostgreSQL as much as twenty single jobs.
      async addAll(jobs) {
        if (jobs.length > fewJobs) await queue.addBulk(jobs);
        else for (const { name, data, opts } of jobs) await queue.add(name, data, opts);
      },
      disconnect: () => connection.end(),
    };
  }
  // A visitor's request must learn at once that Redis is away instead of piling up behind it.
  const failFast = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    socketTimeout: producerSilenceMs,
  };
  const redis = queueRedis(redisUrl, failFast, logger);
  const queue: RedisQueue = new Queue(followUpQueue, { connection: redis, ...keysPrefix(redisUrl) });
  return { queue, addAll: (jobs) => queue.addBulk(jobs), disconnect: async () => redis.disconnect() };
}

interface LazyQueue {
  /** @throws {QueueUnavailableError} */
  readonly ready: () => Promise<OpenQueue>;
  /** @throws when the queue does not answer */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the queue when it is first asked for. */
function lazyQueue(settings: QueueSettings, logger: Logger): LazyQueue {
  let opened: Promise<OpenQueue> | undefined;
  let isClosed = false;
  // BullMQ keeps a first failure to connect for ever, so a queue that never came up is opened anew.
  const ready = async (): Promise<OpenQueue> => {
    if (isClosed) throw new QueueUnavailableError();
    opened ??= (async () => {
      const open = openQueue(settings, logger);
      open.queue.on('error', (error) => logger.warn({ error: describeError(error) }, 'queue'));
      try {
        await withinLimit(open.queue.waitUntilReady());
        return open;
      } catch (error) {
        opened = undefined;
        // Not waited for: closing waits for the connection that did not come.
        for (const closing of [open.disconnect(), open.queue.close()]) {
          closing.catch((failed: unknown) => logger.warn({ error: describeError(failed) }, 'queue'));
        }
        throw new QueueUnavailableError({ cause: error });
      }
    })();
    return opened;
  };
  return {
    ready,
    async check() {
      const { queue } = await ready();
      await withinLimit(queue.getActiveCount());
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // One that never came up told its caller and closed itself.
      const open = await opened?.catch(() => undefined);
      await open?.queue.close();
      await open?.disconnect();
    },
  };
}

function jobsOf(wakeUps: readonly WakeUp[], rowsEach: number): NewJob[] {
  const jobs: NewJob[] = [];
  for (const kind of followUpKinds) {
    const ids = wakeUps.filter((wakeUp) => wakeUp.kind === kind).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += rowsEach) {
      const followUpIds = ids.slice(from, from + rowsEach);
      const [first = ''] = followUpIds;
      // Named after one of its rows, a job would be dropped beside another that begins alike, with all its other rows.
      const jobId = followUpIds.length === 1 ? first : randomUUID();
      jobs.push({ name: kind, data: { followUpIds }, opts: { ...jobOptions, jobId } });
    }
  }
  return jobs;
}

/** The API's side, and the sweep's. */
export function openProducer(settings: QueueSettings, logger: Logger): FollowUpProducer {
  const { ready, check, close } = lazyQueue(settings, logger);
  return {
    async enqueue(wakeUps, rowsEach = 1) {
      const { addAll } = await ready();
      await withinLimit(addAll(jobsOf(wakeUps, rowsEach)));
    },
    async depth() {
      const { queue } = await ready();
      const { waiting = 0, active = 0, delayed = 0 } = await withinLimit(queue.getJobCounts(...countedJobStates));
      return { waiting, active, delayed };
    },
    check,
    close,
  };
}

/**
 * BullMQ's own queue, for its board. Its connections are its own, and not opened before they are asked for: the board
 * reads several things at once, each for up to five seconds, and a producer behind them would give up after two.
 */
export interface BoardQueue {
  /** @throws {QueueUnavailableError} */
  open(): Promise<Queue>;
  /** @throws when the queue does not answer */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prepares BullMQ's own queue for its board.
 * @returns the queue, which connects when it is first asked for
 */
export function boardQueue(settings: QueueSettings, logger: Logger): BoardQueue {
  const { ready, check, close } = lazyQueue(settings, logger);
  return {
    // Both backends' queues answer to the same calls; only BullMQ's types tell them apart.
    open: async () => (await ready()).queue as Queue,
    check,
    close,
  };
}

const isFollowUpJob = new Ajv().compile<FollowUpJob>(followUpJobSchema);
const isFollowUpKind = (name: string): name is FollowUpKind => (followUpKinds as readonly string[]).includes(name);

function openWorker(
  { databaseUrl, redisUrl }: QueueSettings,
  process: (job: { readonly name: string; readonly data: unknown }) => Promise<void>,
  options: Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'runRetryDelay'>,
  logger: Logger,
) {
  if (!redisUrl) {
    const connection = postgresPool(databaseUrl, 5);
    const worker = new Worker(followUpQueue, process, { ...options, connection }, createPostgresBackend);
    return { worker, disconnect: () => connection.end() };
  }
  const connection = queueRedis(redisUrl, { maxRetriesPerRequest: null, socketTimeout: consumerSilenceMs }, logger);
  const worker = new Worker<FollowUpJob>(followUpQueue, process, { ...options, ...keysPrefix(redisUrl), connection });
  return { worker, disconnect: async () => connection.disconnect() };
}

/**
 * The worker's side.
 * @param handle - called for each wake-up; an error it throws is logged, and the sweep comes back to the row
 * @param concurrency - wake-ups handled at once
 */
export async function startConsumer(
  settings: QueueSettings,
  handle: (wakeUp: WakeUp) => Promise<void>,
  concurrency: number,
  logger: Logger,
): Promise<FollowUpConsumer> {
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  // A job may hold many rows, and a consumer many jobs.
  const limit = pLimit(concurrency);
  /** What one row's handling throws holds no other up. */
  const handleAll = async (followUpIds: readonly string[], kind: FollowUpKind): Promise<void> => {
    const errors: unknown[] = [];
    await limit.map(followUpIds, async (id) => {
      // The sweep comes back to the rest.
      if (isClosing) return;
      await handle({ id, kind }).catch((error: unknown) => {
        logger.error({ followUpId: id, kind, error: describeError(error) }, 'follow-up not handled');
        errors.push(error);
      });
    });
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
  };
  const process = async ({ name, data }: { name: string; data: unknown }): Promise<void> => {
    if (!isFollowUpKind(name) || !isFollowUpJob(data)) throw new UnrecoverableError('Not a follow-up job');
    const handling = handleAll(data.followUpIds, name);
    underWay.add(handling);
    try {
      await handling;
    } finally {
      underWay.delete(handling);
    }
  };
  const options = {
    concurrency,
    lockDuration: lockDurationMs,
    stalledInterval: lockDurationMs / 2,
    runRetryDelay: consumerRetryMs,
  };
  const { worker, disconnect } = openWorker(settings, process, options, logger);
  worker.on('error', (error) => logger.warn({ error: describeError(error) }, 'queue consumer'));
  worker.on('failed', (job, error) => logger.error({ jobId: job?.id, error: describeError(error) }, 'job failed'));
  if (!settings.redisUrl) await worker.waitUntilReady();
  return {
    async close() {
      isClosing = true;
      const closed = worker.close();
      // It may fail while the jobs are waited for, and is asked only then.
      closed.catch(() => undefined);
      // Jobs may take as long as they need, the queue may not: BullMQ would wait for one that is away for ever.
      let isClosed = false;
      while (!isClosed) {
        await Promise.allSettled(underWay);
        try {
          await withinLimit(closed);
          isClosed = true;
        } catch (error) {
          if (underWay.size > 0) continue;
          logger.warn({ error: describeError(error) }, 'queue consumer closed without the queue');
          worker.disconnect().catch((cut: unknown) => logger.warn({ error: describeError(cut) }, 'queue consumer'));
          isClosed = true;
        }
      }
      await withinLimit(disconnect()).catch((error: unknown) =>
        logger.warn({ error: describeError(error) }, 'queue consumer'),
      );
    },
  };
}

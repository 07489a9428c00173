import {
  emailKinds,
  followUpJobSchema,
  followUpQueue,
  type FollowUpJob,
  type FollowUpKind,
} from '@dune-tide/domain/follow-ups';
import { Ajv } from 'ajv';
import { createPostgresBackend, UnrecoverableError, Worker, type PgPool, type WorkerOptions } from 'bullmq';
import pLimit from 'p-limit';
import { describeError, type Logger } from '../log.ts';
import { levelDuring, type Outage } from '../outage.ts';
import { stopRenewingLocks } from './bullmq-internals.ts';
import {
  defaultSilenceMs,
  keysPrefix,
  postgresPool,
  queueRedis,
  withinLimit,
  type QueueSettings,
} from './connections.ts';
import type { WakeUp } from './jobs.ts';

export interface FollowUpConsumer {
  /** Finishes the running jobs and starts no new ones. */
  close(): Promise<void>;
}

/**
 * The delay before a consumer retries to fetch or to remove a job after a connection error. With BullMQ's default of 15
 * seconds, a restart of one second would delay every email.
 */
const consumerRetryMs = 500;
/**
 * Jobs of a killed worker become available after about two lock durations. The lock is short, because until then BullMQ
 * drops the sweep's wake-ups for their rows. A lock that expires too early is harmless: the lease of the row decides
 * which worker sends.
 */
const lockDurationMs = 6_000;

const isFollowUpJob = new Ajv().compile<FollowUpJob>(followUpJobSchema);

/** The longest wait for a database that is unavailable at the start. */
const firstConnectionMs = 5_000;

/**
 * Opens the first connection of a pool. BullMQ gives up after one failure, but on a busy machine a connection can take
 * longer than its time limit.
 */
async function connectFirst(pool: PgPool, outage: Outage | undefined, logger: Logger): Promise<void> {
  for (let triesLeft = 2; ; triesLeft--) {
    try {
      (await pool.connect()).release();
      return;
    } catch (error) {
      if (triesLeft === 0) throw error;
      logger[levelDuring(outage)]({ error: describeError(error) }, 'queue consumer');
      await outage?.enter(firstConnectionMs);
    }
  }
}

async function openWorker(
  settings: QueueSettings,
  process: (job: { readonly name: string; readonly data: unknown }) => Promise<void>,
  options: Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'runRetryDelay'>,
  logger: Logger,
) {
  const { redisUrl, silenceMs = defaultSilenceMs.redis } = settings;
  if (!redisUrl) {
    const connection = postgresPool(settings, 5);
    await connectFirst(connection, settings.outage, logger);
    // Started later, when it is ready: without its tables BullMQ retries in a tight loop that blocks the process.
    const worker = new Worker(
      followUpQueue,
      process,
      { ...options, connection, autorun: false },
      createPostgresBackend,
    );
    return { worker, stopRenewing: () => stopRenewingLocks(worker), disconnect: () => connection.end() };
  }
  const connection = queueRedis(
    redisUrl,
    { maxRetriesPerRequest: null, socketTimeout: silenceMs },
    logger,
    settings.outage,
  );
  const worker = new Worker<FollowUpJob>(followUpQueue, process, { ...options, ...keysPrefix(redisUrl), connection });
  return { worker, stopRenewing: () => stopRenewingLocks(worker), disconnect: async () => connection.disconnect() };
}

/**
 * Starts to process the jobs of the queue, for the worker.
 * @param handle - called for each wake-up; errors are logged, and the sweep finds the row again
 * @param concurrency - number of wake-ups that are handled concurrently
 * @param kinds - the kinds that `handle` supports; jobs of other kinds fail, and a sweep finds their rows again
 * @throws the error of BullMQ if the queue is on PostgreSQL and its tables are missing or the database is unavailable
 */
export async function startConsumer(
  settings: QueueSettings,
  handle: (wakeUp: WakeUp) => Promise<void>,
  concurrency: number,
  logger: Logger,
  kinds: readonly string[] = emailKinds,
): Promise<FollowUpConsumer> {
  const isFollowUpKind = (name: string): name is FollowUpKind => kinds.includes(name);
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  // Shared by all jobs, since each can hold many rows.
  const limit = pLimit(concurrency);
  /** Handles every row, even if some fail, and then throws their errors. */
  const handleAll = async (followUpIds: readonly string[], kind: FollowUpKind): Promise<void> => {
    const errors: unknown[] = [];
    await limit.map(followUpIds, async (id) => {
      // The sweep finds the remaining rows again.
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
  const { worker, stopRenewing, disconnect } = await openWorker(settings, process, options, logger);
  const { outage } = settings;
  worker.on('error', (error) => logger[levelDuring(outage)]({ error: describeError(error) }, 'queue consumer'));
  worker.on('failed', (job, error) => logger.error({ jobId: job?.id, error: describeError(error) }, 'job failed'));
  if (!settings.redisUrl) {
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => logger.error({ error: describeError(error) }, 'queue consumer ended'));
  }
  return {
    async close() {
      isClosing = true;
      const closed = worker.close();
      // It may reject before it is awaited below, which would count as an unhandled rejection.
      closed.catch(() => undefined);
      // Jobs have no time limit, but the queue has one: BullMQ would wait for an unavailable queue forever.
      let isClosed = false;
      while (!isClosed) {
        await Promise.allSettled(underWay);
        try {
          await withinLimit(closed);
          isClosed = true;
        } catch (error) {
          if (underWay.size > 0) continue;
          logger.warn({ error: describeError(error) }, 'queue consumer closed while the queue was unavailable');
          // Otherwise BullMQ would renew locks until its connections are closed, which may never happen.
          await stopRenewing();
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

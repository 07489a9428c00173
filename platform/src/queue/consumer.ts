import {
  followUpJobSchema,
  followUpKinds,
  followUpQueue,
  type FollowUpJob,
  type FollowUpKind,
} from '@dune-tide/domain/follow-ups';
import { Ajv } from 'ajv';
import { createPostgresBackend, UnrecoverableError, Worker, type WorkerOptions } from 'bullmq';
import pLimit from 'p-limit';
import { describeError, type Logger } from '../log.ts';
import {
  consumerSilenceMs,
  keysPrefix,
  postgresPool,
  queueRedis,
  withinLimit,
  type QueueSettings,
} from './connections.ts';
import type { WakeUp } from './jobs.ts';

export interface FollowUpConsumer {
  /** Finishes the jobs under way, takes no new ones. */
  close(): Promise<void>;
}

/**
 * How long a consumer waits after the queue refused its connection before it fetches again, or puts a job away. BullMQ's
 * own 15 seconds would hold every mail up after a restart of a second.
 */
const consumerRetryMs = 500;
/**
 * A killed worker's jobs are free again within about two locks. Short, because until then BullMQ drops the sweep's
 * wake-ups for their rows; a lock that is lost to a slow moment does no harm, since the row's own lease decides who
 * sends.
 */
const lockDurationMs = 6_000;

const isFollowUpJob = new Ajv().compile<FollowUpJob>(followUpJobSchema);

function openWorker(
  { databaseUrl, redisUrl }: QueueSettings,
  process: (job: { readonly name: string; readonly data: unknown }) => Promise<void>,
  options: Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval' | 'runRetryDelay'>,
  logger: Logger,
) {
  if (!redisUrl) {
    const connection = postgresPool(databaseUrl, 5);
    // Run once it is ready: without its tables BullMQ would try again and again without a pause, and nothing else runs.
    const worker = new Worker(
      followUpQueue,
      process,
      { ...options, connection, autorun: false },
      createPostgresBackend,
    );
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
 * @param kinds - the kinds that `handle` knows; jobs of others fail, and the sweep of a worker that knows them comes back
 * @throws what BullMQ fails with where the queue is on PostgreSQL, and away or without its tables
 */
export async function startConsumer(
  settings: QueueSettings,
  handle: (wakeUp: WakeUp) => Promise<void>,
  concurrency: number,
  logger: Logger,
  kinds: readonly string[] = followUpKinds,
): Promise<FollowUpConsumer> {
  const isFollowUpKind = (name: string): name is FollowUpKind => kinds.includes(name);
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
  if (!settings.redisUrl) {
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => logger.error({ error: describeError(error) }, 'queue consumer ended'));
  }
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

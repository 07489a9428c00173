import { followUpQueue, type FollowUpJob, type FollowUpKind } from '@dune-tide/domain/follow-ups';
import { createPostgresBackend, Queue, type PostgresConnectionOptions, type PostgresQueueBackend } from 'bullmq';
import { describeError, type Logger } from '../log.ts';
import { levelDuring } from '../outage.ts';
import {
  commandTimeoutMs,
  keysPrefix,
  postgresPool,
  producerSilenceMs,
  queueRedis,
  QueueUnavailableError,
  withinLimit,
  type QueueSettings,
} from './connections.ts';
import type { NewJob } from './jobs.ts';

const checkKeptSeconds = 60;

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
  readonly check: () => Promise<unknown>;
  readonly disconnect: () => Promise<void>;
}

function openQueue(settings: QueueSettings, logger: Logger): OpenQueue {
  const { redisUrl } = settings;
  if (!redisUrl) {
    const connection = postgresPool(settings, 2);
    const queue: PostgresQueue = new Queue(followUpQueue, { connection }, createPostgresBackend);
    return {
      queue,
      // One by one: to add jobs in bulk, BullMQ creates temporary tables and a sequence, for which the role has no
      // right.
      async addAll(jobs) {
        for (const { name, data, opts } of jobs) await queue.add(name, data, opts);
      },
      // A read is enough: the queue is in the application's database, where the health check also tests writes.
      check: () => queue.getActiveCount(),
      disconnect: () => connection.end(),
    };
  }
  // Without these limits, visitors' requests would pile up while Redis is unavailable.
  const failFast = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    socketTimeout: producerSilenceMs,
  };
  const redis = queueRedis(redisUrl, failFast, logger, settings.outage);
  const queue: RedisQueue = new Queue(followUpQueue, { connection: redis, ...keysPrefix(redisUrl) });
  return {
    queue,
    addAll: (jobs) => queue.addBulk(jobs),
    // A write, because a Redis that is full, cannot save or is a replica still serves reads.
    check: () => redis.set(queue.toKey('check'), '', 'EX', checkKeptSeconds),
    disconnect: async () => redis.disconnect(),
  };
}

export interface LazyQueue {
  /** @throws {QueueUnavailableError} */
  readonly ready: () => Promise<OpenQueue>;
  /** @throws if the queue is unavailable or accepts no jobs */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Returns a queue that connects on first use. */
export function lazyQueue(settings: QueueSettings, logger: Logger): LazyQueue {
  const { redisUrl, outage } = settings;
  let opened: OpenQueue | undefined;
  let isReady = false;
  let isClosed = false;
  const ready = async (): Promise<OpenQueue> => {
    if (isClosed) throw new QueueUnavailableError();
    if (opened && isReady) return opened;
    if (opened && outage?.isOut) throw new QueueUnavailableError({ cause: outage.error });
    const open = (opened ??= openWatched());
    try {
      await withinLimit(open.queue.waitUntilReady());
      isReady = true;
      return open;
    } catch (error) {
      // A client of Redis keeps trying to connect, in turn with others. Otherwise the next call opens another queue.
      const keepsTrying = outage && redisUrl !== undefined && error instanceof QueueUnavailableError;
      if (opened === open && !keepsTrying) {
        opened = undefined;
        // Not awaited: closing would wait for the connection that failed.
        for (const closing of [open.disconnect(), open.queue.close()]) closing.catch(logFailure);
      }
      throw new QueueUnavailableError({ cause: error });
    }
  };
  const logFailure = (error: unknown): void => logger[levelDuring(outage)]({ error: describeError(error) }, 'queue');
  function openWatched(): OpenQueue {
    const open = openQueue(settings, logger);
    open.queue.on('error', logFailure);
    return open;
  }
  return {
    ready,
    async check() {
      const { check } = await ready();
      await withinLimit(check());
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (!opened) return;
      const { queue, disconnect } = opened;
      const steps = [() => queue.close(), disconnect];
      // A queue that is not ready would wait for its connection.
      for (const step of isReady ? steps : steps.reverse()) await withinLimit(step()).catch(logFailure);
    },
  };
}

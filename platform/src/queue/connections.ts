import type { PgPool } from 'bullmq';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { describeError, type Logger } from '../log.ts';
import { connectRedis, type RedisClient, type RedisConnectionOptions } from '../redis.ts';
import { isClusterUrl } from '../redis-url.ts';
import { queueSchema } from './bullmq-internals.ts';

/** Where the queue lives: on Redis when there is a REDIS_URL, else beside the tables on PostgreSQL. */
export interface QueueSettings {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
}

export const commandTimeoutMs = 2_000;
/**
 * A connection that answers nothing for so long while it should is given up and opened anew: a half-open one gives no
 * error by itself for a quarter of an hour. A consumer waits for jobs up to BullMQ's ten seconds.
 */
export const producerSilenceMs = commandTimeoutMs + 1_000;
export const consumerSilenceMs = 13_000;
/** Thrown when the queue did not answer within its time limit. What was asked of it may still happen. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';

  constructor(options?: ErrorOptions) {
    super('The queue is unavailable', options);
  }
}

/** @throws {QueueUnavailableError} when the queue does not answer in time */
export function withinLimit<Result>(answer: Promise<Result>): Promise<Result> {
  return pTimeout(answer, {
    milliseconds: commandTimeoutMs,
    fallback() {
      throw new QueueUnavailableError();
    },
  });
}

/**
 * The queue's own connections. BullMQ's own lack an error listener at times, and one that breaks then ends the process.
 * @param poolSize - a consumer listens on one of them for new jobs
 */
export function postgresPool(databaseUrl: string, poolSize: number): PgPool {
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
  // A pg.Pool is a PgPool; only the overloads in BullMQ's type differ.
  return pool as unknown as PgPool;
}

/** On a cluster a name in braces keeps all keys of the queue on one node, which BullMQ's scripts need. */
export function keysPrefix(redisUrl: string | undefined): { readonly prefix?: string } {
  return redisUrl !== undefined && isClusterUrl(redisUrl) ? { prefix: '{bull}' } : {};
}

/** A connection of the queue's own to Redis; what goes wrong with it is logged. */
export function queueRedis(url: string, own: RedisConnectionOptions, logger: Logger): RedisClient {
  return connectRedis(url, own, (error) => logger.warn({ error: describeError(error) }, 'redis'));
}

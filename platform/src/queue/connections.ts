import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { PgPool } from 'bullmq';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { describeError, type Logger } from '../log.ts';
import type { Outage } from '../outage.ts';
import { connectRedis, type RedisClient, type RedisConnectionOptions } from '../redis.ts';
import { isClusterUrl } from '../redis-url.ts';
import { queueSchema } from './bullmq-internals.ts';

/** The location of the queue: Redis if `redisUrl` is set, otherwise the database. */
export interface QueueSettings {
  readonly databaseUrl: string;
  readonly redisUrl?: string | undefined;
  /** The state of Redis, or else of the database; undefined if its outages are not logged together. */
  readonly outage?: Outage | undefined;
  /** Whether the queue on PostgreSQL is not tried while the database is unavailable. For processes without callers. */
  readonly failsFast?: boolean;
  /**
   * Milliseconds without data after which a connection is replaced, on PostgreSQL unless the server then responds;
   * `defaultSilenceMs` by default.
   */
  readonly silenceMs?: number;
}

export const commandTimeoutMs = 2_000;
/** Time without data after which a producer replaces a Redis connection with a pending command. */
export const producerSilenceMs = commandTimeoutMs + 1_000;
/**
 * Time without data after which a consumer replaces a connection, because a half-open one reports no error for about 15
 * minutes. On Redis, the consumer blocks up to 10 seconds for a job. On PostgreSQL, BullMQ keeps the connection on which
 * it listens, even if every statement on it times out.
 */
export const defaultSilenceMs = { redis: 13_000, postgres: 30_000 };
/** Thrown when the queue did not respond within its time limit. The command may still take effect. */
export class QueueUnavailableError extends Error {
  override readonly name = 'QueueUnavailableError';

  constructor(options?: ErrorOptions) {
    super('The queue is unavailable', options);
  }
}

/**
 * Waits for a response of the queue.
 * @throws {QueueUnavailableError} if it takes longer than `commandTimeoutMs`
 */
export function withinLimit<Result>(response: Promise<Result>): Promise<Result> {
  return pTimeout(response, {
    milliseconds: commandTimeoutMs,
    fallback() {
      throw new QueueUnavailableError();
    },
  });
}

/**
 * Opens a PostgreSQL pool for the queue. BullMQ's own pool sometimes lacks an error listener, so that a broken
 * connection would end the process.
 * @param poolSize - includes the connection on which a consumer listens for new jobs
 */
export function postgresPool(
  { databaseUrl, silenceMs, outage, failsFast = false }: QueueSettings,
  poolSize: number,
): PgPool {
  const report = (error: unknown): void => outage?.failed(error);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'queue',
    // A server crash may lose jobs that were just added. The sweep finds their rows again.
    options: `-c synchronous_commit=off -c search_path=${queueSchema}`,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
    query_timeout: 6_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  pool.on('connect', (client) => {
    client.on('error', report);
    const socket = client.connection.stream as Socket;
    // The connection on which BullMQ listens gets data only if there are jobs.
    socket.setTimeout(silenceMs ?? defaultSilenceMs.postgres, () => {
      client.query('select').catch(() => socket.destroy(new Error('No data from PostgreSQL')));
    });
  });
  if (failsFast && outage) failFast(pool, outage);
  // A pg.Pool is a PgPool; only the overloads in BullMQ's type differ.
  return pool as unknown as PgPool;
}

/** BullMQ repeats a failed command immediately, which would block the process if nothing waited for a timer. */
const refusalMs = 250;

/** Lets a pool fail instead of connecting while the database is unavailable. */
function failFast(pool: pg.Pool, outage: Outage): void {
  const connect = pool.connect.bind(pool) as (callback?: (error: Error) => void) => unknown;
  const refuse = async (): Promise<never> => {
    await pause(refusalMs);
    throw new QueueUnavailableError({ cause: outage.error });
  };
  pool.connect = ((callback?: (error: Error) => void) => {
    if (!outage.isOut) return connect(callback);
    if (!callback) return refuse();
    refuse().catch(callback);
    return undefined;
  }) as typeof pool.connect;
}

/**
 * Returns a key prefix for clusters. Its braces keep all keys of the queue on one node, as BullMQ's scripts require.
 */
export function keysPrefix(redisUrl: string | undefined): { readonly prefix?: string } {
  return redisUrl !== undefined && isClusterUrl(redisUrl) ? { prefix: '{bull}' } : {};
}

/** Opens a Redis connection for the queue and logs its errors. */
export function queueRedis(
  url: string,
  own: RedisConnectionOptions,
  logger: Logger,
  outage: Outage | undefined,
): RedisClient {
  return connectRedis(url, own, (error) => logger.warn({ error: describeError(error) }, 'redis'), outage);
}

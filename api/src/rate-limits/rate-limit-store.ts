import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { openRateLimitDatabase, type RateLimitDatabase } from '@dune-tide/db/rate-limits';
import type { Quota } from '@dune-tide/db/leads';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../http/errors/problem.ts';

/** A key may use up so many points within a window, which begins with the first. */
export interface RateLimitRule {
  /** Tells its counts apart from those of the others. */
  readonly name: string;
  readonly points: number;
  readonly windowSeconds: number;
  /** What a refusal says. */
  readonly detail: string;
}

/** 429 with Retry-After. */
export class LimitReached extends Problem {
  /** Until points are free again. */
  readonly milliseconds: number;

  constructor(detail: string, milliseconds: number) {
    super(429, { detail, headers: { 'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))) } });
    this.milliseconds = milliseconds;
  }
}

export interface RateLimiter {
  /** @throws {LimitReached} */
  consume(key: string): Promise<void>;
  /** Gives one point back where its window is still open. */
  refund(key: string): Promise<void>;
  /** Resets the key. */
  reset(key: string): Promise<void>;
  /** The same count for the statement that takes leads in. */
  quota(key: string): Quota;
}

/**
 * Where the limits of all processes count together. While it is unavailable or slow, each process counts in memory the
 * requests that store nothing; leads are counted by the statement that stores them.
 */
export interface RateLimitStore {
  limiter(rule: RateLimitRule): RateLimiter;
  close(): Promise<void>;
}

/** How long a visitor may have to wait for a statement. */
const standardTimeLimitMs = 250;
/** After a failure, one statement in this interval tries the database; all others fail immediately. */
const retryMs = 2_000;
const clearingIntervalMs = 60_000;

/**
 * Opens the store of the limits, which is PostgreSQL. Never fails: see `RateLimitStore`.
 * @param timeLimitMs - of one statement
 */
export function openRateLimitStore(
  databaseUrl: string,
  logger: Logger,
  timeLimitMs = standardTimeLimitMs,
): RateLimitStore {
  const database = openRateLimitDatabase(databaseUrl, timeLimitMs);
  const storeClient = { query: breakCircuit(database.query, logger, timeLimitMs) };
  const clear = (): Promise<void> =>
    database.clearExpired().catch((error: unknown) => {
      logger.warn({ error: describeError(error) }, 'rate limits not cleared');
    });
  const clearing = setInterval(() => void clear(), clearingIntervalMs).unref();
  return {
    limiter({ name, points, windowSeconds, detail }) {
      const rule = { keyPrefix: name, points, duration: windowSeconds };
      const limiter = new RateLimiterPostgres({
        ...rule,
        storeClient,
        storeType: 'client',
        tableName: 'rate_limits',
        tableCreated: true,
        // Its own statement waits for rows that the statement of leads holds.
        clearExpiredByTimeout: false,
        insuranceLimiter: new RateLimiterMemory(rule),
      });
      return {
        async consume(key) {
          try {
            await limiter.consume(key);
          } catch (error) {
            if (!(error instanceof RateLimiterRes)) throw error;
            // The window may have ended in the meantime, and 0 would block an address for ever.
            throw new LimitReached(detail, Math.max(error.msBeforeNext, 1));
          }
        },
        async refund(key) {
          // A point that the current window does not hold would be owed to it.
          const used = await limiter.get(key);
          if (used !== null && used.consumedPoints > 0) await limiter.reward(key);
        },
        async reset(key) {
          await limiter.delete(key);
        },
        quota: (key) => ({ key: limiter.getKey(key), leads: points, milliseconds: windowSeconds * 1_000 }),
      };
    },
    async close() {
      clearInterval(clearing);
      await database.close();
    },
  };
}

/**
 * Limits the time of each statement. After a failure all fail immediately, so that the limiters count in memory, but for
 * an occasional one that tries the database; the log records the start and the end of an outage.
 */
function breakCircuit(query: RateLimitDatabase['query'], logger: Logger, timeLimitMs: number): typeof query {
  let nextTry: number | undefined;

  const timeOut = async (): Promise<never> => {
    await pause(timeLimitMs, undefined, { ref: false });
    // If it was this process that was slow, the response has arrived by the next turn.
    await nextTurn();
    throw new Error('The rate limits were not counted in time');
  };

  return async (statement) => {
    const isRetry = nextTry !== undefined;
    if (nextTry !== undefined) {
      if (performance.now() < nextTry) throw new Error('The rate limits are counted in memory');
      nextTry = performance.now() + retryMs;
    }
    try {
      const result = await Promise.race([query(statement), timeOut()]);
      if (isRetry && nextTry !== undefined) {
        nextTry = undefined;
        logger.info('rate limits are counted over all processes again');
      }
      return result;
    } catch (error) {
      if (nextTry === undefined) logger.warn({ error: describeError(error) }, 'rate limits are counted per process');
      nextTry = performance.now() + retryMs;
      throw error;
    }
  };
}

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { openRateLimitDatabase, type RateLimitDatabase } from '@dune-tide/db/rate-limits';
import type { Quota } from '@dune-tide/db/leads';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../http/errors/problem.ts';

/** The points that a key may use within a window, which starts with the first use. */
export interface RateLimitRule {
  /** Separates the counts of this rule from those of others. */
  readonly name: string;
  readonly points: number;
  readonly windowSeconds: number;
  /** The `detail` of a refusal. */
  readonly detail: string;
}

/** A 429 with Retry-After. */
export class LimitReached extends Problem {
  /** Time until the key has points again. */
  readonly milliseconds: number;

  constructor(detail: string, milliseconds: number) {
    super(429, { detail, headers: { 'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))) } });
    this.milliseconds = milliseconds;
  }
}

export interface RateLimiter {
  /**
   * Uses one point.
   * @throws {LimitReached} if the key has no points left
   */
  consume(key: string): Promise<void>;
  /** Returns one point to the key if the window is still open. */
  refund(key: string): Promise<void>;
  reset(key: string): Promise<void>;
  /** Returns the quota for the statement that stores a lead and counts it. */
  quota(key: string): Quota;
}

/**
 * Counts for all processes together. While the database is unavailable or slow, each process counts in memory, except
 * for leads, which are counted by the statement that stores them.
 */
export interface RateLimitStore {
  limiter(rule: RateLimitRule): RateLimiter;
  close(): Promise<void>;
}

/** Maximum time that a visitor waits for a statement. */
const standardTimeLimitMs = 250;
/** After a failure, one statement per interval tries the database. All others fail immediately. */
const retryMs = 2_000;
const clearingIntervalMs = 60_000;

/**
 * Opens the store of the limits in PostgreSQL. Never throws, since `RateLimitStore` survives an outage.
 * @param timeLimitMs - the time limit of one statement
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
        // The library's own statement would wait for rows that the statement of a lead has locked.
        clearExpiredByTimeout: false,
        insuranceLimiter: new RateLimiterMemory(rule),
      });
      return {
        async consume(key) {
          try {
            await limiter.consume(key);
          } catch (error) {
            if (!(error instanceof RateLimiterRes)) throw error;
            // The window may have ended by now, and 0 would block the address forever.
            throw new LimitReached(detail, Math.max(error.msBeforeNext, 1));
          }
        },
        async refund(key) {
          // Without a used point in the current window, a refund would add one point to the limit.
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
 * Limits the time of each statement. After a failure, statements fail immediately, so that the limiters count in
 * memory. One statement per interval still tries the database. The log records the start and the end of an outage.
 */
function breakCircuit(query: RateLimitDatabase['query'], logger: Logger, timeLimitMs: number): typeof query {
  let nextTry: number | undefined;

  const timeOut = async (): Promise<never> => {
    await pause(timeLimitMs, undefined, { ref: false });
    // If this process was slow, not the database, the result has arrived by the next turn of the event loop.
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

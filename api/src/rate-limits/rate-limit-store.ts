import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { openRateLimitDatabase, type ExhaustedQuota, type Quota } from '@dune-tide/db/rate-limits';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../http/errors/problem.ts';

/** A 429 with Retry-After. */
export class LimitReached extends Problem {
  /** The quota that has no points left, and the time until it has points again. */
  readonly exhausted: ExhaustedQuota;

  constructor(detail: string, exhausted: ExhaustedQuota) {
    super(429, { detail, headers: { 'Retry-After': String(Math.max(1, Math.ceil(exhausted.milliseconds / 1000))) } });
    this.exhausted = exhausted;
  }
}

/** One point of each of several quotas. */
export interface TakenPoints {
  /**
   * Returns the points whose window is still open. Never throws: if the database is unavailable, they stay used.
   * @param cleared - the keys that get all their points back
   */
  giveBack(cleared?: readonly string[]): Promise<void>;
}

/**
 * Counts for all processes together. While the database is unavailable or slow, each process counts in memory, except
 * for leads, which are counted by the statement that stores them.
 */
export interface RateLimitStore {
  /**
   * Takes one point of each quota, or none if one of them is exhausted.
   * @param detail - the `detail` of a refusal
   * @throws {LimitReached} with the quota that stays exhausted for the longest time
   */
  take(quotas: readonly Quota[], detail: string): Promise<TakenPoints>;
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
  const memory = memoryCounts();
  const inTime = circuitBreaker(logger, timeLimitMs);
  const clear = (): Promise<void> =>
    database.clearExpired().catch((error: unknown) => {
      logger.warn({ error: describeError(error) }, 'rate limits not cleared');
    });
  const clearing = setInterval(() => void clear(), clearingIntervalMs).unref();
  return {
    async take(quotas, detail) {
      let exhausted: readonly ExhaustedQuota[];
      try {
        exhausted = await inTime(() => database.takePoints(quotas));
      } catch {
        // The circuit breaker has logged the error.
        return memory.take(quotas, detail);
      }
      const [longest] = [...exhausted].sort((a, b) => b.milliseconds - a.milliseconds);
      if (longest) throw new LimitReached(detail, longest);
      const keys = quotas.map(({ key }) => key);
      return {
        async giveBack(cleared) {
          // The circuit breaker logs the error.
          await inTime(() => database.returnPoints(keys, cleared)).catch(() => undefined);
        },
      };
    },
    async close() {
      clearInterval(clearing);
      await database.close();
    },
  };
}

/** Counts in the memory of this process. */
function memoryCounts(): Pick<RateLimitStore, 'take'> {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ limit, milliseconds }: Quota): RateLimiterMemory => {
    const name = `${limit}/${milliseconds}`;
    const limiter = limiters.get(name) ?? new RateLimiterMemory({ points: limit, duration: milliseconds / 1_000 });
    limiters.set(name, limiter);
    return limiter;
  };
  return {
    async take(quotas, detail) {
      const taken: Quota[] = [];
      const giveBack = async (cleared: readonly string[] = []): Promise<void> => {
        for (const quota of taken) {
          const limiter = limiterOf(quota);
          if (cleared.includes(quota.key)) await limiter.delete(quota.key);
          else if (((await limiter.get(quota.key))?.consumedPoints ?? 0) > 0) await limiter.reward(quota.key);
        }
      };
      for (const quota of quotas) {
        taken.push(quota);
        try {
          await limiterOf(quota).consume(quota.key);
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error;
          await giveBack();
          throw new LimitReached(detail, { key: quota.key, milliseconds: Math.max(error.msBeforeNext, 1) });
        }
      }
      return { giveBack };
    },
  };
}

/**
 * Limits the time of each statement. After a failure, statements fail immediately, so that the limits are counted in
 * memory. One statement per interval still tries the database. The log records the start and the end of an outage.
 */
function circuitBreaker(logger: Logger, timeLimitMs: number) {
  let nextTry: number | undefined;

  const timeOut = async (): Promise<never> => {
    await pause(timeLimitMs, undefined, { ref: false });
    // If this process was slow, not the database, the result has arrived by the next turn of the event loop.
    await nextTurn();
    throw new Error('The rate limits were not counted in time');
  };

  return async <Result>(statement: () => Promise<Result>): Promise<Result> => {
    const isRetry = nextTry !== undefined;
    if (nextTry !== undefined) {
      if (performance.now() < nextTry) throw new Error('The rate limits are counted in memory');
      nextTry = performance.now() + retryMs;
    }
    try {
      const result = await Promise.race([statement(), timeOut()]);
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

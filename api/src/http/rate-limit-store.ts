import { openRateLimitDatabase, type Counted, type RateLimitDatabase } from '@dune-tide/db/rate-limits';
import type { Quota } from '@dune-tide/db/leads';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { IRateLimiterOptions, RateLimiterAbstract } from 'rate-limiter-flexible';
import { Problem } from './problem.ts';

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
  take(key: string): Promise<void>;
  /** Gives one point back. */
  giveBack(key: string): Promise<void>;
  /** Resets the key. */
  forget(key: string): Promise<void>;
  /** The same count for the statement that takes leads in. */
  quota(key: string): Quota;
}

/** Where the limits of all processes count together. While it is away or slow, each process counts for itself. */
export interface RateLimitStore {
  limiter(rule: RateLimitRule): RateLimiter;
  close(): Promise<void>;
}

/** How long a visitor may have to wait for a count. */
const standardTimeLimitMs = 250;
/** An absent store is tried again by one request after so long; all others go on without it. */
const nextTryMs = 2_000;
const clearingIntervalMs = 60_000;

/**
 * Opens the store of the limits, which is PostgreSQL. Never fails: see `RateLimitStore`.
 * @param timeLimitMs - of one count
 */
export function openRateLimitStore(
  databaseUrl: string,
  logger: Logger,
  timeLimitMs = standardTimeLimitMs,
): RateLimitStore {
  const outage = outages(logger, timeLimitMs);
  const database = openRateLimitDatabase(databaseUrl, timeLimitMs);
  // Not bridged: it takes as long as it takes, which says nothing of the counts.
  const clear = (): Promise<void> =>
    database.clearExpired().catch((error: unknown) => {
      logger.warn({ error: describeError(error) }, 'rate limits not cleared');
    });
  const clearing = setInterval(() => void clear(), clearingIntervalMs).unref();
  return {
    limiter({ name, points, windowSeconds, detail }) {
      const options = { keyPrefix: name, points, duration: windowSeconds };
      const counts = new DatabaseLimiter(options, database);
      const ownCounts = new RateLimiterMemory(options);
      const count = <Result>(call: (limiter: RateLimiterAbstract) => Promise<Result>): Promise<Result> =>
        outage.bridge(
          () => call(counts),
          () => call(ownCounts),
        );
      return {
        async take(key) {
          try {
            await count((limiter) => limiter.consume(key));
          } catch (error) {
            throw error instanceof RateLimiterRes ? new LimitReached(detail, error.msBeforeNext) : error;
          }
        },
        async giveBack(key) {
          await count((limiter) => limiter.reward(key));
        },
        async forget(key) {
          await count((limiter) => limiter.delete(key));
        },
        quota: (key) => ({ key: counts.getKey(key), leads: points, milliseconds: windowSeconds * 1_000 }),
      };
    },
    async close() {
      clearInterval(clearing);
      await database.close();
    },
  };
}

/**
 * Counts by our own statements, which take what arrives together at once. What a store has to bring along says the
 * library's `RateLimiterStoreAbstract`, which it does not export.
 */
class DatabaseLimiter extends RateLimiterPostgres {
  readonly #database: RateLimitDatabase;

  constructor(options: IRateLimiterOptions, database: RateLimitDatabase) {
    // The library is to make no table, and to ask the database nothing.
    super({ ...options, storeClient: database, storeType: 'pool', tableCreated: true, clearExpiredByTimeout: false });
    this.#database = database;
  }

  protected _upsert(key: string, points: number, msDuration: number): Promise<Counted> {
    return this.#database.add({ key, points, milliseconds: msDuration });
  }

  protected _delete(key: string): Promise<boolean> {
    return this.#database.forget(key);
  }

  protected _getRateLimiterRes(_key: string, added: number, { points, milliseconds }: Counted): RateLimiterRes {
    return new RateLimiterRes(Math.max(0, this.points - points), milliseconds, points, added === points);
  }
}

interface Outages {
  /**
   * Asks the store within the time limit, or does without it.
   * @throws {RateLimiterRes} when a limit is reached
   */
  bridge<Result>(onStore: () => Promise<Result>, without: () => Promise<Result>): Promise<Result>;
}

class SlowStoreError extends Error {
  override readonly name = 'SlowStoreError';
}

/** After one failure no request but a try now and then waits for the store; the log tells begin and end. */
function outages(logger: Logger, timeLimitMs: number): Outages {
  let nextTry: number | undefined;

  const withinLimit = async <Result>(answer: Promise<Result>): Promise<Result> => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      // A turn later: when it was this process that was slow, the answer has come already.
      timer = setTimeout(() => setImmediate(() => reject(new SlowStoreError())), timeLimitMs);
    });
    try {
      return await Promise.race([answer, limit]);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async bridge(onStore, without) {
      const isTry = nextTry !== undefined;
      if (nextTry !== undefined) {
        if (performance.now() < nextTry) return without();
        nextTry = performance.now() + nextTryMs;
      }
      try {
        const result = await withinLimit(onStore());
        if (isTry && nextTry !== undefined) {
          nextTry = undefined;
          logger.info('rate limits are counted over all processes again');
        }
        return result;
      } catch (error) {
        // Says nothing of the store: it may have been known before.
        if (error instanceof RateLimiterRes) throw error;
        if (nextTry === undefined) {
          logger.warn({ error: describeError(error) }, 'rate limits are counted per process');
        }
        nextTry = performance.now() + nextTryMs;
        return without();
      }
    },
  };
}

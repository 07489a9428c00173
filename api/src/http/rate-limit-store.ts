import { openRateLimitDatabase, type Counted, type RateLimitDatabase } from '@dune-tide/db/rate-limits';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { QueueSettings } from '@dune-tide/platform/queue';
import { connectRedis } from '@dune-tide/platform/redis';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
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
  /** Whether points come back before the window ends. If not, a key that used all is refused without asking again. */
  readonly givesBack: boolean;
}

export interface RateLimiter {
  /** @throws {Problem} 429 with Retry-After */
  take(key: string): Promise<void>;
  /** Makes one point undone. */
  giveBack(key: string): Promise<void>;
  /** Begins anew. */
  forget(key: string): Promise<void>;
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
 * Opens the store of the limits: Redis when there is one, else PostgreSQL. Never fails: see `RateLimitStore`.
 * @param timeLimitMs - of one count
 */
export function openRateLimitStore(
  settings: QueueSettings,
  logger: Logger,
  timeLimitMs = standardTimeLimitMs,
): RateLimitStore {
  const outage = outages(logger, timeLimitMs);
  const shared =
    settings.redisUrl === undefined
      ? onPostgres(settings.databaseUrl, timeLimitMs, outage)
      : onRedis(settings.redisUrl, timeLimitMs);
  return {
    limiter({ name, points, windowSeconds, detail, givesBack }) {
      const options = { keyPrefix: name, points, duration: windowSeconds };
      const counts = shared.limiter({ ...options, inMemoryBlockOnConsumed: givesBack ? 0 : points });
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
            if (!(error instanceof RateLimiterRes)) throw error;
            const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
            throw new Problem(429, { detail, headers: { 'Retry-After': String(seconds) } });
          }
        },
        async giveBack(key) {
          await count((limiter) => limiter.reward(key));
        },
        async forget(key) {
          await count((limiter) => limiter.delete(key));
        },
      };
    },
    close: () => shared.close(),
  };
}

interface SharedCounts {
  limiter(options: IRateLimiterOptions & { readonly inMemoryBlockOnConsumed: number }): RateLimiterAbstract;
  close(): Promise<void>;
}

function onPostgres(url: string, timeLimitMs: number, outage: Outages): SharedCounts {
  const database = openRateLimitDatabase(url, timeLimitMs);
  const clearing = setInterval(
    () =>
      void outage.bridge(
        () => database.clearExpired(),
        async () => undefined,
      ),
    clearingIntervalMs,
  ).unref();
  return {
    limiter: (options) => new DatabaseLimiter(options, database),
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
    return this.#database.add({ key, points, expire: Date.now() + msDuration });
  }

  protected _delete(key: string): Promise<boolean> {
    return this.#database.forget(key);
  }

  protected _getRateLimiterRes(_key: string, added: number, { points, expire }: Counted): RateLimiterRes {
    return new RateLimiterRes(
      Math.max(0, this.points - points),
      Math.max(0, expire - Date.now()),
      points,
      added === points,
    );
  }
}

function onRedis(url: string, timeLimitMs: number): SharedCounts {
  const connection = {
    keyPrefix: 'rate-limit:',
    // Counts of one moment travel together.
    enableAutoPipelining: true,
    maxRetriesPerRequest: 1,
    // Without it a connection whose other end has vanished is kept for a quarter of an hour.
    socketTimeout: timeLimitMs + nextTryMs,
  };
  // The outage is logged where the count fails, once; here would be a line for each try to connect.
  const redis = connectRedis(url, connection, () => undefined);
  return {
    limiter: (options) => new RateLimiterRedis({ ...options, storeClient: redis }),
    async close() {
      redis.disconnect();
    },
  };
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

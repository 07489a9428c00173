import { openRateLimitDatabase, type Counted } from '@dune-tide/db/rate-limits';
import type { Quota } from '@dune-tide/db/leads';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { RateLimiterMemory } from 'rate-limiter-flexible';
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
 * Where the limits of all processes count together. While it is away or slow, each process counts in memory the requests
 * that store nothing; leads are counted by the statement that stores them.
 */
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
      const milliseconds = windowSeconds * 1_000;
      const ownCounts = new RateLimiterMemory({ points, duration: windowSeconds });
      const storedKey = (key: string): string => `${name}:${key}`;
      return {
        async consume(key) {
          const used = await outage.withFallback<Counted>(
            () => database.add({ key: storedKey(key), points: 1, milliseconds }),
            async () => {
              const { consumedPoints, msBeforeNext } = await ownCounts.penalty(key);
              return { points: consumedPoints, milliseconds: msBeforeNext };
            },
          );
          if (used.points > points) throw new LimitReached(detail, used.milliseconds);
        },
        async refund(key) {
          await outage.withFallback(
            () => database.refund(storedKey(key)),
            async () => {
              const used = await ownCounts.get(key);
              if (used !== null && used.consumedPoints > 0) await ownCounts.reward(key);
            },
          );
        },
        async reset(key) {
          await outage.withFallback(
            () => database.reset(storedKey(key)),
            async () => void (await ownCounts.delete(key)),
          );
        },
        quota: (key) => ({ key: storedKey(key), leads: points, milliseconds }),
      };
    },
    async close() {
      clearInterval(clearing);
      await database.close();
    },
  };
}

interface Outages {
  /** Asks the store within the time limit, or does without it. */
  withFallback<Result>(onStore: () => Promise<Result>, without: () => Promise<Result>): Promise<Result>;
}

class SlowStoreError extends Error {
  override readonly name = 'SlowStoreError';
}

/** After a failure only an occasional try waits for the store; the log has the beginning and the end of an outage. */
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
    async withFallback(onStore, without) {
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
        if (nextTry === undefined) {
          logger.warn({ error: describeError(error) }, 'rate limits are counted per process');
        }
        nextTry = performance.now() + nextTryMs;
        return without();
      }
    },
  };
}

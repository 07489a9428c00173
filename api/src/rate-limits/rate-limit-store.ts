import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { openRateLimitDatabase, type ExhaustedQuota, type Quota } from '@dune-tide/db/rate-limits';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage } from '@dune-tide/platform/outage';
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
  release(cleared?: readonly string[]): Promise<void>;
}

/** Counts for all processes together. */
export interface RateLimitStore {
  /**
   * Takes one point of each quota, or none if one of them is exhausted.
   * @param detail - the `detail` of a refusal
   * @throws {LimitReached} with the quota that stays exhausted for the longest time
   * @throws {DatabaseUnavailableError} if the points cannot be counted in time
   */
  take(quotas: readonly Quota[], detail: string): Promise<TakenPoints>;
  /** Takes points like `take`, but lets a request pass that cannot be counted: something else guards it. */
  takeIfAvailable(quotas: readonly Quota[], detail: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Maximum time that a request waits for its count. The half that waits for a connection, added to the time limits of
 * the database, stays below 5 s (docs/PRODUCT.md, "Time limits").
 */
const standardTimeLimitMs = 1_800;
const clearingIntervalMs = 60_000;

/**
 * Opens the store of the limits in PostgreSQL. It connects at the first count.
 * @param timeLimitMs - the time limit of one count
 * @param outage - the state of the database, to which failures are reported
 */
export function openRateLimitStore(
  databaseUrl: string,
  logger: Logger,
  timeLimitMs = standardTimeLimitMs,
  outage?: Outage,
): RateLimitStore {
  const database = openRateLimitDatabase(databaseUrl, timeLimitMs);
  const warn = (message: string) => (error: unknown) => {
    if (error instanceof DatabaseUnavailableError) outage?.failed(error);
    logger[levelDuring(outage)]({ error: describeError(error) }, message);
  };
  const clear = (): Promise<void> => database.clearExpired().catch(warn('rate limits not cleared'));
  const clearing = setInterval(() => void clear(), clearingIntervalMs).unref();
  const take = async (quotas: readonly Quota[], detail: string): Promise<TakenPoints> => {
    const exhausted = await database.takePoints(quotas);
    const [longest] = exhausted.sort((a, b) => b.milliseconds - a.milliseconds);
    if (longest) throw new LimitReached(detail, longest);
    const keys = quotas.map(({ key }) => key);
    return { release: (cleared) => database.returnPoints(keys, cleared).catch(warn('rate limit not returned')) };
  };
  return {
    take,
    async takeIfAvailable(quotas, detail) {
      try {
        await take(quotas, detail);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        warn('rate limit not counted')(error);
      }
    },
    async close() {
      clearInterval(clearing);
      await database.close();
    },
  };
}

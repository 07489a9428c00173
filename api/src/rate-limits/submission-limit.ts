import type { LeadQuota } from '@dune-tide/db/leads';
import type { ExhaustedQuota } from '@dune-tide/db/rate-limits';
import { storageBudget, submissionLimit } from '@dune-tide/domain/limits';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { idempotencyKeyHeader } from '../http/requests/idempotency.ts';
import type { RequestLimit } from '../http/requests/request-limit.ts';
import type { Services } from '../services.ts';
import { LimitReached } from './rate-limit-store.ts';

const detail = 'Too many submissions from this address. Please try again later.';

/**
 * Returns the quotas that a submission counts against. The caller must count them; otherwise the limit counts the
 * submission when it has failed.
 * @param bytes - the size of what is to be stored
 * @returns an empty array if the limits are disabled
 */
export type TakeQuotas = (bytes: number) => readonly LeadQuota[];

/**
 * Limits the submissions of a form, and the size of large leads, for each network of the client. A lead is counted by
 * the statement that stores it. A submission that is refused before it becomes a lead is counted afterwards.
 * @param form - the path of the form; each form has its own count
 * @returns a limit that throws {@link LimitReached} if a network of the client has reached it
 */
export function limitSubmissions(
  { rateLimits, publicPostLimit: points, networksOf }: Pick<Services, 'rateLimits' | 'publicPostLimit' | 'networksOf'>,
  form: string,
): RequestLimit<TakeQuotas> {
  if (points === 0) return (_ctx, next) => next(() => []);
  // Holds the networks above the limit on submissions, so that refusing them needs no query. Counts what may be retries
  // of stored leads, which are let through until the retry limit.
  const refused = new RateLimiterMemory({ points: 1, duration: submissionLimit.windowSeconds });
  return async (ctx, next) => {
    const networks = networksOf(ctx.req);
    const submissions = networks.map(({ key, factor }) =>
      leadQuota(`${form}:${key}`, points * factor, submissionLimit.windowSeconds),
    );
    const storage = networks.map(({ key, factor }) =>
      leadQuota(`storage:${key}`, storageBudget.kibibytes * factor, storageBudget.windowSeconds),
    );
    const mayBeRetry = ctx.get(idempotencyKeyHeader) !== '';
    for (const { key, limit, retryLimit } of submissions) {
      const earlier = await refused.get(key);
      if (earlier === null) continue;
      if (!mayBeRetry || earlier.consumedPoints >= retryLimit - limit) {
        throw tooManySubmissions({ key, milliseconds: earlier.msBeforeNext });
      }
      await refused.penalty(key);
    }
    let areTaken = false;
    const take: TakeQuotas = (bytes) => {
      areTaken = true;
      const kibibytes = Math.ceil(bytes / 1024) - storageBudget.freeKibibytes;
      return kibibytes > 0
        ? [...submissions, ...storage.map((quota) => ({ ...quota, points: kibibytes }))]
        : submissions;
    };
    try {
      await next(take).catch(async (error: unknown) => {
        if (!areTaken) await rateLimits.takeIfAvailable(submissions, detail);
        throw error;
      });
    } catch (error) {
      if (error instanceof LimitReached) {
        const { key, milliseconds } = error.exhausted;
        if ((await refused.get(key)) === null) await refused.set(key, 0, milliseconds / 1_000);
      }
      throw error;
    }
  };
}

function leadQuota(key: string, limit: number, windowSeconds: number): LeadQuota {
  const retryLimit = limit * submissionLimit.retryFactor;
  return { key, limit, retryLimit, points: 1, milliseconds: windowSeconds * 1_000 };
}

/** Returns the 429 for a network above its limit. */
export function tooManySubmissions(exhausted: ExhaustedQuota): LimitReached {
  return new LimitReached(detail, exhausted);
}

import type { LeadQuota } from '@dune-tide/db/leads';
import type { ExhaustedQuota } from '@dune-tide/db/rate-limits';
import { storageBudget, submissionLimit } from '@dune-tide/domain/limits';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { Context, Middleware } from '../http/context.ts';
import { LimitReached, type RateLimitStore } from './rate-limit-store.ts';

const detail = 'Too many submissions from this address. Please try again later.';

/**
 * Limits the submissions of a form, and the size of large leads, for each network of the client. A lead is counted by
 * the statement that stores it (`takeQuotas`). A submission that is refused before it becomes a lead is counted
 * afterwards.
 * @param form - the path of the form; each form has its own count
 * @param points - maximum number of submissions of one address in a window; 0 disables the limits
 * @throws {LimitReached} if a network of the client has reached a limit
 */
export function limitSubmissions(
  store: RateLimitStore,
  form: string,
  points: number,
  networksOf: ClientNetworksOf,
): Middleware {
  if (points === 0) return (_, next) => next();
  // Holds the networks above the limit on submissions, so that refusing them needs no query.
  const refused = new RateLimiterMemory({ points: 1, duration: submissionLimit.windowSeconds });
  return async (ctx, next) => {
    const networks = networksOf(ctx.req);
    const submissions = networks.map(({ key, factor }) =>
      leadQuota(`${form}:${key}`, points * factor, submissionLimit.windowSeconds),
    );
    const storage = networks.map(({ key, factor }) =>
      leadQuota(`storage:${key}`, storageBudget.kibibytes * factor, storageBudget.windowSeconds),
    );
    for (const { key } of submissions) {
      const earlier = await refused.get(key);
      if (earlier !== null) throw tooManySubmissions({ key, milliseconds: earlier.msBeforeNext });
    }
    ctx.state.quotas = { submissions, storage };
    try {
      await countIfRefused(ctx, next, async () => void (await store.take(submissions, detail)));
    } catch (error) {
      if (error instanceof LimitReached) {
        await refused.block(error.exhausted.key, error.exhausted.milliseconds / 1_000);
      }
      throw error;
    }
  };
}

function leadQuota(key: string, limit: number, windowSeconds: number): LeadQuota {
  const retryLimit = limit * submissionLimit.retryFactor;
  return { key, limit, retryLimit, points: 1, milliseconds: windowSeconds * 1_000 };
}

async function countIfRefused(ctx: Context, next: () => Promise<unknown>, count: () => Promise<void>): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (ctx.state.quotas !== undefined) await count();
    throw error;
  }
}

/** Returns the 429 for a network above its limit. */
export function tooManySubmissions(exhausted: ExhaustedQuota): LimitReached {
  return new LimitReached(detail, exhausted);
}

/**
 * Removes the quotas from the request and returns them. The caller must count the submission.
 * @param bytes - the size of what is to be stored
 * @returns an empty array if the limits are disabled or if the quotas were already taken
 */
export function takeQuotas(ctx: Context, bytes: number): LeadQuota[] {
  const { quotas } = ctx.state;
  ctx.state.quotas = undefined;
  if (!quotas) return [];
  const points = Math.ceil(bytes / 1024) - storageBudget.freeKibibytes;
  return points > 0
    ? [...quotas.submissions, ...quotas.storage.map((quota) => ({ ...quota, points }))]
    : [...quotas.submissions];
}

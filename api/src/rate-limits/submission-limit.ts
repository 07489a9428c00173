import type { Quota } from '@dune-tide/db/leads';
import { submissionLimit } from '@dune-tide/domain/limits';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { limitKey, type ClientAddress } from '../http/server/client-address.ts';
import type { Context, Middleware } from '../http/context.ts';
import { LimitReached, type RateLimitStore } from './rate-limit-store.ts';

const { windowSeconds } = submissionLimit;
const detail = 'Too many submissions from this address. Please try again later.';

/**
 * Limits the submissions of a form per address. A lead is counted by the statement that stores it (`takeQuota`). A
 * submission that does not become a lead is counted after it was refused.
 * @param form - the path of the form; each form has its own count
 * @param points - maximum number of submissions in a window; 0 disables the limit
 * @throws {LimitReached} if the address has reached the limit
 */
export function limitSubmissions(
  store: RateLimitStore,
  form: string,
  points: number,
  addressOf: ClientAddress,
): Middleware {
  if (points === 0) return (_, next) => next();
  const limiter = store.limiter({ name: form, points, windowSeconds, detail });
  // Addresses above their limit are refused from memory, without a query.
  const refused = new RateLimiterMemory({ points, duration: windowSeconds });
  return async (ctx, next) => {
    const address = limitKey(addressOf(ctx.req));
    const earlier = await refused.get(address);
    if (earlier !== null) throw tooManySubmissions(earlier.msBeforeNext);
    ctx.state.quota = limiter.quota(address);
    try {
      await countIfRefused(ctx, next, () => limiter.consume(address));
    } catch (error) {
      if (error instanceof LimitReached) await refused.block(address, error.milliseconds / 1_000);
      throw error;
    }
  };
}

async function countIfRefused(ctx: Context, next: () => Promise<unknown>, count: () => Promise<void>): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (takeQuota(ctx) !== undefined) await count();
    throw error;
  }
}

/** Returns the 429 for an address above its limit. */
export function tooManySubmissions(milliseconds: number): LimitReached {
  return new LimitReached(detail, milliseconds);
}

/**
 * Removes the quota from the request and returns it. The caller must count the submission.
 * @returns undefined without a limit, or if the quota was already taken
 */
export function takeQuota(ctx: Context): Quota | undefined {
  const { quota } = ctx.state;
  ctx.state.quota = undefined;
  return quota;
}

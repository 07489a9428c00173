import type { Quota } from '@dune-tide/db/leads';
import { submissionLimit } from '@dune-tide/domain/limits';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { limitKey, type ClientAddress } from '../http/server/client-address.ts';
import type { Context, Middleware } from '../http/context.ts';
import { LimitReached, type RateLimitStore } from './rate-limit-store.ts';

const { windowSeconds } = submissionLimit;
const detail = 'Too many submissions from this address. Please try again later.';

/**
 * Limits the submissions of a form from one address. A lead is counted by the
 * statement that stores it (`takeQuota`); what never becomes one is counted once it was refused.
 * @param form - whose submissions are counted together
 * @param points - submissions; 0 sets no limit
 * @throws {LimitReached}
 */
export function limitSubmissions(
  store: RateLimitStore,
  form: string,
  points: number,
  addressOf: ClientAddress,
): Middleware {
  if (points === 0) return (_, next) => next();
  const limiter = store.limiter({ name: form, points, windowSeconds, detail });
  // Addresses over their limit: refused from memory, without asking the database.
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

/** 429 for an address over its limit. */
export function tooManySubmissions(milliseconds: number): LimitReached {
  return new LimitReached(detail, milliseconds);
}

/** What this submission counts against: nothing without a limit, or once it was taken. Whoever takes it counts it. */
export function takeQuota(ctx: Context): Quota | undefined {
  const { quota } = ctx.state;
  ctx.state.quota = undefined;
  return quota;
}

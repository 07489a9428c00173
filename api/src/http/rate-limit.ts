import type { Middleware } from 'koa';
import { limitKey, type ClientAddress } from './client-address.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

const windowSeconds = 600;

/**
 * Lets an address submit a form so many times in ten minutes (reliability, "Settings").
 * @param form - whose submissions are counted together
 * @param points - submissions; 0 sets no limit
 * @throws {Problem} 429 with Retry-After
 */
export function rateLimit(store: RateLimitStore, form: string, points: number, addressOf: ClientAddress): Middleware {
  if (points === 0) return (_, next) => next();
  const limiter = store.limiter({
    name: form,
    points,
    windowSeconds,
    detail: 'Too many submissions from this address. Please try again later.',
    givesBack: false,
  });
  return async (ctx, next) => {
    await limiter.take(limitKey(addressOf(ctx.req)));
    await next();
  };
}

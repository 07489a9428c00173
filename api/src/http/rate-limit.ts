import type { Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { limitKey, type ClientAddress } from './client-address.ts';
import { Problem } from './problem.ts';

const windowSeconds = 600;

/**
 * Lets an address submit a form so many times in ten minutes (reliability, "Settings"). Counted per process.
 * @param points - submissions; 0 sets no limit
 * @throws {Problem} 429 with Retry-After
 */
export function rateLimit(points: number, addressOf: ClientAddress): Middleware {
  if (points === 0) return (_, next) => next();
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  return async (ctx, next) => {
    try {
      await limiter.consume(limitKey(addressOf(ctx.req)));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new Problem(429, {
        detail: 'Too many submissions from this address. Please try again later.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(error.msBeforeNext / 1000))) },
      });
    }
    await next();
  };
}

import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import type { Middleware } from '../http/context.ts';
import { answerPage } from '../http/plain-page.ts';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import { LimitReached, type RateLimitStore } from './rate-limit-store.ts';

/**
 * Limits the requests of each network for a page without scripts, and renders temporary failures as pages.
 * @param name - the beginning of the keys that count
 */
export function limitPage(
  name: string,
  { requests, windowSeconds }: { readonly requests: number; readonly windowSeconds: number },
  networksOf: ClientNetworksOf,
  rateLimits: RateLimitStore,
): Middleware {
  return async (ctx, next) => {
    const quotas = networksOf(ctx.req).map(({ key, factor }) => ({
      key: `${name}:${key}`,
      limit: requests * factor,
      milliseconds: windowSeconds * 1_000,
    }));
    try {
      await rateLimits.take(quotas, 'Too many requests.');
      await next();
    } catch (error) {
      const isLimit = error instanceof LimitReached;
      if (!isLimit && !(error instanceof DatabaseUnavailableError)) throw error;
      answerPage(ctx, isLimit ? 429 : 503, {
        heading: 'Please try again later',
        text: 'The page is not available at the moment. Nothing was changed.',
      });
      ctx.set('Retry-After', String(isLimit ? Math.max(1, Math.ceil(error.exhausted.milliseconds / 1_000)) : 5));
    }
  };
}

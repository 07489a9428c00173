import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { sendPage } from '../http/plain-page.ts';
import type { RequestLimit } from '../http/requests/request-limit.ts';
import type { Services } from '../services.ts';
import { LimitReached } from './rate-limit-store.ts';

/**
 * Limits the requests of each network for a page without scripts, and renders temporary failures as pages.
 * @param name - the beginning of the keys that count
 */
export function limitPage(
  name: string,
  { requests, windowSeconds }: { readonly requests: number; readonly windowSeconds: number },
  { networksOf, rateLimits }: Pick<Services, 'networksOf' | 'rateLimits'>,
): RequestLimit {
  return async (ctx, next) => {
    const quotas = networksOf(ctx.req).map(({ key, factor }) => ({
      key: `${name}:${key}`,
      limit: requests * factor,
      milliseconds: windowSeconds * 1_000,
    }));
    try {
      // The token in the link guards the page.
      await rateLimits.takeIfAvailable(quotas, 'Too many requests.');
      await next(undefined);
    } catch (error) {
      const isLimit = error instanceof LimitReached;
      if (!isLimit && !(error instanceof DatabaseUnavailableError)) throw error;
      sendPage(ctx, isLimit ? 429 : 503, {
        heading: 'Please try again later',
        text: 'The page is not available at the moment. Nothing was changed.',
      });
      ctx.set('Retry-After', String(isLimit ? Math.max(1, Math.ceil(error.exhausted.milliseconds / 1_000)) : 5));
    }
  };
}

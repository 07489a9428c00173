import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { sendPage } from '../http/plain-page.ts';
import type { RequestLimit } from '../http/requests/request-limit.ts';
import type { Services } from '../services.ts';
import { LimitReached } from './rate-limit-store.ts';

/**
 * Limits the requests for a page without scripts, and renders temporary failures as pages. A valid token has a count of
 * its own, so that the requests of others, e.g. of a company's mail scanner, refuse no visitor. All other
 * requests are counted by the network of the client.
 * @param name - the beginning of the keys that count
 * @param idOf - returns the id in a token; undefined if no key has signed it
 */
export function limitPage(
  name: string,
  { requests, windowSeconds }: { readonly requests: number; readonly windowSeconds: number },
  { networksOf, rateLimits }: Pick<Services, 'networksOf' | 'rateLimits'>,
  idOf: (token: string) => string | undefined,
): RequestLimit {
  return async (ctx, next) => {
    const { token = '' } = ctx['params'] as { readonly token?: string };
    const id = idOf(token);
    const counted = id === undefined ? networksOf(ctx.req) : [{ key: id, factor: 1 }];
    const quotas = counted.map(({ key, factor }) => ({
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

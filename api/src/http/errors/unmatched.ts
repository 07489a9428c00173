import type { Middleware } from '../context.ts';
import { Problem } from './problem.ts';

/** Returns whether a path belongs to the API, so that the site must not serve a page for it. */
export function isApiPath(path: string): boolean {
  return /^\/api(\/|$)/i.test(path);
}

/**
 * Turns an unknown path or a wrong method into a problem, so that the site's pages are never served under /api. Forbids
 * caches to store responses of the API.
 */
export function unmatchedAsProblem(): Middleware {
  return async (ctx, next) => {
    if (isApiPath(ctx.path)) ctx.set('Cache-Control', 'no-store');
    await next();
    // A 304 has no body either.
    if (ctx.body !== undefined || ctx.status < 400) return;
    const { allow } = ctx.response.headers;
    ctx.remove('Allow');
    throw typeof allow === 'string' && allow !== ''
      ? new Problem(405, { headers: { Allow: allow } })
      : new Problem(404);
  };
}

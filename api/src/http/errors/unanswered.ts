import type { Middleware } from '../context.ts';
import { Problem } from './problem.ts';

/** Whether a path is the API's, so that no page may answer for it. */
export function isApiPath(path: string): boolean {
  return /^\/api(\/|$)/i.test(path);
}

/** An unknown path or a wrong method is a problem, under /api never the web page; nothing under /api is cached. */
export function unansweredAsProblem(): Middleware {
  return async (ctx, next) => {
    if (isApiPath(ctx.path)) ctx.set('Cache-Control', 'no-store');
    await next();
    // A page that did not change has no body either.
    if (ctx.body !== undefined || ctx.status < 400) return;
    const { allow } = ctx.response.headers;
    ctx.remove('Allow');
    throw typeof allow === 'string' && allow !== ''
      ? new Problem(405, { headers: { Allow: allow } })
      : new Problem(404);
  };
}

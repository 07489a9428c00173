import type { Middleware } from './context.ts';
import { Problem } from './problem.ts';

/** Whether a path is the API's, so that no page may answer for it. */
export function isApiPath(path: string): boolean {
  return /^\/api(\/|$)/i.test(path);
}

/** Under /api an unknown path or a wrong method is a problem, never the web page; nothing there is cached. */
export function apiAnswers(): Middleware {
  return async (ctx, next) => {
    if (!isApiPath(ctx.path)) return next();
    ctx.set('Cache-Control', 'no-store');
    await next();
    if (ctx.body !== undefined) return;
    const { allow } = ctx.response.headers;
    ctx.remove('Allow');
    throw typeof allow === 'string' && allow !== ''
      ? new Problem(405, { headers: { Allow: allow } })
      : new Problem(404);
  };
}

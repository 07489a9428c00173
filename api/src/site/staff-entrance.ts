import type { Middleware } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';

/** The page that staff see first, and the sign-in page that leads there. */
const firstPage = '/admin/dashboard';
const signIn = `/admin/login?from=${encodeURIComponent(firstPage)}`;

/**
 * Redirects `/admin`, which has no page. A browser without a session cookie goes to the sign-in page directly, because
 * the dashboard would first ask for the session.
 * @param sessionCookie - the cookie's name
 */
export function staffEntrance(sessionCookie: string): Middleware {
  return (ctx, next) => {
    if (!/^\/+admin\/*$/i.test(ctx.path)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw new Problem(405, { headers: { Allow: 'GET, HEAD' } });
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(ctx.cookies.get(sessionCookie, { signed: false }) === undefined ? signIn : firstPage);
    return undefined;
  };
}

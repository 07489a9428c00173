import type { Middleware } from './context.ts';
import { Problem } from './problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what a browser would change here from another site. Programs that are no browsers send neither header and pass: they
 * carry no visitor's cookies.
 * @param publicUrl - the site's own address
 * @throws {Problem} 403
 */
export function sameOrigin(publicUrl: string): Middleware {
  const ownHost = new URL(publicUrl).host;
  return (ctx, next) => {
    if (safeMethods.has(ctx.method)) return next();
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const isForeignSite = site !== '' && site !== 'same-origin' && site !== 'none';
    const isForeignOrigin = origin !== '' && ![ownHost, ctx.get('Host')].includes(hostOf(origin));
    if (isForeignSite || isForeignOrigin) throw new Problem(403, { detail: 'Requests from other sites are refused.' });
    return next();
  };
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : '';
}

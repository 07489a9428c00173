import type { Middleware } from '../context.ts';
import { Problem } from '../errors/problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests by which a page of another site would change something here. Programs other than browsers send neither
 * header and pass: they carry no visitor's cookies.
 * @param publicUrl - the site's own address
 * @throws {Problem} 403
 */
export function sameOrigin(publicUrl: string): Middleware {
  const { origin: ownOrigin, protocol } = new URL(publicUrl);
  return (ctx, next) => {
    if (safeMethods.has(ctx.method)) return next();
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const isForeignSite = site !== '' && site !== 'same-origin' && site !== 'none';
    // The site is asked for under other names as well, e.g. 127.0.0.1 for localhost; a proxy may have ended the https.
    const isForeignOrigin = origin !== '' && ![ownOrigin, `${protocol}//${ctx.get('Host')}`].includes(origin);
    if (isForeignSite || isForeignOrigin) throw new Problem(403, { detail: 'Requests from other sites are refused.' });
    return next();
  };
}

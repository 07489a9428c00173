import type { Middleware } from '../context.ts';
import { Problem } from '../errors/problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests with which a page of another site would change data. Clients other than browsers send neither header
 * and are accepted, since they do not carry a visitor's cookies.
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
    // The site is also reached by other names, e.g. 127.0.0.1 for localhost. A proxy may terminate HTTPS, so the
    // protocol is that of the public URL.
    const isForeignOrigin = origin !== '' && ![ownOrigin, `${protocol}//${ctx.get('Host')}`].includes(origin);
    if (isForeignSite || isForeignOrigin) throw new Problem(403, { detail: 'Requests from other sites are refused.' });
    return next();
  };
}

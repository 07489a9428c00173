import { randomUUID } from 'node:crypto';
import type { Logger } from '@dune-tide/platform/log';
import type { Context, Middleware } from '../context.ts';
import { loggedPath, matchedRoute } from './logged-path.ts';
import { probePaths } from './probe-paths.ts';

/** A load balancer polls them every two seconds, so their lines would fill most of the log. */
const probes: ReadonlySet<string | undefined> = new Set(Object.values(probePaths));

/**
 * Logs one line per request. A probe is logged at debug level, because the check logs what fails. The line has only paths that exist, without
 * a visitor's input. `leadId` links the request to the lead's emails, `staffId` to the account of a staff call.
 * @param findRoute - returns the pattern of the route that matches a path with any method; called if no route handled
 *   the request
 */
export function requestLog(logger: Logger, findRoute: (path: string) => string | undefined): Middleware {
  const pathOf = (ctx: Context): string | undefined => {
    const pattern = matchedRoute(ctx) ?? ctx.state.page ?? findRoute(ctx.path);
    return pattern === undefined ? undefined : loggedPath(pattern, ctx.path);
  };
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
    } finally {
      const { status } = ctx;
      const isProbe = probes.has(matchedRoute(ctx)) && (status === 200 || status === 503);
      logger[isProbe ? 'debug' : 'info'](
        {
          requestId,
          method: ctx.method,
          path: pathOf(ctx),
          status,
          milliseconds: Math.round((performance.now() - started) * 10) / 10,
          leadId: ctx.state.leadId,
          staffId: ctx.state.staff?.id,
        },
        'request',
      );
    }
  };
}

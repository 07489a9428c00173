import { randomUUID } from 'node:crypto';
import type { Logger } from '@dune-tide/platform/log';
import type { Context, Middleware } from '../context.ts';
import { loggedPath, matchedRoute } from './logged-path.ts';
import { probePaths } from './probe-paths.ts';

/** A front asks each process every two seconds: the lines would be most of the log. */
const probes: ReadonlySet<string | undefined> = new Set(Object.values(probePaths));

/**
 * One line per request, that of a probe which went well at debug. Only paths that exist are written out, and of them
 * only what no visitor can have typed. `leadId` follows a lead from here to its mails.
 * @param findRoute - the pattern of the API's route that a path is of, whatever the method; asked where none answered
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
      const isProbe = probes.has(matchedRoute(ctx)) && status === 200;
      logger[isProbe ? 'debug' : 'info'](
        {
          requestId,
          method: ctx.method,
          path: pathOf(ctx),
          status,
          milliseconds: Math.round((performance.now() - started) * 10) / 10,
          leadId: ctx.state.leadId,
        },
        'request',
      );
    }
  };
}

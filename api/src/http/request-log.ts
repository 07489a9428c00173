import { randomUUID } from 'node:crypto';
import type { Logger } from '@dune-tide/platform/log';
import type { Middleware } from 'koa';

/**
 * One line per request. Only paths that exist are written out: in others a visitor may have typed anything.
 * `leadId` follows a lead from here to its mails.
 * @param isRoute - whether a path is one of the API's own; a page is known by its success
 */
export function requestLog(logger: Logger, isRoute: (path: string) => boolean): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
    } finally {
      const { status } = ctx;
      logger.info(
        {
          requestId,
          method: ctx.method,
          path: status < 400 || isRoute(ctx.path) ? ctx.path : undefined,
          status,
          milliseconds: Math.round((performance.now() - started) * 10) / 10,
          leadId: ctx.state['leadId'],
        },
        'request',
      );
    }
  };
}

import type { CompletedRequest } from '@dune-tide/platform/metrics';
import type { Middleware } from '../context.ts';
import { matchedRoute } from './logged-path.ts';

/** Measures each request by its route pattern. Without a route it counts as `page`, or as `none` if it failed. */
export function requestMetrics(observe: (request: CompletedRequest) => void): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const { status } = ctx;
      const route = matchedRoute(ctx) ?? (status < 400 ? 'page' : 'none');
      observe({ method: ctx.method, route, status, seconds: (performance.now() - started) / 1000 });
    }
  };
}

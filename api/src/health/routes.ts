import { healthResponse, readinessResponse } from '@dune-tide/domain/responses/health';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { probePaths } from '../http/observability/probe-paths.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** Declares `/healthz`, which reports that the process is running, and `/readyz`, which checks its parts. */
export function healthRoutes({ checkReadiness }: Pick<Services, 'checkReadiness'>): Route[] {
  return [
    route(
      { method: 'GET', path: probePaths.health, access: 'anyone' },
      {
        summary: 'Reports that the process is running',
        responses: { 200: { description: 'The process is running.', schema: healthResponse } },
        handle(ctx) {
          ctx.set('Cache-Control', 'no-store');
          ctx.body = { status: 'ok' } satisfies Presented<typeof healthResponse>;
        },
      },
    ),
    route(
      { method: 'GET', path: probePaths.readiness, access: 'anyone' },
      {
        summary: 'Reports whether the database and the queue are available',
        responses: {
          200: { description: 'Every part is available.', schema: readinessResponse },
          503: { description: 'At least one part is unavailable.', schema: readinessResponse },
        },
        async handle(ctx) {
          ctx.set('Cache-Control', 'no-store');
          const readiness = await checkReadiness();
          ctx.status = readiness.status === 'ok' ? 200 : 503;
          ctx.body = readiness;
        },
      },
    ),
  ];
}

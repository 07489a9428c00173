import { healthResponse, readinessResponse } from '@dune-tide/domain/responses/health';
import type { Operation } from '../http/operation.ts';
import { probePaths } from '../http/observability/probe-paths.ts';

export const healthOperations: readonly Operation[] = [
  {
    method: 'get',
    path: probePaths.health,
    summary: 'Reports that the process is running',
    answers: { 200: { description: 'The process is running.', schema: healthResponse } },
  },
  {
    method: 'get',
    path: probePaths.readiness,
    summary: 'Reports whether the database and the queue are available',
    answers: {
      200: { description: 'Every part is available.', schema: readinessResponse },
      503: { description: 'At least one part is unavailable.', schema: readinessResponse },
    },
  },
];

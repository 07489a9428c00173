import { healthResponse, readinessResponse } from '@dune-tide/domain/responses/health';
import type { Operation } from '../http/operation.ts';
import { probePaths } from '../http/observability/probe-paths.ts';

export const healthOperations: readonly Operation[] = [
  {
    method: 'get',
    path: probePaths.health,
    summary: 'Says that the process runs',
    answers: { 200: { description: 'It runs.', schema: healthResponse } },
  },
  {
    method: 'get',
    path: probePaths.readiness,
    summary: 'Says whether the parts answer that the process needs',
    answers: {
      200: { description: 'All of them do.', schema: readinessResponse },
      503: { description: 'Not all of them do.', schema: readinessResponse },
    },
  },
];

import { activityResponse, statsResponse } from '@dune-tide/domain/responses/dashboard';
import { array } from '@dune-tide/domain/responses/schema';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';

export const dashboardOperations: readonly Operation[] = [
  {
    method: 'get',
    path: `${staffPrefix}/stats`,
    summary: 'Counts what the dashboard shows',
    answers: { 200: { description: 'The counts.', schema: statsResponse } },
  },
  {
    method: 'get',
    path: `${staffPrefix}/recent-activity`,
    summary: 'Lists what happened last, newest first',
    answers: { 200: { description: 'The latest of it.', schema: array(activityResponse) } },
  },
];

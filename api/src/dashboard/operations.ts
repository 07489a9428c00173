import { activityResponse, statsResponse } from '@dune-tide/domain/responses/dashboard';
import { array } from '@dune-tide/domain/responses/schema';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';

export const dashboardOperations: readonly Operation[] = [
  {
    method: 'get',
    path: `${staffPrefix}/stats`,
    summary: 'Returns the figures of the dashboard',
    answers: { 200: { description: 'The figures.', schema: statsResponse } },
  },
  {
    method: 'get',
    path: `${staffPrefix}/recent-activity`,
    summary: 'Lists the latest activity, newest first',
    answers: { 200: { description: 'The latest activities.', schema: array(activityResponse) } },
  },
];

import {
  activityResponse,
  dueLeadResponse,
  statsResponse,
  trendsResponse,
} from '@dune-tide/domain/responses/dashboard';
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
  {
    method: 'get',
    path: `${staffPrefix}/due-next`,
    summary: 'Lists the leads whose answers are due next, the caller’s own first',
    answers: { 200: { description: 'The leads.', schema: array(dueLeadResponse) } },
  },
  {
    method: 'get',
    path: `${staffPrefix}/trends`,
    summary: 'Returns the growth of the figures and the series of the charts',
    answers: { 200: { description: 'The growth and the series.', schema: trendsResponse } },
  },
];

import type {
  activityResponse,
  dueLeadResponse,
  statsResponse,
  trendsResponse,
} from '@dune-tide/domain/responses/dashboard';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';

/** The figures of the dashboard (docs/PRODUCT.md, "Figures"). */
export type Stats = Json<typeof statsResponse>;
/** The growth of the figures and the series of the charts (docs/PRODUCT.md, "Figures"). */
export type Trends = Json<typeof trendsResponse>;
export type Activity = Json<typeof activityResponse>;
export type DueLead = Json<typeof dueLeadResponse>;

const dashboardApi = api.enhanceEndpoints({ addTagTypes: ['Account', 'Lead'] }).injectEndpoints({
  endpoints: (build) => ({
    stats: build.query<Stats, void>({
      query: () => ({ url: '/api/admin/stats' }),
      // `teamMembers` depends on accounts. Refresh on the leads page also refetches the figures.
      providesTags: ['Account', 'Lead'],
    }),
    recentActivity: build.query<readonly Activity[], void>({
      query: () => ({ url: '/api/admin/recent-activity' }),
    }),
    dueNext: build.query<readonly DueLead[], void>({
      query: () => ({ url: '/api/admin/due-next' }),
      providesTags: ['Lead'],
    }),
    trends: build.query<Trends, void>({ query: () => ({ url: '/api/admin/trends' }) }),
  }),
});

export const { useStatsQuery, useRecentActivityQuery, useDueNextQuery, useTrendsQuery } = dashboardApi;

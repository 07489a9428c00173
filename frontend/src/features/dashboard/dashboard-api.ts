import type { activityResponse, statsResponse } from '@dune-tide/domain/responses/dashboard';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';

/** The figures of the dashboard (docs/PRODUCT.md, "Figures"). */
export type Stats = Json<typeof statsResponse>;

const dashboardApi = api.enhanceEndpoints({ addTagTypes: ['Account', 'Lead'] }).injectEndpoints({
  endpoints: (build) => ({
    stats: build.query<Stats, void>({
      query: () => ({ key: ['/api', 'admin', 'stats'] }),
      // `teamMembers` depends on accounts. Refresh on the leads page also refetches the figures.
      providesTags: ['Account', 'Lead'],
    }),
    recentActivity: build.query<readonly Json<typeof activityResponse>[], void>({
      query: () => ({ key: ['/api', 'admin', 'recent-activity'] }),
    }),
  }),
});

export const { useStatsQuery, useRecentActivityQuery } = dashboardApi;

import { api } from '../../lib/api.ts';

/** The numbers of the dashboard (specification §3, "Admin stats"). */
export interface Stats {
  readonly totalLeads: number;
  readonly activeProjects: number;
  readonly teamMembers: number;
  /** In percent. */
  readonly conversionRate: number;
}

const statsApi = api.enhanceEndpoints({ addTagTypes: ['Team'] }).injectEndpoints({
  endpoints: (build) => ({
    stats: build.query<Stats, void>({
      query: () => ({ key: ['/api', 'admin', 'stats'] }),
      // For `teamMembers`.
      providesTags: ['Team'],
    }),
    recentActivity: build.query<unknown, void>({ query: () => ({ key: ['/api', 'admin', 'recent-activity'] }) }),
  }),
});

export const { useStatsQuery, useRecentActivityQuery } = statsApi;

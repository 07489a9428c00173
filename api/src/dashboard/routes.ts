import { leadLists, type LeadCount } from '@dune-tide/db/lead-lists';
import { dashboardQueries, type Activity } from '@dune-tide/db/dashboard';
import { maxRecentActivities } from '@dune-tide/domain/limits';
import type { activityResponse, statsResponse } from '@dune-tide/domain/responses/dashboard';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import type { Router } from '../http/context.ts';
import { activityLabels } from './activity-labels.ts';

/**
 * Registers the calls of the dashboard.
 * @param router - the staff router, which requires a session
 */
export function dashboardRoutes(router: Router, { database }: { readonly database: Knex }): void {
  const leads = leadLists(database);
  const dashboard = dashboardQueries(database);
  router.get('/stats', async (ctx) => {
    const [counts, teamMembers] = await Promise.all([leads.counts(), dashboard.activeStaff()]);
    ctx.body = { ...leadStats(counts), teamMembers } satisfies Presented<typeof statsResponse>;
  });
  router.get('/recent-activity', async (ctx) => {
    const activities = await dashboard.recentActivity(maxRecentActivities);
    ctx.body = activities.map(presentActivity);
  });
}

function presentActivity({ id, type, subject, createdAt }: Activity): Presented<typeof activityResponse> {
  return { id, type, title: activityLabels[type](subject), createdAt };
}

/** Leaves out portfolio requests, because staff do not work on them. */
function leadStats(counts: readonly LeadCount[]) {
  const sum = (isCounted: (entry: LeadCount) => boolean): number =>
    counts.filter(isCounted).reduce((total, { count }) => total + count, 0);
  const inquiries = sum(({ kind }) => kind === 'service_inquiry');
  const won = sum(({ status }) => status === 'won');
  return {
    totalLeads: sum(({ kind }) => kind !== 'portfolio_request'),
    activeProjects: won,
    conversionRate: inquiries === 0 ? 0 : Math.round((won / inquiries) * 1000) / 10,
  };
}

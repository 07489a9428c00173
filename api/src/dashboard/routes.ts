import { leadLists, dashboardQueries, type LeadCount, type Activity, type GrowthFigures } from '@dune-tide/db/leads';
import { maxDueNext, maxRecentActivities } from '@dune-tide/domain/limits';
import type { activityResponse, statsResponse, trendsResponse } from '@dune-tide/domain/responses/dashboard';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { staffOf } from '../auth/session.ts';
import type { Router } from '../http/context.ts';
import { activityLabels } from './activity-labels.ts';

interface DashboardDependencies {
  readonly database: Knex;
  /** The studio's time zone. */
  readonly timeZone: string;
}

/**
 * Registers the calls of the dashboard.
 * @param router - the staff router, which requires a session
 */
export function dashboardRoutes(router: Router, { database, timeZone }: DashboardDependencies): void {
  const leads = leadLists(database);
  const dashboard = dashboardQueries(database, timeZone);
  router.get('/stats', async (ctx) => {
    const [counts, { unowned, ...needsAnswer }, teamMembers, { due, onTime, medianMinutes }] = await Promise.all([
      leads.counts(),
      leads.unanswered(),
      dashboard.activeStaff(),
      dashboard.answerTimes(),
    ]);
    ctx.body = {
      ...leadStats(counts),
      teamMembers,
      needsAnswer,
      unowned,
      onTimeRate: due === 0 ? null : percentage(onTime, due),
      medianAnswerMinutes: medianMinutes === null ? null : Math.round(medianMinutes),
    } satisfies Presented<typeof statsResponse>;
  });
  router.get('/recent-activity', async (ctx) => {
    const activities = await dashboard.recentActivity(maxRecentActivities);
    ctx.body = activities.map(presentActivity);
  });
  router.get('/due-next', async (ctx) => {
    ctx.body = await dashboard.dueNext(staffOf(ctx).id, maxDueNext);
  });
  router.get('/trends', async (ctx) => {
    const [growth, leadsPerWeek, leadsByStatus, answersPerWeek] = await Promise.all([
      dashboard.growth(),
      dashboard.leadsPerWeek(),
      dashboard.leadsByStatus(),
      dashboard.answersPerWeek(),
    ]);
    ctx.body = {
      growth: growth.isComparable ? growthOf(growth) : null,
      leadsPerWeek,
      leadsByStatus,
      answersPerWeek,
    } satisfies Presented<typeof trendsResponse>;
  });
}

function presentActivity(activity: Activity): Presented<typeof activityResponse> {
  const { id, type, leadId, createdAt } = activity;
  return { id, type, title: activityLabels[type](activity), leadId, createdAt };
}

/** Returns a percentage with one decimal. */
function percentage(part: number, whole: number): number {
  return Math.round((part / whole) * 1000) / 10;
}

function growthOf({ leads, inquiries, won, team }: GrowthFigures) {
  /** Returns the change in percent; null without an earlier value. */
  const change = (now: number, before: number): number | null =>
    before === 0 || !Number.isFinite(before + now) ? null : percentage(now - before, before);
  return {
    totalLeads: change(leads.now, leads.before),
    activeProjects: change(won.now, won.before),
    teamMembers: change(team.now, team.before),
    conversionRate: change(won.now / inquiries.now, won.before / inquiries.before),
  };
}

/** Leaves out portfolio requests, because staff do not work on them. */
function leadStats(counts: readonly LeadCount[]) {
  const sum = (isCounted: (entry: LeadCount) => boolean): number =>
    counts.filter(isCounted).reduce((total, { count }) => total + count, 0);
  const inquiries = sum(({ kind }) => kind === 'service_inquiry');
  const won = sum(({ kind, status }) => kind === 'service_inquiry' && status === 'won');
  return {
    totalLeads: sum(({ kind }) => kind !== 'portfolio_request'),
    activeProjects: won,
    conversionRate: inquiries === 0 ? 0 : percentage(won, inquiries),
  };
}

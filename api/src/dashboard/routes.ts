import { dashboardQueries, leadLists, type Activity, type GrowthFigures, type LeadCount } from '@dune-tide/db/leads';
import { isWorked } from '@dune-tide/domain/leads';
import { maxDueNext, maxRecentActivities } from '@dune-tide/domain/limits';
import {
  activityResponse,
  dueLeadResponse,
  statsResponse,
  trendsResponse,
} from '@dune-tide/domain/responses/dashboard';
import { array, type Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { staffOf } from '../auth/session.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { activityLabels } from './activity-labels.ts';

/** Declares the calls of the dashboard. */
export function dashboardRoutes({ database }: Pick<Services, 'database'>): Route[] {
  const leads = leadLists(database);
  const dashboard = dashboardQueries(database);
  return [
    route(staffCalls.stats, {
      summary: 'Returns the figures of the dashboard',
      responses: { 200: { description: 'The figures.', schema: statsResponse } },
      async handle(ctx) {
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
      },
    }),
    route(staffCalls.recentActivity, {
      summary: 'Lists the latest activity, newest first',
      responses: { 200: { description: 'The latest activities.', schema: array(activityResponse) } },
      async handle(ctx) {
        ctx.body = (await dashboard.recentActivity(maxRecentActivities)).map(presentActivity);
      },
    }),
    route(staffCalls.dueNext, {
      summary: 'Lists the leads whose answers are due next, the caller’s own first',
      responses: { 200: { description: 'The leads.', schema: array(dueLeadResponse) } },
      async handle(ctx) {
        ctx.body = await dashboard.dueNext(staffOf(ctx).id, maxDueNext);
      },
    }),
    route(staffCalls.trends, {
      summary: 'Returns the growth of the figures and the series of the charts',
      responses: { 200: { description: 'The growth and the series.', schema: trendsResponse } },
      async handle(ctx) {
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
      },
    }),
  ];
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
    totalLeads: sum(({ kind }) => isWorked(kind)),
    activeProjects: won,
    conversionRate: inquiries === 0 ? 0 : percentage(won, inquiries),
  };
}

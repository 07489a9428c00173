import { brand } from '@dune-tide/domain/brand';
import { leadKinds, leadStatuses, workedKinds, type LeadStatus } from '@dune-tide/domain/leads';
import { figurePeriods } from '@dune-tide/domain/limits';
import type {
  activityResponse,
  announcementResponse,
  dueLeadResponse,
  trendsResponse,
} from '@dune-tide/domain/responses/dashboard';
import type { Json, Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { selectList } from '../connection/index.ts';
import {
  clockStart,
  dueAt,
  leadName,
  needsAnswer,
  overdueBefore,
  owner,
  promised,
  quoted,
  response,
  status,
  wasAnswered,
} from '../lead-expressions/index.ts';
import { countUnanswered, type Unanswered } from './lists.ts';
import { searchBuildProgress } from './search-index.ts';

/** An activity, with what its title is made from. */
export interface Activity extends Omit<Presented<typeof activityResponse>, 'title'> {
  /** The name of the person or the title of the recipe. */
  readonly subject: string;
  /** The name of the account that changed a lead; null for other activities and for operators. */
  readonly actor: string | null;
  /** The new status, or the name of the new owner; null for other activities and without an owner. */
  readonly to: string | null;
}

/** A lead that needs an answer. */
export type DueLead = Presented<typeof dueLeadResponse>;

/** How the leads that fell due in a period were answered. */
export interface AnswerTimes {
  readonly due: number;
  readonly onTime: number;
  /** Null if none was answered. */
  readonly medianMinutes: number | null;
}

/** The figures of a period and of the one before, from which the growth is computed. */
export interface GrowthFigures {
  /** Whether the database holds leads that are older than both periods. */
  readonly isComparable: boolean;
  readonly leads: Compared;
  readonly inquiries: Compared;
  readonly won: Compared;
  readonly team: Compared;
}

interface Compared {
  readonly now: number;
  readonly before: number;
}

type Trends = Json<typeof trendsResponse>;
export type Announcement = Omit<Presented<typeof announcementResponse>, 'marked'>;

const activityColumns = selectList({
  id: 'id',
  type: 'type',
  subject: 'subject',
  actor: 'actor',
  to: '"to"',
  leadId: 'lead_id',
  createdAt: 'at',
} satisfies Record<keyof Activity, string>);

const dueExpressions = {
  id: 'id',
  kind: 'kind',
  name: leadName,
  status,
  owner,
  dueAt,
  response,
} satisfies Record<keyof DueLead, string>;
const dueColumns = selectList(dueExpressions);
const dueMembers = Object.keys(dueExpressions)
  .map((member) => `"${member}"`)
  .join(', ');

const days = (count: number): string => `interval '${count} days'`;

const { growthDays, onTimeDays, statusDays, chartWeeks } = figurePeriods;

const weekStart = `to_char(week, 'YYYY-MM-DD') as "weekStart"`;

/** Returns the SQL of the days and weeks in the studio's time zone. */
function calendarOf(db: Knex) {
  const zone = db.raw('?', [brand.timeZone]).toQuery();
  const now = `now() at time zone ${zone}`;
  const thisWeek = `date_trunc('week', ${now})`;
  const firstWeek = `${thisWeek} - ${days(7 * (chartWeeks - 1))}`;
  /** Turns a local time into a time. */
  const startOf = (local: string): string => `(${local}) at time zone ${zone}`;
  return {
    /** The first days of the weeks of the charts, as local times. */
    weeks: `generate_series(${firstWeek}, ${thisWeek}, ${days(7)}) as week`,
    startOf,
    /** The start of the first day of `leadsByStatus`. */
    statusesSince: startOf(`date_trunc('day', ${now}) - ${days(statusDays)}`),
  };
}

const received = `kind in (${quoted(workedKinds)}) and created_at`;

/**
 * Returns a query for the start and the answer of each clock that started in a period and has ended by now. It leaves
 * out leads that were answered at an unknown time. Its two parts use different indexes.
 * @param since - the start of the period, in SQL
 * @param before - its end
 */
const endedClocks = (since: string, before: string): string => `
  select ${clockStart} as start, answered_at from leads
  where ${wasAnswered} and ${clockStart} >= ${since} and ${clockStart} < ${before}
  union all
  select ${clockStart}, null from leads
  where ${needsAnswer} and ${clockStart} >= ${since} and ${clockStart} < ${before}`;

/**
 * Reads the figures of the dashboard, except for the counts of leads.
 * @param db - a pool or a transaction
 */
export function dashboardQueries(db: Knex) {
  const { weeks, startOf, statusesSince } = calendarOf(db);

  async function read<Row>(sql: string, bindings: Readonly<Record<string, Knex.Value>> = {}): Promise<Row[]> {
    const { rows } = await db.raw<{ rows: Row[] }>(sql, bindings);
    return rows;
  }

  return {
    /** Returns the number of active staff accounts. */
    async activeStaff(): Promise<number> {
      const [row] = await read<{ count: number }>(`select count(*)::integer as count from staff where is_active`);
      return row?.count ?? 0;
    },

    /** Returns how the leads that fell due in the last `onTimeDays` were answered. */
    async answerTimes(): Promise<AnswerTimes> {
      const [row] = await read<AnswerTimes>(
        `select count(*)::integer as due,
                count(*) filter (where answered_at <= start + ${promised})::integer as "onTime",
                extract(epoch from percentile_cont(0.5) within group (order by answered_at - start))::double precision / 60
                  as "medianMinutes"
         from (${endedClocks(`${overdueBefore} - ${days(onTimeDays)}`, overdueBefore)}) as ended`,
      );
      return row ?? { due: 0, onTime: 0, medianMinutes: null };
    },

    /**
     * Returns the latest leads, changes of leads, recipes, changes of recipes and sign-ins, newest first. Reads only the
     * newest `limit` rows of each source, by an index if the table can grow large.
     */
    recentActivity(limit: number): Promise<Activity[]> {
      return read<Activity>(
        `with activity as (
           select lead.* from unnest(:kinds::text[]) as known (kind), lateral (
             select id, kind as type, created_at as at, ${leadName} as subject, null as actor, null as "to",
                    id as lead_id
             from leads where kind = known.kind order by created_at desc, id desc limit :limit
           ) as lead
           union all
           select event.id, event.type, event.at, ${leadName}, event.actor, event."to", leads.id
           from (
             select id, lead_id, at, actor_name as actor,
                    case kind
                      when 'status' then 'status_changed'
                      when 'owner' then 'owner_changed'
                      when 'note' then 'note_added'
                      when 'spam' then 'marked_as_spam'
                      else kind
                    end as type,
                    case kind when 'status' then details ->> 'to' when 'owner' then details -> 'to' ->> 'name' end as "to"
             from lead_events where kind not in ('note_edited', 'note_deleted')
             order by at desc, id desc limit :limit
           ) as event
           join leads on leads.id = event.lead_id
           union all
           (select id, 'recipe_added', created_at, title, null, null, null
            from recipes order by created_at desc, id desc limit :limit)
           union all
           (select md5(id::text || version)::uuid, 'recipe_updated', updated_at, title, null, null, null
            from recipes where version > 1 order by updated_at desc limit :limit)
           union all
           (select id, 'signed_in', last_sign_in_at::timestamptz(3), name, null, null, null
            from staff where last_sign_in_at is not null order by last_sign_in_at desc limit :limit)
         )
         select ${activityColumns} from activity order by at desc, id desc limit :limit`,
        { kinds: [...leadKinds], limit },
      );
    },

    /**
     * Returns the leads whose answers are due next, overdue ones included.
     * @param accountId - the account whose own leads come first
     */
    dueNext(accountId: string, limit: number): Promise<DueLead[]> {
      const first = (condition: string, rank: number): string => `(
        select ${dueColumns}, ${rank} as rank from leads where ${needsAnswer} and ${condition}
        order by ${clockStart}, id limit :limit
      )`;
      return read<DueLead>(
        `select ${dueMembers} from (
           ${first('owner_id = :accountId', 1)} union all ${first('owner_id is distinct from :accountId', 2)}
         ) as due
         order by rank, "dueAt", id limit :limit`,
        { accountId, limit },
      );
    },

    /** Returns what the growth of the figures is computed from. */
    async growth(): Promise<GrowthFigures> {
      const recent = `now() - ${days(growthDays)}`;
      const both = `now() - ${days(2 * growthDays)}`;
      const compared = (time: string, condition = 'true', counted = '*'): string => `jsonb_build_object(
        'now', count(${counted}) filter (where ${condition} and ${time} > ${recent}),
        'before', count(${counted}) filter (where ${condition} and ${time} <= ${recent})
      )`;
      const [row] = await read<GrowthFigures>(
        `select received.*, changed.*, accounts.*,
                exists (
                  select from unnest(array[${quoted(workedKinds)}]) as known (kind)
                  where exists (select from leads where kind = known.kind and created_at < ${both})
                ) as "isComparable"
         from (
           select ${compared('created_at')} as leads,
                  ${compared('created_at', `kind = 'service_inquiry'`)} as inquiries
           from leads where ${received} > ${both}
         ) as received, (
           select ${compared('at', 'true', 'distinct lead_id')} as won
           from lead_events event join leads on leads.id = event.lead_id and leads.kind = 'service_inquiry'
           where event.kind = 'status' and details ->> 'to' = 'won' and at > ${both}
         ) as changed, (
           select jsonb_build_object(
             'now', count(*), 'before', count(*) filter (where created_at <= ${recent})
           ) as team
           from staff where is_active
         ) as accounts`,
      );
      if (!row) throw new Error('A query that always returns a row returned none');
      return row;
    },

    /** Returns the numbers of leads that were received in each week, by kind, oldest first. */
    leadsPerWeek(): Promise<Trends['leadsPerWeek'][number][]> {
      // Counted by range, because a week computed for each lead would take most of the time.
      const count = (kind: string): string => `(
        select count(*)::integer from leads
        where kind = '${kind}' and created_at >= ${startOf('week')} and created_at < ${startOf(`week + ${days(7)}`)}
      ) as ${kind}`;
      return read(`select ${weekStart}, ${workedKinds.map(count).join(', ')} from ${weeks} order by week`);
    },

    /** Returns the number of leads in each status among those received today or on the `statusDays` days before. */
    async leadsByStatus(): Promise<Record<LeadStatus, number>> {
      const pastNew = leadStatuses.filter((each) => each !== 'new');
      // Portfolio requests have no status.
      const [row] = await read<Record<LeadStatus, number>>(
        `select total - ${pastNew.map((each) => `"${each}"`).join(' - ')} as new, changed.*
         from (
           select count(*)::integer as total from leads where ${received} >= ${statusesSince}
         ) as received, (
           select ${pastNew.map((each) => `count(*) filter (where status = '${each}')::integer as "${each}"`).join(', ')}
           from leads where status <> 'new' and created_at >= ${statusesSince}
         ) as changed`,
      );
      if (!row) throw new Error('A query that always returns a row returned none');
      return row;
    },

    /** Returns the numbers of leads that fell due in each week and were answered in time, oldest first. */
    answersPerWeek(): Promise<Trends['answersPerWeek'][number][]> {
      const since = `${startOf('week')} - ${promised}`;
      const before = `least(${startOf(`week + ${days(7)}`)}, now()) - ${promised}`;
      return read(
        `select ${weekStart}, answers.*
         from ${weeks}, lateral (
           select count(*)::integer as due,
                  count(*) filter (where answered_at <= start + ${promised})::integer as "onTime"
           from (${endedClocks(since, before)}) as ended
         ) as answers
         order by week`,
      );
    },

    /** Returns the data of the server-sent events. Its cost does not depend on the number of leads. */
    async announcement(): Promise<Announcement> {
      const [row] = await read<Unanswered & Pick<Announcement, 'totals' | 'failedEmails' | 'indexing'>>(
        `select unanswered.*, totals.totals, failed.count as "failedEmails", ${searchBuildProgress} as indexing
         from (${countUnanswered}) as unanswered, (
           select jsonb_build_object(
             ${workedKinds.map((kind) => `'${kind}', coalesce(sum(count) filter (where kind = '${kind}'), 0)`).join(', ')}
           ) as totals
           from lead_counts
         ) as totals, (
           select coalesce(sum(count), 0)::integer as count from follow_up_counts
           where state = 'failed' and transport = 'email'
         ) as failed`,
      );
      if (!row) throw new Error('A query that always returns a row returned none');
      const { overdue, soon, waiting, unowned, totals, failedEmails, indexing } = row;
      return { totals, needsAnswer: { overdue, soon, waiting }, unowned, failedEmails, indexing };
    },
  };
}

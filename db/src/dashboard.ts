import { leadKinds } from '@dune-tide/domain/leads';
import type { activityResponse } from '@dune-tide/domain/responses/dashboard';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { selectList } from './select-list.ts';
import { reachDatabase } from './unavailable.ts';

/** An activity, with the name of the person or the title of the recipe as its subject. */
export interface Activity extends Omit<Presented<typeof activityResponse>, 'title'> {
  readonly subject: string;
}

const activityColumns = selectList({
  id: 'id',
  type: 'type',
  subject: 'subject',
  createdAt: 'at',
} satisfies Record<keyof Activity, string>);

/**
 * Reads the figures of the dashboard, except for the counts of leads.
 * @param db - a pool or a transaction
 */
export function dashboardQueries(db: Knex) {
  return {
    /** Returns the number of active staff accounts. */
    async activeStaff(): Promise<number> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: { count: number }[] }>(`select count(*)::integer as count from staff where is_active`),
      );
      return rows[0]?.count ?? 0;
    },

    /**
     * Returns the latest leads, recipes, changes of recipes and sign-ins, newest first. Reads only the newest `limit`
     * rows of each source, by an index if the table can grow large.
     */
    async recentActivity(limit: number): Promise<Activity[]> {
      const { rows } = await reachDatabase(
        db.raw<{ rows: Activity[] }>(
          `with activity as (
             select lead.* from unnest(:kinds::text[]) as known (kind), lateral (
               select id, kind as type, created_at as at, coalesce(
                 answers ->> 'name', nullif(concat_ws(' ', answers ->> 'firstName', answers ->> 'lastName'), ''), email
               ) as subject
               from leads where kind = known.kind order by created_at desc, id desc limit :limit
             ) as lead
             union all
             (select id, 'recipe_added', created_at, title from recipes order by created_at desc, id desc limit :limit)
             union all
             (select md5(id::text || version)::uuid, 'recipe_updated', updated_at, title
              from recipes where version > 1 order by updated_at desc limit :limit)
             union all
             (select id, 'signed_in', last_sign_in_at::timestamptz(3), name
              from staff where last_sign_in_at is not null order by last_sign_in_at desc limit :limit)
           )
           select ${activityColumns} from activity order by at desc, id desc limit :limit`,
          { kinds: [...leadKinds], limit },
        ),
      );
      return rows;
    },
  };
}

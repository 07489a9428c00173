import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LargeIndex } from '../src/schema/large-indexes.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Finds the search texts that a worker must write again. */
export const lateIndexes: readonly LargeIndex[] = [
  { name: 'lead_search_outdated', table: 'lead_search', isUnique: false, columns: '(lead_id) where version = 0' },
];

/** Adds the version of each search text, and the progress of the workers that write all of them again. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- 0 if the text must be written again: the lead has changed, or the previous release has written it.
    alter table lead_search add column version smallint not null default 0
  `);
  await db.raw(`
    create table lead_search_builds (
      -- That of the search texts.
      version smallint primary key,
      -- Another one after a restore, so that a worker notices that its leads are others.
      id uuid not null default gen_random_uuid(),
      -- The number of leads whose texts are known to have the version.
      leads integer not null default 0,
      completed_at timestamptz(3)
    )
  `);
  await runStatements(db, definitions.up);
}

/** The versions of the search texts are lost. They are all written again when the migration runs again. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  await db.raw('drop table lead_search_builds');
  await db.raw('alter table lead_search drop column version');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `CREATE OR REPLACE FUNCTION update_lead_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      -- The workers write the search text again. Until then the former one is found.
      update lead_search set
        email = changed.email, tags = changed.tags, clock_start = changed.clock_start,
        version = case when changed.is_rewritten then 0 else version end
      from (
        select id, lower(added.email) as email,
               lead_tags(kind, status, owner_id, spam_sign, answered_at, answered_before, created_at) as tags,
               case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then coalesce(clock_started_at, created_at) end as clock_start,
               is_rewritten
        from (
          select added.*, (added.email, added.answers) is distinct from (removed.email, removed.answers) as is_rewritten
          from added join removed on removed.id = added.id
        ) as added
      ) as changed
      where lead_id = changed.id and (
        changed.is_rewritten
        or (lead_search.tags, lead_search.clock_start) is distinct from (changed.tags, changed.clock_start)
      );
      return null;
    end
    $function$
`,
  ],
  down: [
    `CREATE OR REPLACE FUNCTION update_lead_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      -- The workers write the search text again.
      delete from lead_search where lead_id in (
        select added.id from added join removed on removed.id = added.id
        where (added.email, added.answers) is distinct from (removed.email, removed.answers)
      );
      update lead_search set tags = changed.tags, clock_start = changed.clock_start
      from (
        select id,
               lead_tags(kind, status, owner_id, spam_sign, answered_at, answered_before, created_at) as tags,
               case when 
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before) then coalesce(clock_started_at, created_at) end as clock_start
        from added
      ) as changed
      where lead_id = changed.id
        and (lead_search.tags, lead_search.clock_start) is distinct from (changed.tags, changed.clock_start);
      return null;
    end
    $function$
`,
  ],
};

import type { Knex } from 'knex';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';

/** The leads that need an answer, see `needsAnswer` in db/src/lead-expressions/clock.ts. */
const needsAnswer = `
  kind in ('contact', 'service_inquiry') and spam_sign is null and answered_at is null
  and (answered_before is null or created_at >= answered_before)`;

/** The lists by status; storing a lead writes none of it. */
const byStatus: LargeIndex = {
  name: 'leads_by_status_newest_first',
  table: 'leads',
  isUnique: false,
  columns: `(kind, (coalesce(status, 'new')), created_at desc, id desc) where coalesce(status, 'new') <> 'new'`,
};

/** The lists of leads that are held as spam. */
const held: LargeIndex = {
  name: 'leads_held_newest_first',
  table: 'leads',
  isUnique: false,
  columns: `(created_at desc, id desc) where spam_sign is not null`,
};

export const largeIndexes: readonly LargeIndex[] = [byStatus, held];

/** On a column of the migration before, which the previous release does not have. */
export const lateIndexes: readonly LargeIndex[] = [
  {
    name: 'leads_of_owner_newest_first',
    table: 'leads',
    isUnique: false,
    columns: `(owner_id, kind, (coalesce(status, 'new')), created_at desc, id desc) where owner_id is not null`,
  },
];

/**
 * Adds the search texts of leads (docs/PRODUCT.md, "Search"; ADR 0018). The workers fill the table afterwards, so that
 * neither the migration nor the intake takes longer. A trigger keeps what staff filter by up to date.
 *
 * - `email`: the address in lower case
 * - `tags`: the kind, the status, the owner, the spam mark and the answer of the lead, as `lead_tags` writes them
 * - `clock_start`: the start of the clock of a lead that needs an answer; null for the others
 * - `words`: the search text in its ASCII form
 * - `exact_words`: the search text if it differs from that
 */
export async function up(db: Knex): Promise<void> {
  for (const index of largeIndexes) await db.raw(createIndex(index));
  // A trusted extension, which the owner of a database can create.
  await db.raw(`create extension if not exists pg_trgm`);
  await db.raw(`
    create table lead_search (
      lead_id uuid primary key references leads on delete cascade,
      created_at timestamptz(3) not null,
      email text not null,
      tags text[] not null,
      clock_start timestamptz(3),
      words text not null,
      exact_words text
    )
  `);
  await db.raw(`create index lead_search_newest_first on lead_search (created_at desc, lead_id desc)`);
  await db.raw(`
    create index lead_search_due_first on lead_search (clock_start, lead_id) where clock_start is not null
  `);
  await db.raw(`create index lead_search_of_address on lead_search (email, created_at desc, lead_id desc)`);
  await db.raw(`create index lead_search_of_status on lead_search ((tags[2]), created_at desc, lead_id desc)`);
  await db.raw(`
    create index lead_search_of_owner on lead_search ((tags[3]), created_at desc, lead_id desc)
    where tags[3] <> 'owner:none'
  `);
  await db.raw(`
    create index lead_search_open on lead_search (created_at desc, lead_id desc) where clock_start is not null
  `);
  await db.raw(`create index lead_search_words on lead_search using gin (words gin_trgm_ops, tags)`);
  await db.raw(`
    create function lead_tags(
      kind text, status text, owner_id uuid, spam_sign text, answered_at timestamptz, answered_before timestamptz,
      created_at timestamptz
    ) returns text[] language sql immutable parallel safe return array[
      'kind:' || kind,
      'status:' || coalesce(status, 'new'),
      'owner:' || coalesce(owner_id::text, 'none'),
      case when spam_sign is null then 'not spam' else 'spam' end,
      case
        when kind not in ('contact', 'service_inquiry') or spam_sign is not null then 'response:none'
        when ${needsAnswer} then 'response:open'
        else 'response:answered'
      end
    ]
  `);
  await db.raw(`
    create function update_lead_search() returns trigger language plpgsql as $$
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
               case when ${needsAnswer} then coalesce(clock_started_at, created_at) end as clock_start
        from added
      ) as changed
      where lead_id = changed.id
        and (lead_search.tags, lead_search.clock_start) is distinct from (changed.tags, changed.clock_start);
      return null;
    end
    $$
  `);
  await db.raw(`
    create trigger leads_search_changed after update on leads
      referencing old table as removed new table as added for each statement execute function update_lead_search()
  `);
}

/** The extension stays, because it may have another owner. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`drop trigger leads_search_changed on leads`);
  await db.raw(`drop function update_lead_search()`);
  await db.raw(`drop table lead_search`);
  for (const { name } of [...largeIndexes, ...lateIndexes]) await db.raw(`drop index if exists ${name}`);
  await db.raw(`drop function lead_tags`);
}

import type { Knex } from 'knex';

/**
 * Adds the views of the leads page that accounts save (docs/PRODUCT.md, "Saved views").
 *
 * - `search`: the query string of the page
 * - `position`: the place in the account's order; two views can have the same
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table lead_views (
      id uuid primary key,
      staff_id uuid not null references staff on delete cascade,
      name text not null,
      search text not null,
      position integer not null,

      constraint lead_views_name_length check (char_length(name) between 1 and 60),
      constraint lead_views_search_length check (char_length(search) <= 2048)
    )
  `);
  await db.raw(`create unique index lead_views_one_per_name on lead_views (staff_id, lower(name))`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table lead_views`);
}

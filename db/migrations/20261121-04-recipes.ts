import type { Knex } from 'knex';

/** The staff's how-to entries (docs/PRODUCT.md, "Recipe form"). */
export async function up(db: Knex): Promise<void> {
  // The statement must not contain a question mark: Knex would treat it as a binding.
  await db.raw(`
    create table recipes (
      id uuid primary key default gen_random_uuid(),
      title text not null,
      description text not null,
      instructions text not null,
      category text not null,
      difficulty text not null default 'medium',
      tags text[] not null default '{}',
      tools text[] not null default '{}',
      notion_page_url text,
      estimated_time text,
      is_public boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      version integer not null default 1,

      constraint recipes_title_length check (char_length(title) between 1 and 100),
      constraint recipes_description_length check (char_length(description) between 1 and 5000),
      constraint recipes_instructions_length check (char_length(instructions) between 1 and 50000),
      constraint recipes_category_known
        check (category in ('development', 'design', 'marketing', 'process', 'client-management')),
      constraint recipes_difficulty_known check (difficulty in ('easy', 'medium', 'hard', 'expert')),
      constraint recipes_notion_page_url_is_web
        check (char_length(notion_page_url) <= 2048 and notion_page_url ~* '^(http|https)://'),
      constraint recipes_estimated_time_length check (char_length(estimated_time) between 1 and 100),
      constraint recipes_version_counts check (version >= 1)
    )
  `);
  await db.raw(`create index recipes_newest_first on recipes (created_at desc, id desc)`);
  await db.raw(`create index recipes_latest_changes on recipes (updated_at desc) where version > 1`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table recipes`);
}

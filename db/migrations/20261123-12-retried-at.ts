import type { Knex } from 'knex';

/** The time of the last retry by staff: a retried follow-up counts as untried from then on, whatever its age. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table follow_ups add column retried_at timestamptz`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table follow_ups drop column retried_at`);
}

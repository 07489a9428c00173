import type { Knex } from 'knex';

/** Since when one counts as untried that staff retry, which its age does not say; each try writes `updated_at`. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table follow_ups add column retried_at timestamptz`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table follow_ups drop column retried_at`);
}

import type { Knex } from 'knex';

/**
 * A Message-ID names its row, so the primary key keeps it from being given twice, at the price of no index of its own
 * for each lead that comes in.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table follow_ups
      add constraint follow_ups_message_id_names_its_row check (message_id like '<' || id || '@%'),
      drop constraint follow_ups_message_id_unique
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table follow_ups
      add constraint follow_ups_message_id_unique unique (message_id),
      drop constraint follow_ups_message_id_names_its_row
  `);
}

import type { Knex } from 'knex';

/**
 * A Message-ID contains the id of its row. The primary key therefore makes it unique without a second index.
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

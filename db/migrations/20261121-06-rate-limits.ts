import type { Knex } from 'knex';

/** Counters of the rate limits. `expire` is in milliseconds since 1970. */
export async function up(db: Knex): Promise<void> {
  // Unlogged, since a crash of the server may lose counters. Free space in each page allows heap-only updates.
  await db.raw(`
    create unlogged table rate_limits (
      key text primary key,
      points integer not null,
      expire bigint not null
    ) with (fillfactor = 50)
  `);
  await db.raw(`create index rate_limits_by_expiry on rate_limits (expire)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table rate_limits`);
}

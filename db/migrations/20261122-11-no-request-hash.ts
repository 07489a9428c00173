import type { Knex } from 'knex';

/**
 * Whether a request is the one that a key belongs to is told by its lead, so no hash of it is written. The column stays
 * for processes of the release before, which write it until the rolling upgrade is over.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table leads drop constraint leads_key_and_hash_together`);
}

/** Leads of this release get a hash that no request has: whether one is the same is not known any more. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`update leads set request_hash = '' where idempotency_key is not null and request_hash is null`);
  await db.raw(`
    alter table leads
      add constraint leads_key_and_hash_together check ((idempotency_key is null) = (request_hash is null))
  `);
}

import type { Knex } from 'knex';

/**
 * A repeated request is compared with the stored lead, so its hash is not stored. The column stays, because processes
 * of the previous release write it during a rolling upgrade.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table leads drop constraint leads_key_and_hash_together`);
}

/** Gives leads without a hash one that matches no request, because the original hash is unknown. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`update leads set request_hash = '' where idempotency_key is not null and request_hash is null`);
  await db.raw(`
    alter table leads
      add constraint leads_key_and_hash_together check ((idempotency_key is null) = (request_hash is null))
  `);
}

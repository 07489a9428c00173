import type { Knex } from 'knex';

/**
 * Adds the bulk changes that had an Idempotency-Key, so that a key is not used for two of them (docs/PRODUCT.md, "Work on
 * leads").
 *
 * - `id`: derived from the key
 * - `content`: the hash of the body
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table bulk_requests (
      staff_id uuid not null references staff on delete cascade,
      id uuid not null,
      content text not null,
      created_at timestamptz(3) not null default now(),

      primary key (staff_id, id)
    )
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table bulk_requests`);
}

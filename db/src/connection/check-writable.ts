import type { Knex } from 'knex';

/** Fails if the database is read-only. */
export const requireWritable = `do $$ begin
    if current_setting('transaction_read_only')::boolean then raise read_only_sql_transaction; end if;
  end $$`;

/**
 * Checks that the database accepts writes. The server itself raises the error, so that the pool closes the connection:
 * it could stay read-only after a failover.
 * @throws {DatabaseUnavailableError} if the database is unavailable or read-only
 */
export async function checkWritable(db: Knex): Promise<void> {
  await db.raw(requireWritable);
}

import type { Knex } from 'knex';

/**
 * Checks that the database accepts writes. The server itself raises the error, so that the pool closes the connection:
 * it could stay read-only after a failover.
 * @throws {DatabaseUnavailableError} if the database is unavailable or read-only
 */
export async function checkWritable(db: Knex): Promise<void> {
  await db.raw(`do $$ begin
    if current_setting('transaction_read_only')::boolean then raise read_only_sql_transaction; end if;
  end $$`);
}

import type { Knex } from 'knex';
import { reachDatabase } from './unavailable.ts';

/**
 * Asks whether the database can be written to. The server itself refuses when it cannot, so that the pool drops the
 * connection: it would go on to read only after the others write again.
 * @throws {DatabaseUnavailableError} also when it only reads, as one does that another server takes over from
 */
export async function checkWritable(db: Knex): Promise<void> {
  await reachDatabase(
    db.raw(`do $$ begin
      if current_setting('transaction_read_only')::boolean then raise read_only_sql_transaction; end if;
    end $$`),
  );
}

import type { Knex } from 'knex';

/**
 * Returns the size of the database on disk, in bytes. The server looks up the size of each file, which takes a few
 * milliseconds for any number of rows.
 * @throws {DatabaseUnavailableError}
 */
export async function databaseSize(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: { bytes: string }[] }>('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]?.bytes);
}

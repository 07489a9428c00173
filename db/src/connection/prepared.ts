import type { Knex } from 'knex';
import type pg from 'pg';
import { afterFailure } from './failed-statements.ts';
import { acquireConnection, releaseConnection } from './knex-internals.ts';

/**
 * Runs a prepared statement on a connection of the pool, or of an open transaction. It bypasses Knex's query builder,
 * which would process the text for each call and emit unused events.
 * @param db - a pool or an open transaction; after its end the connection of a transaction may be in use elsewhere
 * @param name - each connection prepares the statement once under this name
 * @param text - with parameters as `$1`, `$2`
 * @throws the same errors as a statement of Knex, see `connectDatabase`
 */
export async function runPrepared<Row>(
  db: Knex,
  { name, text }: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  const connection = await acquireConnection(db);
  try {
    const { rows } = await connection.query<Row & pg.QueryResultRow>({ name, text, values: [...values] });
    return rows;
  } catch (error) {
    throw afterFailure(connection, error);
  } finally {
    await releaseConnection(db, connection);
  }
}

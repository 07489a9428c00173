import type { Knex } from 'knex';
import { acquireConnection, releaseConnection } from './knex-internals.ts';

/**
 * Runs a prepared statement on a connection of the pool, or of an open transaction. It bypasses Knex's query builder,
 * which would process the text for each call and emit unused events.
 * @param db - a pool or an open transaction; after its end the connection of a transaction may be in use elsewhere
 * @param name - each connection prepares the statement once under this name
 * @param text - with parameters as `$1`, `$2`
 * @throws the error of the pool or the driver
 */
export async function runPrepared<Row>(
  db: Knex,
  { name, text }: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  const connection = await acquireConnection(db);
  try {
    return await new Promise((resolve, reject) => {
      // With a callback, because `connectDatabase` marks the errors of such queries only.
      connection.query({ name, text, values: [...values] }, (error, result) => {
        if (error) reject(error);
        else resolve(result.rows as Row[]);
      });
    });
  } finally {
    await releaseConnection(db, connection);
  }
}

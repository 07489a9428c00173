import type { Knex } from 'knex';
import { acquireConnection, releaseConnection } from './knex-internals.ts';

/**
 * Runs a prepared statement on a connection of the pool, or of an open transaction. It bypasses Knex's query builder, which
 * would process the text for each call and emit events that nobody hears.
 * @param db - a pool or an open transaction; never a finished one, whose connection may belong to someone else by then
 * @param name - under which each connection prepares it once
 * @param text - with `$1` and so on
 * @throws what the pool and the driver throw
 */
export async function runPrepared<Row>(
  db: Knex,
  { name, text }: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  const connection = await acquireConnection(db);
  try {
    return await new Promise((resolve, reject) => {
      // With a callback, since `connectDatabase` marks the faults of such queries only.
      connection.query({ name, text, values: [...values] }, (error, result) => {
        if (error) reject(error);
        else resolve(result.rows as Row[]);
      });
    });
  } finally {
    await releaseConnection(db, connection);
  }
}

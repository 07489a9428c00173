import type pg from 'pg';

/*
 * Every undocumented part of pg that this product uses. `test/pg-internals.test.ts` fails if pg changes any of them.
 */

/** Closes a connection immediately. A query in progress fails. */
export function destroySocket(client: pg.Client): void {
  client.connection.stream.destroy();
}

import type pg from 'pg';

/*
 * Everything that the product uses of pg without pg documenting it. `test/pg-internals.test.ts` fails when pg changes
 * any of it.
 */

/** Closes a connection immediately, whatever it is doing. A query in progress fails. */
export function destroySocket(client: pg.Client): void {
  client.connection.stream.destroy();
}

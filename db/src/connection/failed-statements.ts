import pg from 'pg';
import { disposeConnection } from './knex-internals.ts';
import { destroySocket } from './pg-internals.ts';
import { asUnavailable, hasForeignStatements } from './unavailable.ts';

/** The open connections of the pool of each connection. */
const openBeside = new WeakMap<pg.Client, ReadonlySet<pg.Client>>();

/** Returns a function that a pool calls for each new connection. */
export function watchConnections(): (client: pg.Client, done: (error: null, client: pg.Client) => void) => void {
  const open = new Set<pg.Client>();
  return (client, done) => {
    open.add(client);
    openBeside.set(client, open);
    client.once('end', () => open.delete(client));
    done(null, client);
  };
}

/**
 * Converts the error of a statement, and disposes of connections that would fail the next one: a connection whose
 * statement timed out in the driver and may still be running on the server, and one that the server is about to close. If
 * a connection turns out to be read-only, all open ones are disposed of, because they lead to the same server.
 * @returns the error that the caller gets, see `asUnavailable`
 */
export function afterFailure(client: pg.Client, error: unknown): unknown {
  if (!leavesConnectionUsable(error)) {
    const unusable = saysReadOnly(error) ? openBeside.get(client) : undefined;
    for (const each of unusable ?? [client]) disposeConnection(each, error);
    // After an error that the server returned, the current transaction can still be rolled back.
    if (!(error instanceof pg.DatabaseError)) destroySocket(client);
  }
  return asUnavailable(error);
}

/** PostgreSQL, appendix A: read_only_sql_transaction. */
function saysReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/**
 * Returns whether the connection can be used after this error. It can if the server returned the error, except in these
 * SQLSTATE classes (PostgreSQL, appendix A), where another connection may succeed: 08, the connection is broken; 25, it
 * is read-only, for example because it was opened during a failover; 57P, the server is closing it. It also cannot if its
 * prepared statements are those of others.
 */
function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(?:08|25|57P)/.test(error.code ?? '') && !hasForeignStatements(error);
}

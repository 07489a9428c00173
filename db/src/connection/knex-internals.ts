import type { Knex } from 'knex';
import type pg from 'pg';

/*
 * Every undocumented part of Knex that this product uses. `test/knex-internals.test.ts` fails if Knex changes any of
 * them.
 */

/** Counts of a connection pool. */
interface ConnectionPool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

interface KnexClient {
  readonly pool: ConnectionPool;
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
}

const clientOf = (db: Knex): KnexClient => db.client as KnexClient;

/**
 * Returns the connection pool of Knex.
 * @param db - a pool, not a transaction
 */
export function poolOf(db: Knex): ConnectionPool {
  return clientOf(db).pool;
}

/**
 * Acquires a connection. Pass it to `releaseConnection` after use.
 * @param db - a pool, or a transaction that has not ended
 * @returns a connection of the pool, or the one that the transaction holds
 * @throws the error of the pool or the driver if no connection is available
 */
export function acquireConnection(db: Knex): Promise<pg.Client> {
  return clientOf(db).acquireConnection();
}

/** Returns a connection to the pool. On a transaction it does nothing: the transaction keeps its connection. */
export async function releaseConnection(db: Knex, connection: pg.Client): Promise<void> {
  await clientOf(db).releaseConnection(connection);
}

/** Passes each acquisition from a pool through a function, including the acquisitions of Knex itself. */
export function wrapAcquisitions(db: Knex, wrap: (acquisition: Promise<pg.Client>) => Promise<pg.Client>): void {
  const client = clientOf(db);
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = () => wrap(acquire());
}

/** Marks a connection as unusable. The pool closes it instead of reusing it. */
export function disposeConnection(connection: pg.Client, reason: unknown): void {
  Object.assign(connection, { __knex__disposed: reason });
}

type QueryCallback = (error: unknown, result: unknown) => void;
type Query = (config: pg.QueryConfig, callback?: QueryCallback) => unknown;

/**
 * Replaces the error of each query that Knex sends on a connection. Knex always passes a callback to the driver. A
 * query without one, such as a COPY, does not come from Knex and keeps its error.
 * @param map - returns the error that the caller gets
 */
export function mapQueryErrors(connection: pg.Client, map: (error: unknown) => unknown): void {
  const query = connection.query.bind(connection) as Query;
  const mapped: Query = (config, callback) =>
    callback ? query(config, (error, result) => callback(error && map(error), result)) : query(config);
  Object.assign(connection, { query: mapped });
}

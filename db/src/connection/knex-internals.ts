import { createRequire } from 'node:module';
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

/** Marks a connection as unusable. The pool closes it instead of reusing it. */
export function disposeConnection(connection: pg.Client, reason: unknown): void {
  Object.assign(connection, { __knex__disposed: reason });
}

const PostgresClient = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js') as typeof Knex.Client;

/**
 * Returns a class of clients for Knex that converts errors. Knex also uses its prototype for the clients of transactions,
 * which do not get its fields.
 * @param convert - returns the error that the caller gets; without a connection, none was available
 * @param admit - throws if no connection may be used for now
 */
export function clientConverting(
  convert: (error: unknown, connection: pg.Client | undefined) => unknown,
  admit?: () => void,
): typeof Knex.Client {
  return class extends PostgresClient {
    override async acquireConnection(): Promise<pg.Client> {
      admit?.();
      try {
        return (await super.acquireConnection()) as pg.Client;
      } catch (error) {
        throw convert(error, undefined);
      }
    }

    override async query(connection: pg.Client, statement: unknown): Promise<unknown> {
      try {
        return (await super.query(connection, statement)) as unknown;
      } catch (error) {
        throw convert(error, connection);
      }
    }
  };
}

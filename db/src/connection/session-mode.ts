import type { Knex } from 'knex';
import type pg from 'pg';
import { afterFailure } from './failed-statements.ts';
import { acquireConnection, releaseConnection } from './knex-internals.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/** Thrown if a pooler gives the transactions of one connection to different connections of the server. */
export class TransactionPoolingError extends DatabaseUnavailableError {
  override readonly name = 'TransactionPoolingError';

  constructor() {
    super(undefined, 'PgBouncer must be in session mode.');
  }
}

/** The checks that are running. Two of them together could take all connections of a small pool and wait for more. */
const running = new WeakMap<Knex, Promise<void>>();

/**
 * Checks that each connection of the pool stays on its connection of the server. Behind PgBouncer in transaction mode it
 * does not, and then prepared statements, advisory locks and settings of a session are those of others.
 * @param db - a pool of at least two connections
 * @throws {TransactionPoolingError} behind such a pooler
 * @throws {DatabaseUnavailableError}
 */
export function checkSessionMode(db: Knex): Promise<void> {
  const check = running.get(db) ?? checkOnce(db).finally(() => running.delete(db));
  running.set(db, check);
  return check;
}

async function checkOnce(db: Knex): Promise<void> {
  const first = await acquireConnection(db);
  try {
    // A pooler that takes turns gives the second transaction another connection.
    const backends = [await backendOf(first), await backendOf(first)];
    await db.transaction(async (second) => {
      // Any other pooler gives this transaction the connection of the server that was just returned.
      await second.raw('select');
      backends.push(await backendOf(first));
    });
    if (new Set(backends).size > 1) throw new TransactionPoolingError();
  } finally {
    await releaseConnection(db, first);
  }
}

/** Returns the process of the server that runs a transaction of a connection. */
async function backendOf(client: pg.Client): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid;
  } catch (error) {
    throw afterFailure(client, error);
  }
}

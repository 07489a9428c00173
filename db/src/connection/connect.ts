import knex, { type Knex } from 'knex';
import pg from 'pg';
import { disposeConnection, mapQueryErrors, wrapAcquisitions } from './knex-internals.ts';
import { destroySocket } from './pg-internals.ts';
import { markConnectionFault, markingFaults } from './unavailable.ts';

export interface DatabaseOptions {
  /** A PostgreSQL connection string. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /**
   * The largest number of connections of this pool. The queue and the rate limits open others
   * (docs/SCALING.md, "What limits first").
   */
  readonly poolSize: number;
  /** `servingLimits` by default. */
  readonly timeLimits?: TimeLimits;
  /** Whether changes of leads write webhooks; not by default. The triggers of db/sql/webhooks.ts read it. */
  readonly writesWebhooks?: boolean;
}

/** Time limits of a pool, in milliseconds. */
export interface TimeLimits {
  readonly connect: number;
  /** The limit in the driver. It closes the connection, and also works when the server is stopped. */
  readonly query: number;
  readonly statement: number;
  readonly lock: number;
}

/** Time limits that let the API respond within 5 s (docs/PRODUCT.md, "Time limits"). */
export const servingLimits: TimeLimits = { connect: 4_000, query: 4_000, statement: 3_750, lock: 3_000 };

/** Creates a pool with time limits. It connects at the first query. */
export function connectDatabase({
  url,
  applicationName,
  poolSize,
  timeLimits = servingLimits,
  writesWebhooks = false,
}: DatabaseOptions): Knex {
  const connection: PgConnection = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: timeLimits.connect,
    statement_timeout: timeLimits.statement,
    options: `-c lock_timeout=${timeLimits.lock}${writesWebhooks ? ' -c app.webhooks=on' : ''}`,
    query_timeout: timeLimits.query,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
  };
  return openPool(connection, { min: 0, max: poolSize, idleTimeoutMillis: 30_000 });
}

type PgConnection = Knex.PgConnectionConfig & { readonly connectionTimeoutMillis: number };

const maintenanceTimeoutMs = 60 * 60_000;
/** Longer than for visitors, who wait for a response: on a busy machine, a connection can take seconds. */
const maintenanceConnectTimeoutMs = 20_000;
/** The lock timeout of `connectForMaintenance`. */
export const maintenanceLockTimeoutMs = 10_000;

/**
 * Creates a small pool for long work such as migrations and backups. Its lock timeout is short all the same, because
 * visitors' statements queue behind a statement that waits for a lock. A migration always blocks them, so it waits for
 * less time and tries again (`LockPatience`). It has no `query_timeout`: after a COPY its timer would keep running
 * and keep the process alive.
 */
export function connectForMaintenance({
  url,
  applicationName,
}: Pick<DatabaseOptions, 'url' | 'applicationName'>): Knex {
  const connection: PgConnection = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: maintenanceConnectTimeoutMs,
    statement_timeout: maintenanceTimeoutMs,
    options: `-c lock_timeout=${maintenanceLockTimeoutMs}`,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  };
  return openPool(connection, { min: 0, max: 2 });
}

/** Creates a pool that marks connection faults, so that `reachDatabase` recognises them. */
function openPool(connection: PgConnection, limits: Knex.PoolConfig): Knex {
  const database = knex({
    client: 'pg',
    connection,
    pool: { ...limits, afterCreate: guardConnections() },
    acquireConnectionTimeout: connection.connectionTimeoutMillis,
    // Knex would also print each error to the console, although the caller gets it.
    log: { warn: () => undefined },
  });
  wrapAcquisitions(database, markingFaults);
  return database;
}

/**
 * Marks connection faults, and disposes of connections that would fail the next query: a connection whose query timed
 * out in the driver and may still be running on the server, and one that the server is about to close. If a connection
 * turns out to be read-only, all open ones are disposed of, because they lead to the same server.
 */
function guardConnections(): (client: pg.Client, done: (error: null, client: pg.Client) => void) => void {
  const open = new Set<pg.Client>();
  return (client, done) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    mapQueryErrors(client, (error) => {
      if (!leavesConnectionUsable(error)) {
        for (const each of saysReadOnly(error) ? open : [client]) disposeConnection(each, error);
        // After an error that the server returned, the current transaction can still be rolled back.
        if (!(error instanceof pg.DatabaseError)) destroySocket(client);
      }
      return markConnectionFault(error);
    });
    done(null, client);
  };
}

/** PostgreSQL, appendix A: read_only_sql_transaction. */
function saysReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/**
 * Returns whether the connection can be used after this error. It can if the server returned the error, except in these
 * SQLSTATE classes (PostgreSQL, appendix A), where another connection may succeed: 08, the connection is broken; 25, it
 * is read-only, for example because it was opened during a failover; 57P, the server is closing it.
 */
function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(?:08|25|57P)/.test(error.code ?? '');
}

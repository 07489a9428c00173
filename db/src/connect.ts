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
  /** Connections of this pool at most. The queue and the rate limits open others (docs/SCALING.md, "What limits first"). */
  readonly poolSize: number;
}

/**
 * All leave room to answer within the 5 s of reliability, "Settings" and "Faults to survive". The driver's own limit
 * comes last: it gives the connection up, and helps when the server is stopped.
 */
const connectTimeoutMs = 4_000;
const queryTimeoutMs = 4_000;
const statementTimeoutMs = 3_750;
const lockTimeoutMs = 3_000;

/**
 * Opens a pool with the time limits of reliability, "Settings". Nothing is connected until the first query.
 */
export function connectDatabase({ url, applicationName, poolSize }: DatabaseOptions): Knex {
  const connection: Knex.PgConnectionConfig & { readonly connectionTimeoutMillis: number } = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    options: `-c lock_timeout=${lockTimeoutMs}`,
    query_timeout: queryTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
  };
  return openPool(connection, { min: 0, max: poolSize, idleTimeoutMillis: 30_000 });
}

const maintenanceTimeoutMs = 60 * 60_000;
/** How long `connectForMaintenance` waits for a lock. */
export const maintenanceLockTimeoutMs = 10_000;

/**
 * Opens a small pool for work without a time limit that nobody waits for: migrations, backups. A lock is given up early
 * all the same, since visitors queue behind whoever waits for one; a migration always makes them wait, so it waits less
 * and tries again (`LockPatience`). The driver has no limit of its own here: its timer would go on after a COPY and keep
 * the process.
 */
export function connectForMaintenance({ url, applicationName }: Omit<DatabaseOptions, 'poolSize'>): Knex {
  const connection: Knex.PgConnectionConfig & { readonly connectionTimeoutMillis: number } = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: maintenanceTimeoutMs,
    options: `-c lock_timeout=${maintenanceLockTimeoutMs}`,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  };
  return openPool(connection, { min: 0, max: 2 });
}

/** A pool that marks the faults of its connections, so that `reachDatabase` knows them. */
function openPool(connection: Knex.PgConnectionConfig, limits: Knex.PoolConfig): Knex {
  const database = knex({
    client: 'pg',
    connection,
    pool: { ...limits, afterCreate: guardConnections() },
    acquireConnectionTimeout: connectTimeoutMs,
    // Every failure reaches the caller as an error; Knex would write it to the console as well.
    log: { warn: () => undefined },
  });
  wrapAcquisitions(database, markingFaults);
  return database;
}

/**
 * Marks connection faults, and takes out of the pool what would fail the next query: a connection whose server still works
 * on a query that the driver gave up, one that the server is about to close, and, when one turns out to be read-only, all
 * that are open, since they lead to the same server.
 */
function guardConnections(): (client: pg.Client, done: (error: null, client: pg.Client) => void) => void {
  const open = new Set<pg.Client>();
  return (client, done) => {
    open.add(client);
    client.once('end', () => open.delete(client));
    mapQueryErrors(client, (error) => {
      if (!leavesConnectionUsable(error)) {
        for (const each of saysReadOnly(error) ? open : [client]) disposeConnection(each, error);
        // After an answer of the server the transaction under way can still be ended.
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
 * Whether the connection can be used after this error. After an answer of the server it can, except when another
 * connection may be answered otherwise (PostgreSQL, appendix A): a broken one (class 08), one that can only read, since it
 * was opened while another server took over (class 25), one that the server ends (57P).
 */
function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(?:08|25|57P)/.test(error.code ?? '');
}

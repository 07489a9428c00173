import knex, { type Knex } from 'knex';
import pg from 'pg';
import { requireWritable } from './check-writable.ts';
import { afterFailure, watchConnections } from './failed-statements.ts';
import { clientConverting } from './knex-internals.ts';
import { asUnavailable, DatabaseUnavailableError, mayBeOutage } from './unavailable.ts';

/** The availability of the server, as far as the process knows it (platform/src/outage.ts). */
export interface DatabaseOutage {
  readonly isOut: boolean;
  readonly error: unknown;
  failed(error: unknown): void;
}

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
  /** Learns of failures that may be an outage of the server. */
  readonly outage?: DatabaseOutage | undefined;
  /**
   * Whether statements fail immediately while the outage lasts; otherwise each of them tries the server. For processes
   * without callers that wait.
   */
  readonly failsFast?: boolean;
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
  outage,
  failsFast = false,
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
  const client = outage ? watchedClient(outage, failsFast) : DatabaseClient;
  return openPool(connection, { min: 0, max: poolSize, idleTimeoutMillis: 30_000 }, client);
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

const DatabaseClient = clientConverting((error, connection) =>
  connection ? afterFailure(connection, error) : asUnavailable(error),
);

/** Returns a class of clients that report failures of connections. */
function watchedClient(outage: DatabaseOutage, failsFast: boolean): typeof Knex.Client {
  return clientConverting(
    (error, connection) => {
      const converted = connection ? afterFailure(connection, error) : asUnavailable(error);
      if (converted instanceof DatabaseUnavailableError && (!connection || mayBeOutage(error)))
        outage.failed(converted);
      return converted;
    },
    () => {
      if (failsFast && outage.isOut) throw stillUnavailable(outage);
    },
  );
}

function stillUnavailable({ error }: DatabaseOutage): DatabaseUnavailableError {
  return new DatabaseUnavailableError(error instanceof DatabaseUnavailableError ? error.cause : error);
}

/**
 * Connects, checks that the server accepts writes, and disconnects.
 * @throws {DatabaseUnavailableError}
 */
export async function probeDatabase(url: string, applicationName: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: servingLimits.connect,
    statement_timeout: servingLimits.statement,
    query_timeout: servingLimits.query,
  });
  // Without a listener, a broken connection would end the process. The running statement still fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(requireWritable);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    // Not awaited: a server that does not respond would not end it either.
    client.end().catch(() => undefined);
  }
}

/**
 * Creates a pool whose statements throw a DatabaseUnavailableError if a later attempt may succeed, and the error of the
 * server or of our code otherwise.
 */
function openPool(connection: PgConnection, limits: Knex.PoolConfig, client = DatabaseClient): Knex {
  return knex({
    client,
    connection,
    pool: { ...limits, afterCreate: watchConnections() },
    acquireConnectionTimeout: connection.connectionTimeoutMillis,
    // Knex would also print each error to the console, although the caller gets it.
    log: { warn: () => undefined },
  });
}

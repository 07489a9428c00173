import pg from 'pg';

/** The table that rate-limiter-flexible keeps its counts in; a migration makes it. */
export const rateLimitTable = 'rate_limits';

/** Few, since a count is one short statement: a limit never takes a connection away from the intake of leads. */
const connections = 2;
const connectTimeoutMs = 2_000;

/** Rows that are cleared away by one statement, so that it stays within its time limit. */
const clearedAtOnce = 1000;

export interface RateLimitDatabase {
  /** Runs a statement of rate-limiter-flexible, which writes its own. */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Deletes the counts whose time is over. */
  clearExpired(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens connections of the limits' own. Nothing is connected until the first statement.
 * @param timeLimitMs - of a statement; the connection is given up with it
 */
export function openRateLimitDatabase(url: string, timeLimitMs: number): RateLimitDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'rate-limits',
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: timeLimitMs,
    // The server's limit does not help when the server is stopped: this one is the driver's own.
    query_timeout: timeLimitMs + 1_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // Of a connection that nobody uses: the pool has dropped it, and the next statement says if the server is away.
  pool.on('error', () => undefined);
  return {
    query: (statement) => pool.query(statement),
    async clearExpired() {
      let cleared: number | null;
      do {
        ({ rowCount: cleared } = await pool.query(
          `delete from ${rateLimitTable} where key in (
             select key from ${rateLimitTable} where expire <= $1 order by expire limit ${clearedAtOnce}
             for update skip locked
           )`,
          [Date.now()],
        ));
      } while (cleared === clearedAtOnce);
    },
    close: () => pool.end(),
  };
}

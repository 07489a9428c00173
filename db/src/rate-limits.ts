import pg from 'pg';
import { markingFaults, reachDatabase } from './unavailable.ts';

/** Two are enough, because a count is one short statement. They are separate from the connections that store leads. */
const connections = 2;
const connectTimeoutMs = 2_000;

/** The number of rows that one statement deletes, so that it stays within its time limit. */
const clearedAtOnce = 1000;

/** Points that are added to a key. */
interface Points {
  readonly key: string;
  readonly points: number;
  /** The length of the window that they start. Within a window that has not ended, they count until its end. */
  readonly milliseconds: number;
}

const millisecondsOf = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`;
/** The start of the transaction by the database's clock, in milliseconds since 1970. */
const now = millisecondsOf('now()');
/** The current time. It is later than the start of any window that the statement can see, unlike `now`. */
const clock = millisecondsOf('clock_timestamp()');

/**
 * Returns the part of a statement that adds points, as rate-limiter-flexible does in the same table. It returns the points
 * of each key and the rest of its window: at least 1 ms, because many limiters treat 0 as "without end".
 * @param added - the name of a parameter with `Points` as JSON, each key once, in the order of `sumsByKey`
 */
export const countingPoints = (added: string): string => `
  insert into rate_limits as kept (key, points, expire)
  select key, points, ${now} + milliseconds
  from json_to_recordset(${added}::json) as added (key text, points integer, milliseconds bigint)
  on conflict (key) do update set
    points = case when kept.expire <= ${now} then excluded.points else kept.points + excluded.points end,
    expire = case when kept.expire <= ${now} then excluded.expire else kept.expire end
  returning key, points, greatest(expire - ${clock}, 1)::integer as milliseconds`;

/** Sums points by key. The keys are sorted, so that the statements of two processes cannot deadlock. */
export function sumsByKey(added: readonly Points[]): Points[] {
  const sums = new Map<string, Points>();
  for (const one of added) sums.set(one.key, { ...one, points: one.points + (sums.get(one.key)?.points ?? 0) });
  return [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The connections for limits that the statement of a lead does not count. */
export interface RateLimitDatabase {
  /** @throws {DatabaseUnavailableError} */
  readonly query: (statement: pg.QueryConfig) => Promise<pg.QueryResult>;
  /**
   * Deletes the rows whose window has ended, except those that other statements hold: the statement of leads locks
   * several keys, so waiting for one of them could deadlock.
   * @throws {DatabaseUnavailableError}
   */
  clearExpired(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a pool for the rate limits. It connects at the first statement.
 * @param timeLimitMs - the time limit of a statement; its connection is closed with it
 */
export function openRateLimitDatabase(url: string, timeLimitMs: number): RateLimitDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'rate-limits',
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: timeLimitMs,
    // The driver's own limit, because the limit of the server does not work when the server is stopped.
    query_timeout: timeLimitMs + 1_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection broke. The pool has removed it, and the next statement throws if the server is unavailable.
  pool.on('error', () => undefined);
  const query = (statement: pg.QueryConfig): Promise<pg.QueryResult> =>
    reachDatabase(markingFaults(pool.query(statement)));
  return {
    query,
    async clearExpired() {
      let cleared: number | null;
      do {
        ({ rowCount: cleared } = await query({
          text: `delete from rate_limits where key in (
                   select key from rate_limits where expire <= ${now} order by expire limit ${clearedAtOnce}
                   for update skip locked
                 )`,
        }));
      } while (cleared === clearedAtOnce);
    },
    close: () => pool.end(),
  };
}

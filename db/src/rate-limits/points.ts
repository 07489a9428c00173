import pg from 'pg';
import { asUnavailable } from '../connection/index.ts';

/** Two are enough, because a count is one short statement. They are separate from the connections that store leads. */
const connections = 2;

/** The number of rows that one statement deletes, so that it stays within its time limit. */
const clearedAtOnce = 1000;

/** Allows `limit` points for a key within a window, which starts with the first point. */
export interface Quota {
  readonly key: string;
  readonly limit: number;
  readonly milliseconds: number;
}

/** Points that are added to a key. */
interface Points extends Omit<Quota, 'limit'> {
  readonly points: number;
}

/** A quota that has no points left, and the rest of its window: at least 1 ms. */
export interface ExhaustedQuota {
  readonly key: string;
  readonly milliseconds: number;
}

const millisecondsOf = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`;
/**
 * The start of the transaction by the database's clock, in milliseconds since 1970. PostgreSQL evaluates a subquery once,
 * but an expression for each row.
 */
const now = `(select ${millisecondsOf('now()')})`;
/** The current time. It is later than the start of any window that the statement can see, unlike `now`. */
const clock = millisecondsOf('clock_timestamp()');

/**
 * Returns the part of a statement that adds points. It returns the points of each key and the rest of its window: at
 * least 1 ms, because many limiters treat 0 as "without end".
 * @param added - a table expression with the columns of `Points`, each key once, in the order of `byKey`
 */
const addingPoints = (added: string): string => `
  insert into rate_limits as kept (key, points, expire)
  select key, points, ${now} + milliseconds from ${added}
  on conflict (key) do update set
    points = case when kept.expire <= ${now} then excluded.points else kept.points + excluded.points end,
    expire = case when kept.expire <= ${now} then excluded.expire else kept.expire end
  returning key, points, greatest(expire - ${clock}, 1)::integer as milliseconds`;

/**
 * Returns `addingPoints` for a statement that stores leads.
 * @param added - the name of a parameter with `Points` as JSON, each key once, in the order of `sumsByKey`
 */
export const countingPoints = (added: string): string =>
  addingPoints(`json_to_recordset(${added}::json) as added (key text, points integer, milliseconds bigint)`);

/** Sorts by key, so that the statements of two processes cannot deadlock. */
const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1);

/** Sums points by key. The keys are sorted by `byKey`. */
export function sumsByKey(added: readonly Points[]): Points[] {
  const sums = new Map<string, Points>();
  for (const { key, points, milliseconds } of added) {
    sums.set(key, { key, points: points + (sums.get(key)?.points ?? 0), milliseconds });
  }
  return [...sums.values()].sort(byKey);
}

/**
 * Adds a point to each key, unless one of them has no points left. If a concurrent statement used the last point of a
 * key in the meantime, the points are added, and that key is returned with `is_counted`.
 */
const takePoints = {
  name: 'take-points',
  text: `
    with wanted as materialized (
      select key, quota, milliseconds, 1 as points
      from json_to_recordset($1::json) as wanted (key text, quota integer, milliseconds bigint)
    ), exhausted as materialized (
      select kept.key, greatest(kept.expire - ${clock}, 1)::integer as milliseconds
      from rate_limits kept join wanted using (key)
      where kept.expire > ${now} and kept.points >= wanted.quota
    ), counted as (${addingPoints('wanted where not exists (select from exhausted)')}
    )
    select key, milliseconds, false as is_counted from exhausted
    union all
    select key, counted.milliseconds, true from counted join wanted using (key) where counted.points > wanted.quota`,
};

/**
 * Returns a point to each key whose window is still open. Its last parameter lists the keys whose points are all
 * returned.
 */
const returnPoints = {
  name: 'return-points',
  text: `
    with held as materialized (
      select key from rate_limits
      where key = any ($1::text[]) and points > 0 and expire > ${now}
      order by key collate "C"
      for update
    )
    update rate_limits as kept set points = case when kept.key = any ($2::text[]) then 0 else kept.points - 1 end
    from held where held.key = kept.key`,
};

/** The connections for limits that the statement of a lead does not count. */
export interface RateLimitDatabase {
  /**
   * Takes one point of each quota, or none if one of them is exhausted.
   * @returns the exhausted quotas; empty if the points were taken
   * @throws {DatabaseUnavailableError}
   */
  takePoints(quotas: readonly Quota[]): Promise<ExhaustedQuota[]>;
  /**
   * Returns one point to each key whose window is still open.
   * @param cleared - the keys among them that get all their points back
   * @throws {DatabaseUnavailableError}
   */
  returnPoints(keys: readonly string[], cleared?: readonly string[]): Promise<void>;
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
 * @param timeLimitMs - the time limit of a statement, half of it for the connection; when it is exceeded, the connection
 *   is closed
 */
export function openRateLimitDatabase(url: string, timeLimitMs: number): RateLimitDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'rate-limits',
    max: connections,
    connectionTimeoutMillis: timeLimitMs / 2,
    // Less than the driver's limit, so that a count that is reported as failed was not made.
    statement_timeout: Math.round(timeLimitMs * 0.4),
    // The driver's own limit, because the limit of the server does not work when the server is stopped.
    query_timeout: timeLimitMs / 2,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection broke. The pool has removed it, and the next statement throws if the server is unavailable.
  pool.on('error', () => undefined);
  const query = async (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
    try {
      return await pool.query(statement);
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const returned = async (keys: readonly string[], cleared: readonly string[] = []): Promise<void> => {
    await query({ ...returnPoints, values: [keys, cleared] });
  };
  return {
    async takePoints(quotas) {
      const wanted = quotas.map(({ key, limit, milliseconds }) => ({ key, quota: limit, milliseconds })).sort(byKey);
      const { rows } = await query({ ...takePoints, values: [JSON.stringify(wanted)] });
      const exhausted = rows as (ExhaustedQuota & { readonly is_counted: boolean })[];
      if (exhausted.some(({ is_counted }) => is_counted)) await returned(quotas.map(({ key }) => key));
      return exhausted.map(({ key, milliseconds }) => ({ key, milliseconds }));
    },
    returnPoints: returned,
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

import pg from 'pg';
import { batched } from './batched.ts';
import { markingFaults, reachDatabase } from './unavailable.ts';

/** Two are enough, because a count is one short statement. They are separate from the connections that store leads. */
const connections = 2;
const connectTimeoutMs = 2_000;

/** One statement at a time, so that a connection stays free for statements that are not batched. */
const batching = { concurrency: 1, maxBatchSize: 500, slowAfterMs: 100, maxWaitMs: 1_000 };

/** The number of rows that one statement deletes, so that it stays within its time limit. */
const clearedAtOnce = 1000;

/** Points that are added to a key. */
export interface Points {
  readonly key: string;
  readonly points: number;
  /** The length of the window that they start. Within a window that has not ended, they count until its end. */
  readonly milliseconds: number;
}

/** The points of a key, and the rest of its window: at least 1 ms, because many limiters treat 0 as "without end". */
export type Counted = Pick<Points, 'points' | 'milliseconds'>;

const millisecondsOf = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`;
/** The start of the transaction by the database's clock, in milliseconds since 1970. */
const now = millisecondsOf('now()');
/** The current time. It is later than the start of any window that the statement can see, unlike `now`. */
const clock = millisecondsOf('clock_timestamp()');

/**
 * Returns the part of a statement that adds points and returns the points of each key with them.
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

export interface RateLimitDatabase {
  /**
   * Adds points to a key.
   * @returns the running total of the key, up to and including these points
   * @throws {DatabaseUnavailableError}
   */
  add(points: Points): Promise<Counted>;
  /**
   * Removes one point. After the end of the window it has no effect, because the next window starts at zero.
   * @throws {DatabaseUnavailableError}
   */
  refund(key: string): Promise<void>;
  /**
   * Removes all points of a key.
   * @throws {DatabaseUnavailableError}
   */
  reset(key: string): Promise<void>;
  /**
   * Deletes the rows whose window has ended.
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
  return {
    add: batched((added: readonly Points[]) => addTogether(pool, added), batching),
    async refund(key) {
      await reachDatabase(
        markingFaults(pool.query(`update rate_limits set points = points - 1 where key = $1 and points > 0`, [key])),
      );
    },
    async reset(key) {
      await reachDatabase(markingFaults(pool.query(`delete from rate_limits where key = $1`, [key])));
    },
    async clearExpired() {
      let cleared: number | null;
      do {
        ({ rowCount: cleared } = await reachDatabase(
          markingFaults(
            pool.query(
              `delete from rate_limits where key in (
                 select key from rate_limits where expire <= ${now} order by expire limit ${clearedAtOnce}
                 for update skip locked
               )`,
            ),
          ),
        ));
      } while (cleared === clearedAtOnce);
    },
    close: () => pool.end(),
  };
}

/** Adds points with one statement, and returns the running total of its key to each caller. */
async function addTogether(pool: pg.Pool, added: readonly Points[]): Promise<Counted[]> {
  const { rows } = await reachDatabase(
    markingFaults(
      pool.query<Points>({
        name: 'add-points',
        text: countingPoints('$1'),
        values: [JSON.stringify(sumsByKey(added))],
      }),
    ),
  );
  const left = new Map(rows.map(({ key, points, milliseconds }) => [key, { points, milliseconds }]));
  return added
    .toReversed()
    .map(({ key, points }) => {
      const after = left.get(key);
      if (!after) throw new Error('A key was counted and not returned');
      left.set(key, { ...after, points: after.points - points });
      return after;
    })
    .toReversed();
}

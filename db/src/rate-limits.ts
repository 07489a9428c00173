import pg from 'pg';
import { batched } from './batched.ts';
import { markingFaults, reachDatabase } from './unavailable.ts';

/** Few, since a count is one short statement: a limit never takes a connection away from the intake of leads. */
const connections = 2;
const connectTimeoutMs = 2_000;

/** One of its connections stays free for what is not batched. */
const batching = { concurrency: 1, maxBatchSize: 500, slowAfterMs: 100, maxWaitMs: 1_000 };

/** Rows that are cleared away by one statement, so that it stays within its time limit. */
const clearedAtOnce = 1000;

/** Points for a key. They count for so many milliseconds, or as long as earlier ones. */
export interface Points {
  readonly key: string;
  readonly points: number;
  readonly milliseconds: number;
}

/** What a key has used up, and for how long it still counts: 1 ms at least, since many limiters take 0 for "for ever". */
export type Counted = Pick<Points, 'points' | 'milliseconds'>;

const millisecondsOf = (time: string): string => `(extract(epoch from ${time}) * 1000)::bigint`;
/** When the statement began by the database's clock, in milliseconds since 1970. */
const now = millisecondsOf('now()');
/** Later than the beginning of any window that the statement can see, also of one that began after itself. */
const clock = millisecondsOf('clock_timestamp()');

/**
 * The part of a statement that counts points and returns what each key has used up with them.
 * @param added - a parameter: `Points` as JSON, no key twice, in the order of `sumsByKey`
 */
export const countingPoints = (added: string): string => `
  insert into rate_limits as kept (key, points, expire)
  select key, points, ${now} + milliseconds
  from json_to_recordset(${added}::json) as added (key text, points integer, milliseconds bigint)
  on conflict (key) do update set
    points = case when kept.expire <= ${now} then excluded.points else kept.points + excluded.points end,
    expire = case when kept.expire <= ${now} then excluded.expire else kept.expire end
  returning key, points, greatest(expire - ${clock}, 1)::integer as milliseconds`;

/** Points by key, in one order, so that the statements of two processes never wait for each other. */
export function sumsByKey(added: readonly Points[]): Points[] {
  const sums = new Map<string, Points>();
  for (const one of added) sums.set(one.key, { ...one, points: one.points + (sums.get(one.key)?.points ?? 0) });
  return [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

export interface RateLimitDatabase {
  /** @throws {DatabaseUnavailableError} */
  add(points: Points): Promise<Counted>;
  /**
   * Takes one point back. After the end of its window that changes nothing: the next one begins at nothing.
   * @throws {DatabaseUnavailableError}
   */
  refund(key: string): Promise<void>;
  /** @throws {DatabaseUnavailableError} */
  reset(key: string): Promise<void>;
  /**
   * Deletes the counts whose time is over.
   * @throws {DatabaseUnavailableError}
   */
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

/** Counts in the order of arrival: each learns how many points there were up to its own. */
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

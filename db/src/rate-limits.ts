import pg from 'pg';
import { grouped } from './grouped.ts';
import { reachDatabase } from './unavailable.ts';

/** Few, since a count is one short statement: a limit never takes a connection away from the intake of leads. */
const connections = 2;
const connectTimeoutMs = 2_000;

/** One of its connections stays free for what is not grouped. */
const grouping = { atOnce: 1, most: 500, patienceMs: 100, limitMs: 1_000 };

/** Rows that are cleared away by one statement, so that it stays within its time limit. */
const clearedAtOnce = 1000;

/** Points for a key. They count until `expire`, or as long as earlier ones; in milliseconds since 1970. */
export interface Points {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/** What a key has used up, and until when it counts. */
export type Counted = Pick<Points, 'points' | 'expire'>;

export interface RateLimitDatabase {
  /** @throws {DatabaseUnavailableError} */
  add(points: Points): Promise<Counted>;
  /** @returns whether there was such a key */
  forget(key: string): Promise<boolean>;
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
    add: grouped((added: readonly Points[]) => addTogether(pool, added), grouping),
    async forget(key) {
      const { rowCount } = await reachDatabase(pool.query(`delete from rate_limits where key = $1`, [key]));
      return rowCount === 1;
    },
    async clearExpired() {
      let cleared: number | null;
      do {
        ({ rowCount: cleared } = await pool.query(
          `delete from rate_limits where key in (
             select key from rate_limits where expire <= $1 order by expire limit ${clearedAtOnce}
             for update skip locked
           )`,
          [Date.now()],
        ));
      } while (cleared === clearedAtOnce);
    },
    close: () => pool.end(),
  };
}

/** Counts in the order of arrival: each learns how many points there were up to its own. */
async function addTogether(pool: pg.Pool, added: readonly Points[]): Promise<Counted[]> {
  const sums = new Map<string, Points>();
  for (const one of added) {
    sums.set(one.key, { ...one, points: one.points + (sums.get(one.key)?.points ?? 0) });
  }
  // In one order, so that the statements of two processes never wait for each other.
  const keys = [...sums.keys()].sort();
  const { rows } = await reachDatabase(
    pool.query<{ key: string; points: number; expire: string }>({
      name: 'add-points',
      text: `insert into rate_limits as kept (key, points, expire)
           select * from unnest($1::text[], $2::integer[], $3::bigint[])
           on conflict (key) do update set
             points = case when kept.expire <= $4 then excluded.points else kept.points + excluded.points end,
             expire = case when kept.expire <= $4 then excluded.expire else kept.expire end
           returning key, points, expire`,
      values: [keys, keys.map((key) => sums.get(key)?.points), keys.map((key) => sums.get(key)?.expire), Date.now()],
    }),
  );
  const left = new Map(rows.map(({ key, points, expire }) => [key, { points, expire: Number(expire) }]));
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

import type { Knex } from 'knex';
import { poolOf } from './knex-internals.ts';

/** The current number of connections of a pool, and of queries that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}

/** Returns how a pool is used. Sends no query. */
export function poolUse(db: Knex): PoolUse {
  const pool = poolOf(db);
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

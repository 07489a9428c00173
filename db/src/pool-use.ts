import type { Knex } from 'knex';
import { poolOf } from './knex-internals.ts';

/** The connections of a pool just now, and the queries that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}

/** Asks the pool itself; no query is sent. */
export function poolUse(db: Knex): PoolUse {
  const pool = poolOf(db);
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

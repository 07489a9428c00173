import type { Knex } from 'knex';

/** The connections of a pool just now, and the queries that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}

/** The pool as Knex keeps it, without a type of its own for it. */
interface KnexPool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Asks the pool itself; no query is sent. */
export function poolUse(db: Knex): PoolUse {
  const { pool } = db.client as { readonly pool: KnexPool };
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

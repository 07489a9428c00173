export { advisoryLocks } from './advisory-locks.ts';
export { batched, type BatchOptions } from './batched.ts';
export { checkWritable } from './check-writable.ts';
export {
  connectDatabase,
  connectForMaintenance,
  maintenanceLockTimeoutMs,
  probeDatabase,
  servingLimits,
  type DatabaseOptions,
  type TimeLimits,
} from './connect.ts';
export { databaseSize } from './database-size.ts';
export { describeOutage } from './describe-outage.ts';
export { newId } from './ids.ts';
export { acquireConnection } from './knex-internals.ts';
export { destroySocket } from './pg-internals.ts';
export { poolUse } from './pool-use.ts';
export { runPrepared } from './prepared.ts';
export { checkSessionMode, TransactionPoolingError } from './session-mode.ts';
export { selectList } from './select-list.ts';
export { asUnavailable, DatabaseUnavailableError, NotMigratedError, serverErrorOf } from './unavailable.ts';

import pg from 'pg';

/**
 * Thrown if the database does not respond or cannot run statements for now. Whether a running statement took effect is
 * unknown.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';

  constructor(cause: unknown, message = 'The database is unavailable.') {
    super(message, { cause });
  }
}

/** Thrown if the migration of this release has not run. The same statement may succeed after it. */
export class NotMigratedError extends DatabaseUnavailableError {
  override readonly name = 'NotMigratedError';

  constructor(cause: unknown) {
    super(cause, 'Tables are missing in the database. Run the migration first.');
  }
}

/** PostgreSQL, appendix A: undefined_table. */
const undefinedTable = '42P01';

/**
 * SQLSTATE classes that are caused by the server, its settings or concurrent statements, so that the same statement may
 * succeed later (PostgreSQL, appendix A): connection, transaction state, authorization, invalid catalog name, rollback,
 * resources, object in use, operator intervention, system.
 */
const serverFaults = new Set(['08', '25', '28', '3D', '40', '53', '55', '57', '58']);

/** PostgreSQL, appendix A: insufficient_privilege. The migration or `db/roles.sql` grants the missing right. */
const insufficientPrivilege = '42501';

/** There was no connection, or it broke. Its cause is the error of the driver or the pool. */
class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';

  constructor(cause: unknown) {
    super('The connection to the database failed', { cause });
  }
}

/**
 * Marks an error of the driver or the pool as a connection fault. Pass only errors that their calls throw: most are
 * plain Errors, which only their texts distinguish from ours.
 * @returns a ConnectionFault; an error that the server returned, a TypeError or a RangeError unchanged
 */
export function markConnectionFault(error: unknown): unknown {
  const isMarked = error instanceof ConnectionFault;
  const isOther = error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof RangeError;
  return isMarked || isOther ? error : new ConnectionFault(error);
}

/**
 * Waits for a call of the driver or the pool.
 * @throws its error, passed through `markConnectionFault`
 */
export async function markingFaults<Result>(work: PromiseLike<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw markConnectionFault(error);
  }
}

/**
 * Waits for a query, and distinguishes an outage of the database from an error of the statement or of our code.
 * @param query - on a connection whose faults are marked: see `connectDatabase`, `markingFaults`
 * @throws {NotMigratedError} if a table is missing
 * @throws {DatabaseUnavailableError} if a later attempt may succeed
 */
export async function reachDatabase<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const isTableMissing = error instanceof pg.DatabaseError && error.code === undefinedTable;
    throw isTableMissing ? new NotMigratedError(error) : asUnavailable(error);
  }
}

/**
 * Converts the error of a query. Migrations use it instead of `reachDatabase`, because for them a missing table is an
 * error of a statement.
 * @returns a DatabaseUnavailableError if a later attempt may succeed; any other error unchanged
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ConnectionFault) return new DatabaseUnavailableError(error.cause);
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  const blamesServer = serverFaults.has(code.slice(0, 2)) || code === insufficientPrivilege;
  return blamesServer ? new DatabaseUnavailableError(error) : error;
}

import pg from 'pg';

/** The database did not answer, or answered that it cannot just now. Nothing is known of what was under way. */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';

  constructor(cause: unknown, message = 'The database does not answer.') {
    super(message, { cause });
  }
}

/** The migration of this release has not run; after it the same statement may succeed. */
export class NotMigratedError extends DatabaseUnavailableError {
  override readonly name = 'NotMigratedError';

  constructor(cause: unknown) {
    super(cause, 'Run the migration first: the database lacks tables.');
  }
}

/** PostgreSQL, appendix A: undefined_table. */
const undefinedTable = '42P01';

/**
 * SQLSTATE classes that blame the server, its settings or what others do at the same time, so that the same statement
 * may succeed later (PostgreSQL, appendix A): connection, transaction state, authorization, no such database, rollback,
 * resources, object in use, operator intervention, system.
 */
const serverFaults = new Set(['08', '25', '28', '3D', '40', '53', '55', '57', '58']);

/** No connection was to be had, or it broke. Its cause is what the driver or the pool said. */
class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';

  constructor(cause: unknown) {
    super('The connection to the database failed', { cause });
  }
}

/**
 * Marks a driver's or pool's error as a connection fault. Only for what their calls throw: most of it is a plain Error that
 * nothing but its text tells from ours.
 * @returns a fault of the connection; an answer of the server and an error of code as they are
 */
export function markConnectionFault(error: unknown): unknown {
  const isMarked = error instanceof ConnectionFault;
  const isOther = error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof RangeError;
  return isMarked || isOther ? error : new ConnectionFault(error);
}

/**
 * Waits for a driver or its pool.
 * @throws as `markConnectionFault` has it
 */
export async function markingFaults<Result>(work: PromiseLike<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw markConnectionFault(error);
  }
}

/**
 * Runs a query and tells a fault of the server or of the connection from a fault of the statement or of our code.
 * @param query - on a connection whose faults are marked: see `connectDatabase`, `markingFaults`
 * @throws {DatabaseUnavailableError} when another try later may succeed; {NotMigratedError} of them where a table is
 *   missing
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
 * For a migration, which tells by itself of a table that is missing.
 * @returns a DatabaseUnavailableError where another try later may succeed, any other error as it is
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ConnectionFault) return new DatabaseUnavailableError(error.cause);
  const blamesServer = error instanceof pg.DatabaseError && serverFaults.has(error.code?.slice(0, 2) ?? '');
  return blamesServer ? new DatabaseUnavailableError(error) : error;
}

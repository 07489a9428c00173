import pg from 'pg';

/** The database did not answer, or answered that it cannot just now. Nothing is known of what was under way. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super('The database is unavailable', { cause });
  }
}

/**
 * SQLSTATE classes that blame the server, its settings or what others do at the same time, so that the same statement
 * may succeed later (PostgreSQL, appendix A): connection, transaction state, authorization, no such database, rollback,
 * resources, object in use, operator intervention, system.
 */
const serverFaults = new Set(['08', '25', '28', '3D', '40', '53', '55', '57', '58']);

/**
 * What a connection fails with: the system's errors and those of the driver, which come as plain errors and tell
 * nothing but a text, several at once, and Knex's when no connection of the pool becomes free.
 */
const connectionFaults = new Set(['Error', 'AggregateError', 'KnexTimeoutError']);

/**
 * Runs a query and tells a fault of the server or of the connection from a fault of the statement or of our code.
 * @throws {DatabaseUnavailableError} when another try later may succeed
 */
export async function reachDatabase<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    throw isUnavailable(error) ? new DatabaseUnavailableError(error) : error;
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return serverFaults.has(error.code?.slice(0, 2) ?? '');
  return error instanceof Error && connectionFaults.has(error.name);
}

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

/**
 * PostgreSQL, appendix A: invalid_sql_statement_name, duplicate_prepared_statement. Behind PgBouncer in transaction mode,
 * a connection has the prepared statements of others.
 */
const foreignStatements = new Set(['26000', '42P05']);

/** Returns whether the server has other prepared statements than the driver believes. */
export const hasForeignStatements = (error: pg.DatabaseError): boolean => foreignStatements.has(error.code ?? '');

/** PostgreSQL, appendix A: insufficient_privilege. The migration or `db/roles.sql` grants the missing right. */
const insufficientPrivilege = '42501';

/**
 * Converts an error that the driver or the pool has thrown. Pass no other errors: most of theirs are plain Errors, which
 * only their texts distinguish from ours.
 * @returns a NotMigratedError if a table is missing; another DatabaseUnavailableError if a later attempt may succeed; an
 *   error of the statement or of our code unchanged
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (!(error instanceof pg.DatabaseError)) return new DatabaseUnavailableError(error);
  const { code = '' } = error;
  if (code === undefinedTable) return new NotMigratedError(error);
  const blamesServer =
    serverFaults.has(code.slice(0, 2)) || code === insufficientPrivilege || hasForeignStatements(error);
  return blamesServer ? new DatabaseUnavailableError(error) : error;
}

/**
 * Returns whether the error of a statement may mean that the whole server is unavailable: the connection broke, the
 * server is closing it, or it is read-only.
 */
export function mayBeOutage(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(?:08|25006|57P)/.test(error.code ?? '');
}

/**
 * Returns the error that the server returned, also if it was converted.
 * @returns undefined for any other error
 */
export function serverErrorOf(error: unknown): pg.DatabaseError | undefined {
  const original = error instanceof DatabaseUnavailableError ? error.cause : error;
  return original instanceof pg.DatabaseError ? original : undefined;
}

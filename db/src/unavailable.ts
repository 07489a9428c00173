/** The database did not answer, or answered that it cannot just now. Nothing is known of what was under way. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super('The database is unavailable', { cause });
  }
}

/**
 * SQLSTATE classes that blame the statement instead of the server (PostgreSQL, appendix A): data exception, integrity
 * constraint, and syntax or access.
 */
const statementFaults = new Set(['22', '23', '42']);

/**
 * Runs a query and tells a fault of the server or of the connection from a fault of the statement.
 * @throws {DatabaseUnavailableError} when another try later may succeed
 */
export async function reachDatabase<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
    const isStatementFault = /^[0-9A-Z]{5}$/.test(code) && statementFaults.has(code.slice(0, 2));
    throw isStatementFault ? error : new DatabaseUnavailableError(error);
  }
}

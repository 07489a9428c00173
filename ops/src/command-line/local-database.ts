import { join } from 'node:path';

/**
 * Returns the file to which `make run` writes the connection string of its database. The file exists while it runs, for
 * the operator's commands.
 * @param dataDirectory - DATA_DIRECTORY
 */
export function localDatabaseFile(dataDirectory: string): string {
  return join(dataDirectory, 'database-url');
}

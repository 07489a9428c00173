import { join } from 'node:path';

/**
 * Where `make run` notes the connection string of its database while it runs, for the operator's commands.
 * @param dataDirectory - DATA_DIRECTORY
 */
export function localDatabaseFile(dataDirectory: string): string {
  return join(dataDirectory, 'database-url');
}

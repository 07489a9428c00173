import { join } from 'node:path';
import type { Role } from '@dune-tide/db/schema';

/**
 * Returns the file to which `make run` writes the connection string of a role. The operators' commands read it, and
 * `make run` removes it when it stops.
 * @param dataDirectory - DATA_DIRECTORY
 */
export function localDatabaseFile(dataDirectory: string, role: Role): string {
  return join(dataDirectory, role === 'app' ? 'database-url' : `${role}-database-url`);
}

import { readSettings } from '@dune-tide/platform/settings';

/**
 * What the migration reads of its environment.
 * @throws {SettingsError} naming every fault
 */
export function readMigrateSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL'],
    optional: ['REDIS_URL', 'ADMIN_USERNAME', 'ADMIN_PASSWORD'],
  });
}

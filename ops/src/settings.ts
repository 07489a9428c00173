import { readSettings } from '@dune-tide/platform/settings';

/**
 * Reads the settings of the migration.
 * @throws {SettingsError} with every invalid setting
 */
export function readMigrateSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL'],
    optional: ['REDIS_URL', 'ADMIN_USERNAME', 'ADMIN_PASSWORD'],
  });
}

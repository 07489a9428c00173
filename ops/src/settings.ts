import { readSettings } from '@dune-tide/platform/settings';

/**
 * Reads the settings of the migration. It needs the user who owns the tables: MIGRATION_DATABASE_URL, or DATABASE_URL if
 * that is not set.
 * @throws {SettingsError} with every invalid setting
 */
export function readMigrateSettings(environment: NodeJS.ProcessEnv) {
  const optional = ['REDIS_URL', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'ADMIN_EMAIL'] as const;
  return environment['MIGRATION_DATABASE_URL'] || environment['MIGRATION_DATABASE_URL_FILE']
    ? readSettings(environment, { required: ['MIGRATION_DATABASE_URL'], optional })
    : readSettings(environment, { required: ['DATABASE_URL'], optional });
}

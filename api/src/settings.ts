import { readSettings } from '@dune-tide/platform/settings';

/**
 * Reads the API's settings from its environment.
 * @throws {SettingsError} with every missing or invalid setting
 */
export function readApiSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL', 'PUBLIC_URL', 'SESSION_KEYS'],
    optional: [
      'DATABASE_POOL_SIZE',
      'REDIS_URL',
      'STAFF_EMAIL',
      'STAFF_REPLIES',
      'REQUIRE_SECOND_FACTOR',
      'WEBHOOK_URL',
      'STUDIO_TIME_ZONE',
      'HOST',
      'PORT',
      'TRUSTED_PROXIES',
      'PUBLIC_POST_LIMIT',
      'RETENTION_MONTHS',
      'RETENTION_MONTHS_APPLICATIONS',
      'PRIVACY_LEGAL_ENTITY',
      'PRIVACY_OFFICER',
      'PRIVACY_ADDRESS',
      'SITE_DIRECTORY',
      'METRICS_PORT',
      'METRICS_HOST',
      'BACKUP_DIRECTORY',
      'LOG_LEVEL',
    ],
  });
}

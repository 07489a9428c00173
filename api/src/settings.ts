import { readSettings } from '@dune-tide/platform/settings';

/**
 * What the API reads of its environment.
 * @throws {SettingsError} naming every fault
 */
export function readApiSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL', 'PUBLIC_URL', 'SESSION_KEYS'],
    optional: [
      'DATABASE_POOL_SIZE',
      'REDIS_URL',
      'STAFF_EMAIL',
      'HOST',
      'PORT',
      'TRUSTED_PROXIES',
      'PUBLIC_POST_LIMIT',
      'SITE_DIRECTORY',
      'METRICS_PORT',
      'METRICS_HOST',
      'BACKUP_DIRECTORY',
      'LOG_LEVEL',
    ],
  });
}

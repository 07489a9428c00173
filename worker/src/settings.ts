import { readSettings } from '@dune-tide/platform/settings';

/**
 * Reads the worker's settings from the environment.
 * @throws {SettingsError} with every missing or invalid setting
 */
export function readWorkerSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL', 'SMTP_URL', 'PUBLIC_URL', 'SESSION_KEYS', 'CACHE_DIRECTORY'],
    optional: [
      'DATABASE_POOL_SIZE',
      'REDIS_URL',
      'MAIL_FROM',
      'EMAIL_LIMIT',
      'STAFF_EMAIL',
      'WORKER_CONCURRENCY',
      'METRICS_PORT',
      'METRICS_HOST',
      'LOG_LEVEL',
    ],
  });
}

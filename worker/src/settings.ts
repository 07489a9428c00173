import { readSettings } from '@dune-tide/platform/settings';

/**
 * What the worker reads of its environment.
 * @throws {SettingsError} naming every fault
 */
export function readWorkerSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL', 'SMTP_URL', 'PUBLIC_URL', 'CACHE_DIRECTORY'],
    optional: [
      'DATABASE_POOL_SIZE',
      'REDIS_URL',
      'MAIL_FROM',
      'WORKER_CONCURRENCY',
      'METRICS_PORT',
      'METRICS_HOST',
      'LOG_LEVEL',
    ],
  });
}

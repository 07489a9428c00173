import { readSettings } from '@dune-tide/platform/settings';

/**
 * Reads the worker's settings from the environment.
 * @throws {SettingsError} with every missing or invalid setting
 */
export function readWorkerSettings(environment: NodeJS.ProcessEnv) {
  const required = ['DATABASE_URL', 'SMTP_URL', 'PUBLIC_URL', 'SESSION_KEYS', 'CACHE_DIRECTORY'] as const;
  const sendsWebhooks = environment['WEBHOOK_URL'] || environment['WEBHOOK_URL_FILE'];
  return readSettings(environment, {
    required: sendsWebhooks ? [...required, 'WEBHOOK_SECRET'] : required,
    optional: [
      'DATABASE_POOL_SIZE',
      'REDIS_URL',
      'MAIL_FROM',
      'EMAIL_LIMIT',
      'STAFF_EMAIL',
      'WEBHOOK_URL',
      'WEBHOOK_SECRET',
      'RETENTION_MONTHS',
      'RETENTION_MONTHS_APPLICATIONS',
      'AUDIT_MONTHS',
      'WORKER_CONCURRENCY',
      'METRICS_PORT',
      'METRICS_HOST',
      'LOG_LEVEL',
    ],
  });
}

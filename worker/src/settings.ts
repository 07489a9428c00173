import { readSettings, settingsReadBy } from '@dune-tide/platform/settings';

/**
 * Reads the worker's settings from the environment.
 * @throws {SettingsError} with every missing or invalid setting
 */
export function readWorkerSettings(environment: NodeJS.ProcessEnv) {
  const required = ['DATABASE_URL', 'SMTP_URL', 'PUBLIC_URL', 'SESSION_KEYS', 'CACHE_DIRECTORY'] as const;
  const sendsWebhooks = environment['WEBHOOK_URL'] || environment['WEBHOOK_URL_FILE'];
  return readSettings(environment, {
    required: sendsWebhooks ? [...required, 'WEBHOOK_SECRET'] : required,
    optional: settingsReadBy('worker'),
  });
}

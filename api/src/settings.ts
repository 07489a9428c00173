import { readSettings, settingsReadBy } from '@dune-tide/platform/settings';

/**
 * Reads the API's settings from its environment.
 * @throws {SettingsError} with every missing or invalid setting
 */
export function readApiSettings(environment: NodeJS.ProcessEnv) {
  return readSettings(environment, {
    required: ['DATABASE_URL', 'PUBLIC_URL', 'SESSION_KEYS'],
    optional: settingsReadBy('api'),
  });
}

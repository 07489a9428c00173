import { SettingsError } from '@dune-tide/platform/settings';

/**
 * Rejects command-line arguments, including `--help`, of a command that takes only settings.
 * @param hint - how to set a setting, e.g. "N is a setting, as in make seed N=100"
 * @throws {SettingsError}
 */
export function rejectArguments(hint: string): void {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) throw new SettingsError(`Unknown argument "${argument}": ${hint}`);
}

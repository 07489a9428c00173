import { SettingsError } from '@dune-tide/platform/settings';

/**
 * Rejects command-line arguments, `--help` included, of a command that takes settings only.
 * @param hint - how a setting is given, e.g. "N is a setting, as in make seed N=100"
 * @throws {SettingsError}
 */
export function rejectArguments(hint: string): void {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) throw new SettingsError(`"${argument}" is not understood: ${hint}`);
}

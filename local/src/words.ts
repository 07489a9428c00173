import { SettingsError } from '@dune-tide/platform/settings';

/**
 * Refuses the words of a command that is told everything by settings, `--help` included.
 * @param hint - how it is told, e.g. "N is a setting, as in make seed N=100"
 * @throws {SettingsError}
 */
export function refuseWords(hint: string): void {
  const [word] = process.argv.slice(2);
  if (word !== undefined) throw new SettingsError(`"${word}" is not understood: ${hint}`);
}

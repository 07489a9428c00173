import { brand } from '@dune-tide/domain/brand';
import type { Logger } from './log.ts';
import { settingNames, SettingsError } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter names, such as `_`, are one edit away from the setting `N`. */
const shortestName = 4;

const known = new Set(settingNames.flatMap((name) => [name, `${name}_FILE`]));

/**
 * Finds variables that look like misspelled settings: one edit or one swap of neighbouring letters away from a setting.
 * Two edits are too many: `HOME` is two away from `HOST`.
 * @returns a sentence that names them, or `undefined`
 */
export function misspelledSettings(environment: Environment): string | undefined {
  const found = Object.keys(environment).flatMap((name) => {
    if (name.length < shortestName || !environment[name] || known.has(name)) return [];
    const meant = [...known].find((setting) => isOneEditAway(name, setting));
    return meant === undefined ? [] : [`${name} (${meant}?)`];
  });
  if (found.length === 0) return undefined;
  return `These environment variables look like misspelled settings, so correct or unset them: ${found.join(', ')}`;
}

/** @throws {SettingsError} if a variable looks like a misspelled setting */
export function rejectMisspelledSettings(environment: Environment): void {
  const sentence = misspelledSettings(environment);
  if (sentence !== undefined) throw new SettingsError(sentence);
}

/** Returns a sentence if STUDIO_TIME_ZONE, which releases up to 0.3.0 read, has another value than the brand's. */
export function ignoredTimeZone({ STUDIO_TIME_ZONE: zone }: Environment): string | undefined {
  if (!zone || zone === brand.timeZone) return undefined;
  return `STUDIO_TIME_ZONE has no effect: the time zone is ${brand.timeZone} (timeZone in domain/src/brand.ts)`;
}

/** Logs a warning for each variable that has no effect although it looks like a setting. */
export function warnOfIgnoredSettings(environment: Environment, logger: Logger): void {
  for (const sentence of [misspelledSettings(environment), ignoredTimeZone(environment)]) {
    if (sentence !== undefined) logger.warn(sentence);
  }
}

/** Returns whether two texts differ in one letter that is added, removed, replaced or swapped with its neighbour. */
function isOneEditAway(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const rest = (text: string, skipped: number): string => text.slice(start + skipped);
  const swapped = `${one[start + 1] ?? ''}${one[start] ?? ''}${rest(one, 2)}`;
  return (
    one !== other &&
    (rest(one, 1) === rest(other, 1) ||
      rest(one, 1) === rest(other, 0) ||
      rest(one, 0) === rest(other, 1) ||
      swapped === rest(other, 0))
  );
}

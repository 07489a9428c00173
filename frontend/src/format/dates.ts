import { DateTime, Duration, type DurationUnit } from 'luxon';

const format = (iso: string, pattern: string): string => DateTime.fromISO(iso, { locale: 'en-US' }).toFormat(pattern);

/** Returns a date in the format of tables (docs/PRODUCT.md, "Dates"), in the reader's time zone. */
export const formatDate = (iso: string): string => format(iso, 'MMM dd, yyyy');

/** Returns a date and time in the format of details (docs/PRODUCT.md, "Dates"), in the reader's time zone. */
export const formatDateTime = (iso: string): string => format(iso, 'MMM dd, yyyy HH:mm');

/**
 * Returns the time at which data was loaded, in the reader's time zone; with the date if that was not today.
 * @param time - in milliseconds since the epoch
 * @param now - the current time, likewise
 */
export function formatAsOf(time: number, now: number): string {
  const loaded = DateTime.fromMillis(time, { locale: 'en-US' });
  return loaded.toFormat(loaded.hasSame(DateTime.fromMillis(now), 'day') ? 'HH:mm' : 'MMM dd, yyyy HH:mm');
}

/** Returns the earliest time; undefined if one is missing. */
export function oldestTime(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === times.length ? Math.min(...known) : undefined;
}

const durationUnits: readonly DurationUnit[] = ['days', 'hours', 'minutes', 'seconds'];

/** Returns a duration in its largest unit, rounded down, e.g. "3 hours" with a no-break space. */
export function formatDuration(seconds: number): string {
  const duration = Duration.fromObject({ seconds }, { locale: 'en-US' });
  const unit = durationUnits.find((each) => duration.as(each) >= 1) ?? 'seconds';
  const whole = Duration.fromObject({ [unit]: Math.floor(duration.as(unit)) }, { locale: 'en-US' });
  return whole.toHuman().replace(' ', '\u{A0}');
}

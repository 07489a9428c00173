import { DateTime, Duration, type DurationUnit } from 'luxon';

const format = (iso: string, pattern: string): string => DateTime.fromISO(iso, { locale: 'en-US' }).toFormat(pattern);

/** Returns a date in the format of tables (docs/PRODUCT.md, "Dates"), in the reader's time zone. */
export const formatDate = (iso: string): string => format(iso, 'MMM dd, yyyy');

/** Returns a date and time in the format of details (docs/PRODUCT.md, "Dates"), in the reader's time zone. */
export const formatDateTime = (iso: string): string => format(iso, 'MMM dd, yyyy HH:mm');

const durationUnits: readonly DurationUnit[] = ['days', 'hours', 'minutes', 'seconds'];

/** Returns a duration in its largest unit, rounded down, e.g. "3 hours" with a no-break space. */
export function formatDuration(seconds: number): string {
  const duration = Duration.fromObject({ seconds }, { locale: 'en-US' });
  const unit = durationUnits.find((each) => duration.as(each) >= 1) ?? 'seconds';
  const whole = Duration.fromObject({ [unit]: Math.floor(duration.as(unit)) }, { locale: 'en-US' });
  return whole.toHuman().replace(' ', '\u{A0}');
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns a length of time in its largest fitting unit, rounded down, e.g. "3 h" with a no-break space. */
function short(time: number): string {
  if (time < hour) return `${Math.max(1, Math.floor(time / minute))}\u{A0}min`;
  if (time < 2 * day) return `${Math.floor(time / hour)}\u{A0}h`;
  return `${Math.floor(time / day)}\u{A0}days`;
}

/**
 * Returns how long a lead's answer may still take or how late it is (docs/PRODUCT.md, "Clock"), e.g. "due in 3 h".
 * @param dueAt - ISO 8601
 * @param now - in milliseconds since the epoch
 */
export function formatDue(dueAt: string, now: number): string {
  const left = Date.parse(dueAt) - now;
  return left > 0 ? `due in ${short(left)}` : `overdue by ${short(-left)}`;
}

/** Returns a number of minutes in two units at most, e.g. "3 h 20 min" with no-break spaces. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return `${whole}\u{A0}min`;
  const hours = Math.floor(whole / 60);
  if (hours >= 48) return parts(Math.floor(hours / 24), 'd', hours % 24, 'h');
  return parts(hours, 'h', whole % 60, 'min');
}

const parts = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  `${large}\u{A0}${largeUnit}${small === 0 ? '' : ` ${small}\u{A0}${smallUnit}`}`;

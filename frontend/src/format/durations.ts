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

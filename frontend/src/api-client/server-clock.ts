/**
 * The difference between the server's clock and this computer's, in milliseconds, and its least and greatest possible
 * values. Each response narrows them.
 */
let [offset, least, most] = [0, -Infinity, Infinity];

/** Converts a time of this computer's clock to that of the server's clock, in milliseconds since the epoch. */
export const byServerClock = (time: number): number => time + offset;

/** Returns the time by the server's clock, in milliseconds since the epoch. This computer's clock may be wrong. */
export const serverNow = (): number => byServerClock(Date.now());

/**
 * Measures the server's clock by a response. The difference stays the same as long as it is possible, so that times do
 * not jump back and forth.
 * @param date - the header `Date` of the response, which has whole seconds
 * @param sentAt - when the request was sent, by this computer's clock
 */
export function measureServerClock(date: string | null, sentAt: number): void {
  const second = Date.parse(date ?? '');
  const [from, to] = [second - Date.now(), second + 1000 - sentAt];
  // Without a date, or if this computer's clock was set back in the meantime.
  if (!(from <= to)) return;
  // One of the clocks was set since the last response.
  if (from > most || to < least) [least, most] = [from, to];
  else [least, most] = [Math.max(least, from), Math.min(most, to)];
  offset = Math.min(Math.max(offset, least), most);
}

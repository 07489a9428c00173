/** The median and the range of several measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the value that a share of all values does not exceed (nearest rank).
 * @param share - from 0 to 1
 * @throws {RangeError} without values
 */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('No values were measured');
  return value;
}

/** Returns the middle value, or the mean of the two middle values. @throws {RangeError} without values */
export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('No values were measured');
  return (lower + upper) / 2;
}

/** @throws {RangeError} without values */
export function spread(values: Iterable<number>): Spread {
  const all = [...values];
  return { median: median(all), min: percentile(all, 0), max: percentile(all, 1) };
}

/**
 * Divides the value of each round by the limit of the same round.
 * @throws {RangeError} if the numbers of rounds differ
 */
export function ratios(values: readonly number[], limits: readonly number[]): number[] {
  if (values.length !== limits.length) throw new RangeError('Each value needs a limit of the same round');
  return values.map((value, round) => value / (limits[round] ?? Number.NaN));
}

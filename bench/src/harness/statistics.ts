/** Several measurements of one thing. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The value that a share of all values does not exceed (nearest rank).
 * @param share - from 0 to 1
 * @throws {RangeError} without values
 */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('Nothing was measured');
  return value;
}

/** The middle value; of an even number the mean of the two in the middle. @throws {RangeError} without values */
export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('Nothing was measured');
  return (lower + upper) / 2;
}

/** @throws {RangeError} without values */
export function spread(values: Iterable<number>): Spread {
  const all = [...values];
  return { median: median(all), min: percentile(all, 0), max: percentile(all, 1) };
}

/**
 * What was measured in each round in proportion to what was measured beside it in the same round.
 * @throws {RangeError} when the two are not of the same rounds
 */
export function ratios(values: readonly number[], limits: readonly number[]): number[] {
  if (values.length !== limits.length) throw new RangeError('Each value needs one measured beside it');
  return values.map((value, round) => value / (limits[round] ?? Number.NaN));
}

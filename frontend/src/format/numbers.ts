const numbers = new Intl.NumberFormat('en-US');

/** Returns a count with thousands separators. */
export const formatCount = (count: number): string => numbers.format(count);

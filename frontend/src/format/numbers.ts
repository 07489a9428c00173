const numbers = new Intl.NumberFormat('en-US');

/** A count with its thousands separated. */
export const formatCount = (count: number): string => numbers.format(count);

import { randomUUID } from 'node:crypto';

const counterEnd = 0x1000;
let milliseconds = 0;
let counter = 0;
/** The first two groups of all ids of this millisecond. */
let time = '';

/**
 * A UUID version 7: ids of one process sort by the time they were made (RFC 9562 §5.7, §6.2 method 1). Node's own random
 * bytes come from a pool; to fetch them for each id, as the package `uuid` does, took a twentieth of the intake's time.
 */
export function newId(): string {
  counter++;
  const now = Date.now();
  if (now > milliseconds || counter === counterEnd) {
    milliseconds = Math.max(now, milliseconds + 1);
    counter = 0;
    const digits = milliseconds.toString(16).padStart(12, '0');
    time = `${digits.slice(0, 8)}-${digits.slice(8)}`;
  }
  // From here on a random UUID has the same bits, its variant included.
  const random = randomUUID().slice(19);
  return `${time}-7${counter.toString(16).padStart(3, '0')}-${random}`;
}

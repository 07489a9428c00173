import { randomUUID } from 'node:crypto';

const counterEnd = 0x1000;
let milliseconds = 0;
let counter = 0;

/**
 * A UUID version 7: ids of one process sort by the time they were made (RFC 9562 §5.7, §6.2 method 1). Node's own random
 * bytes come from a pool; to fetch them for each id, as the package `uuid` does, took a twentieth of the intake's time.
 */
export function newId(): string {
  const now = Date.now();
  counter = now > milliseconds ? 0 : counter + 1;
  milliseconds = Math.max(now, milliseconds);
  if (counter === counterEnd) {
    counter = 0;
    milliseconds++;
  }
  const time = milliseconds.toString(16).padStart(12, '0');
  // From here on a random UUID has the same bits, its variant included.
  const random = randomUUID().slice(19);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${random}`;
}

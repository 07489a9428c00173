/* The chart library uses two methods that Firefox 102 and 103 lack. */

interface Searching {
  findLast?: unknown;
  findLastIndex?: unknown;
}

type Test = (this: unknown, value: unknown, index: number, all: unknown[]) => unknown;

function findLastIndex(this: unknown[], test: Test, thisValue?: unknown): number {
  for (let index = this.length - 1; index >= 0; index--)
    if (test.call(thisValue, this[index], index, this)) return index;
  return -1;
}

function findLast(this: unknown[], test: Test, thisValue?: unknown): unknown {
  return this[findLastIndex.call(this, test, thisValue)];
}

/** Adds the methods to arrays if the browser lacks them. */
export function provideFindLast(arrays: object = Array.prototype): void {
  const { findLast: known }: Searching = arrays;
  if (known !== undefined) return;
  for (const [name, value] of Object.entries({ findLast, findLastIndex })) {
    Object.defineProperty(arrays, name, { value, writable: true, configurable: true });
  }
}

/**
 * Keeps the result of a read, so that its cost does not depend on the number of callers. Concurrent callers share one
 * read. A read that failed is not kept.
 * @param keptMs - milliseconds after the end of a read in which no other one starts
 * @returns a function that returns the last result, or reads again
 * @throws the error of the read
 */
export function cachedRead<Value>(read: () => Promise<Value>, keptMs: number): () => Promise<Value> {
  let latest: Promise<Value> | undefined;
  let readAgainAt = 0;
  return () => {
    if (latest && performance.now() < readAgainAt) return latest;
    readAgainAt = Infinity;
    latest = read().then(
      (value) => {
        readAgainAt = performance.now() + keptMs;
        return value;
      },
      (error: unknown) => {
        latest = undefined;
        throw error;
      },
    );
    return latest;
  };
}

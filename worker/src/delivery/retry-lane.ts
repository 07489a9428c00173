import pLimit from 'p-limit';

/** Limits how many retries run concurrently. */
export interface RetryLane {
  /**
   * Runs the work when the lane has room.
   * @returns the result of the work; `whenFull` if the lane stayed full and the work was not run
   */
  run<Result>(work: () => Promise<Result>, whenFull: Result): Promise<Result>;
}

/**
 * Creates a lane for retries. Without it, a few emails on which the server stalls could occupy all connections and all
 * jobs of the consumer.
 * @param maxAtOnce - the largest number of retries that run concurrently
 * @param patienceMs - the longest wait for room; after a wait has timed out, further retries are rejected immediately
 *   until a running one ends
 */
export function openRetryLane(maxAtOnce: number, patienceMs = 5_000): RetryLane {
  const turns = pLimit(maxAtOnce);
  let isFull = false;
  return {
    async run(work, whenFull) {
      if (isFull) return whenFull;
      let isWaiting = true;
      return new Promise((resolve, reject) => {
        const patience = setTimeout(() => {
          isWaiting = false;
          isFull = true;
          resolve(whenFull);
        }, patienceMs);
        turns(async () => {
          if (!isWaiting) return;
          clearTimeout(patience);
          try {
            resolve(await work());
          } finally {
            isFull = false;
          }
        }).catch(reject);
      });
    },
  };
}

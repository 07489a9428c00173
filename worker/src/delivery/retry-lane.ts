import pLimit from 'p-limit';

/** Where mails that were tried before take turns. */
export interface RetryLane {
  /**
   * Does the work once it is its turn.
   * @returns what the work returns; `whenFull` where its turn did not come, and the work is not done then
   */
  run<Result>(work: () => Promise<Result>, whenFull: Result): Promise<Result>;
}

/**
 * Opens a lane beside the other mails, so that a few which the server stalls over hold neither all connections nor, by
 * waiting, all of what the consumer has in hand.
 * @param maxAtOnce - works under way at once
 * @param patienceMs - how long one waits for its turn; after one waited in vain, none waits until a work is finished
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

import { DatabaseUnavailableError } from './unavailable.ts';

export interface BatchOptions {
  /** The number of statements that run concurrently. While they run, new items are collected. */
  readonly concurrency: number;
  /** The largest number of items in one statement. */
  readonly maxBatchSize: number;
  /** A statement that runs for longer no longer counts as one of `concurrency`: the server is slow or stopped. */
  readonly slowAfterMs: number;
  /** An item that has waited for longer is rejected, because its caller has given up. */
  readonly maxWaitMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes items that arrive together with one statement, because a commit costs the same for one row as for many. A
 * statement is sent in the next microtask, so a single item never waits for others. Items are collected only while
 * `concurrency` statements are running. The next statement is sent before the results of the previous one are
 * delivered, so that the server works while the callers continue.
 *
 * If a statement fails for another reason than an outage, its items are written one by one, so that an invalid item
 * does not fail the others. The first outage ends this: the remaining items are rejected.
 * @param write - writes items with one statement, all or none, and returns their results in the same order
 * @returns a function that writes one item. It throws the error of `write` for this item, and a
 *   DatabaseUnavailableError if the item waited too long.
 */
export function batched<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  { concurrency, maxBatchSize, slowAfterMs, maxWaitMs }: BatchOptions,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isComing = false;

  /** @returns a function that delivers the results to the callers */
  const settle = async (batch: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await write(batch.map(({ item }) => item));
      return () => batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // After an outage it is unknown whether the items were written, so they must not be written again.
      if (batch.length === 1 || error instanceof DatabaseUnavailableError) {
        return () => batch.forEach(({ reject }) => reject(error));
      }
      await settleEach(batch);
      return () => undefined;
    }
  };

  const settleEach = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    let outage: DatabaseUnavailableError | undefined;
    for (const { item, since, resolve, reject } of batch) {
      const reason = outage ?? (isLate(since) ? tooLate() : undefined);
      if (reason) {
        reject(reason);
        continue;
      }
      try {
        const [result] = await write([item]);
        resolve(result as Result);
      } catch (error) {
        reject(error);
        if (error instanceof DatabaseUnavailableError) outage = error;
      }
    }
  };

  const isLate = (since: number): boolean => since < performance.now() - maxWaitMs;
  const tooLate = (): DatabaseUnavailableError =>
    new DatabaseUnavailableError(new Error(`Not written within ${maxWaitMs} ms`));

  const nextBatch = (): Waiting<Item, Result>[] => {
    const batch: Waiting<Item, Result>[] = [];
    while (batch.length < maxBatchSize) {
      const next = waiting.shift();
      if (!next) break;
      if (isLate(next.since)) next.reject(tooLate());
      else batch.push(next);
    }
    return batch;
  };

  const send = (): void => {
    const batch = nextBatch();
    if (batch.length === 0) return;
    underWay++;
    let counts = true;
    const makeRoom = (): void => {
      if (!counts) return;
      counts = false;
      underWay--;
      if (waiting.length > 0) send();
    };
    const timer = setTimeout(makeRoom, slowAfterMs);
    void settle(batch).then((tell) => {
      clearTimeout(timer);
      const isAwaited = waiting.length > 0;
      makeRoom();
      // Delivers the results after the next statement has been sent.
      if (isAwaited) setImmediate(tell);
      else tell();
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      if (underWay >= concurrency || isComing) return;
      isComing = true;
      queueMicrotask(() => {
        isComing = false;
        if (underWay < concurrency) send();
      });
    });
}

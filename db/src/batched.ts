import { DatabaseUnavailableError } from './unavailable.ts';

/** How items are batched. */
export interface BatchOptions {
  /** Statements under way before what arrives is collected. */
  readonly concurrency: number;
  /** Items in one statement at most. */
  readonly maxBatchSize: number;
  /** A statement that takes longer in milliseconds, because its server is slow or stopped, holds up no others. */
  readonly slowAfterMs: number;
  /** What has waited longer in milliseconds is not written any more: whoever brought it has given up. */
  readonly maxWaitMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes what arrives together with one statement: a commit costs the same for one row as for many. The first is sent as
 * soon as the running code ends, so a lone item never waits for others; only what arrives while `concurrency` statements
 * are under way is collected. The next statement is sent before the results of the previous one are delivered, so that
 * the server works while the callers go on.
 * @param write - writes items with one statement, all or none, and returns their results in the same order
 * @returns a function that writes one item. It throws what `write` throws for the item alone: after a fault of the
 *   statement each item is written by itself, so that a faulty one never fails its neighbours, until one meets an outage.
 *   It throws a DatabaseUnavailableError for what waited too long.
 */
export function batched<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  { concurrency, maxBatchSize, slowAfterMs, maxWaitMs }: BatchOptions,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isComing = false;

  /** @returns what tells the results */
  const settle = async (batch: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await write(batch.map(({ item }) => item));
      return () => batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // An outage leaves open what is written, and says nothing of the items.
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
      // By then the next statement is on its way.
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

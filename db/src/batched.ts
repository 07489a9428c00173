import { DatabaseUnavailableError } from './unavailable.ts';

/** How statements are grouped. */
export interface Grouping {
  /** Statements under way before what arrives is collected. */
  readonly atOnce: number;
  /** Items in one statement at most. */
  readonly most: number;
  /** A statement that takes longer in milliseconds, because its server is slow or stopped, holds up no others. */
  readonly patienceMs: number;
  /** What has waited longer in milliseconds is not written any more: whoever brought it has given up. */
  readonly limitMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes what arrives together with one statement: a commit costs the same for one row as for many. The first goes out
 * as soon as the running code ends, so nobody waits for company; only what arrives while `atOnce` statements are under
 * way is collected. What waits goes out before the results of the statement before it are told, so that the server works
 * while those who waited for them go on.
 * @param write - writes items with one statement, all or none, and returns their results in the same order
 * @returns a function that writes one item. It throws what `write` throws for the item alone: after a fault of the
 *   statement each item is written by itself, so that a faulty one never fails its neighbours. It throws a
 *   DatabaseUnavailableError for what waited too long.
 */
export function grouped<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  { atOnce, most, patienceMs, limitMs }: Grouping,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isComing = false;

  /** @returns what tells the results */
  const settle = async (group: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await write(group.map(({ item }) => item));
      return () => group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      // An outage leaves open what is written, and says nothing of the items.
      if (group.length === 1 || error instanceof DatabaseUnavailableError) {
        return () => group.forEach(({ reject }) => reject(error));
      }
      for (const one of group) (await settle([one]))();
      return () => undefined;
    }
  };

  const nextGroup = (): Waiting<Item, Result>[] => {
    const group: Waiting<Item, Result>[] = [];
    const oldest = performance.now() - limitMs;
    while (group.length < most) {
      const next = waiting.shift();
      if (!next) break;
      if (next.since >= oldest) group.push(next);
      else next.reject(new DatabaseUnavailableError(new Error(`Not written within ${limitMs} ms`)));
    }
    return group;
  };

  const send = (): void => {
    const group = nextGroup();
    if (group.length === 0) return;
    underWay++;
    let counts = true;
    const makeRoom = (): void => {
      if (!counts) return;
      counts = false;
      underWay--;
      if (waiting.length > 0) send();
    };
    const timer = setTimeout(makeRoom, patienceMs);
    void settle(group).then((tell) => {
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
      if (underWay >= atOnce || isComing) return;
      isComing = true;
      queueMicrotask(() => {
        isComing = false;
        if (underWay < atOnce) send();
      });
    });
}

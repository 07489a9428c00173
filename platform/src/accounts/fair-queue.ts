interface Task {
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs a task in its turn and returns its result. `group` is undefined for the reserve. Rejects if too many tasks wait.
 */
type FairQueue = <Result>(group: string | undefined, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue that is fair between groups: the groups take turns, so a group with many tasks delays the others by
 * one task at a time. If the queue is full, the newest task of the longest group is rejected. Tasks of the reserve run
 * first and have separate places, so that no group can keep them out.
 * @param concurrency - number of tasks that run concurrently
 * @param maxWaiting - number of tasks of all groups that may wait
 * @param maxReserved - number of tasks of the reserve that may wait
 * @param refusal - returns the error of a task that is rejected
 */
export function fairQueue({
  concurrency,
  maxWaiting,
  maxReserved,
  refusal,
}: {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly maxReserved: number;
  readonly refusal: () => Error;
}): FairQueue {
  const reserve: Task[] = [];
  // The groups in the order of their turns. No group is empty.
  const groups = new Map<string, Task[]>();
  let running = 0;
  let waiting = 0;

  const nextOfGroups = (): Task | undefined => {
    const [turn] = groups;
    if (!turn) return undefined;
    const [group, [task, ...rest]] = turn;
    groups.delete(group);
    if (rest.length > 0) groups.set(group, rest);
    waiting--;
    return task;
  };

  const startNext = (): void => {
    if (running >= concurrency) return;
    const task = reserve.shift() ?? nextOfGroups();
    if (!task) return;
    running++;
    task.start();
  };

  /** @throws the refusal if no group is longer than this one, so that no other task can be rejected instead */
  const makeRoom = (group: string): void => {
    if (waiting < maxWaiting) return;
    const [longest, tasks] = [...groups].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    if (longest === group || tasks.length <= (groups.get(group)?.length ?? 0) + 1) throw refusal();
    tasks.pop()?.reject(refusal());
    waiting--;
  };

  const enqueue = (group: string | undefined, task: Task): void => {
    if (group === undefined) {
      if (reserve.length >= maxReserved) throw refusal();
      reserve.push(task);
      return;
    }
    makeRoom(group);
    groups.set(group, [...(groups.get(group) ?? []), task]);
    waiting++;
  };

  return async (group, work) => {
    await new Promise<void>((start, reject) => {
      enqueue(group, { start, reject });
      startNext();
    });
    try {
      return await work();
    } finally {
      running--;
      startNext();
    }
  };
}

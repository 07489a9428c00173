/** Lets through what waits, a handful at a time. */
export interface Gate {
  /**
   * Waits until everyone who entered before has left.
   * @returns leaves; a second call does nothing
   */
  enter(): Promise<() => void>;
}

/**
 * Opens a gate. The rows that a worker claims ahead of their sends pass through it: claimed together, they cost the
 * database as much as one.
 * @param maxInside - how many go through together at most; the first goes at once
 */
export function openGate(maxInside: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const letIn = (): void => {
    if (inside > 0) return;
    const next = waiting.splice(0, maxInside);
    inside = next.length;
    for (const enter of next) enter();
  };

  return {
    enter: () =>
      new Promise((resolve) => {
        let isInside = true;
        const leave = (): void => {
          if (!isInside) return;
          isInside = false;
          inside -= 1;
          letIn();
        };
        waiting.push(() => resolve(leave));
        letIn();
      }),
  };
}

/** Admits waiting callers in batches. */
export interface Gate {
  /**
   * Waits until the previous batch has left.
   * @returns a function that leaves the gate; a second call does nothing
   */
  enter(): Promise<() => void>;
}

/**
 * Creates a gate. Deliveries pass through it before they claim their rows, so that rows are claimed in batches. A batch
 * costs the database as much as a single row.
 * @param maxInside - the size of the largest batch; a caller at an empty gate enters immediately
 */
export function openGate(maxInside: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const admit = (): void => {
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
          admit();
        };
        waiting.push(() => resolve(leave));
        admit();
      }),
  };
}

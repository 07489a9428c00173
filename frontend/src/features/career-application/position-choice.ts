import type { CareerApplication } from '@dune-tide/domain/forms/career-application';

type Position = CareerApplication['position'];

/** Passes a position that a visitor chooses outside of the form to the form. */
export interface PositionChoice {
  choose(position: Position): void;
  /**
   * Calls a function for each choice, and for an earlier one in a microtask.
   * @returns a function that ends the calls
   */
  follow(take: (position: Position) => void): () => void;
}

/**
 * Returns a position choice. It is not React state: a state update would replace a prerendered form that React has not
 * hydrated yet, and an update that waits for hydration would arrive after later input of the visitor.
 */
export function positionChoice(): PositionChoice {
  let waiting: Position | undefined;
  let taker: ((position: Position) => void) | undefined;

  const handOver = (): void => {
    if (waiting === undefined || taker === undefined) return;
    const position = waiting;
    waiting = undefined;
    taker(position);
  };

  return {
    choose(position) {
      waiting = position;
      handOver();
    },
    follow(take) {
      taker = take;
      // After the draft, which the form restores at the same time.
      queueMicrotask(handOver);
      return () => {
        if (taker === take) taker = undefined;
      };
    },
  };
}

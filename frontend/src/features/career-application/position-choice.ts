import type { CareerApplication } from '@dune-tide/domain/forms/career-application';

type Position = CareerApplication['position'];

/** The position that a visitor chooses outside of the form, on its way into the form. */
export interface PositionChoice {
  choose(position: Position): void;
  /**
   * Hands over each choice at once, and one that came earlier as soon as the running code ends.
   * @returns what ends it
   */
  follow(take: (position: Position) => void): () => void;
}

/**
 * Not a state of React's: an update of the page would throw a form away that it has not taken over yet, and one that
 * waits for it comes after whatever the visitor does meanwhile.
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
      // After the draft, which the form takes from the tab at the same time.
      queueMicrotask(handOver);
      return () => {
        if (taker === take) taker = undefined;
      };
    },
  };
}

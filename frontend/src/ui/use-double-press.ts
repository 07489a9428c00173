import { useState } from 'react';

/** A click, or a key that presses a button, which has no coordinates and `detail` 0. */
interface Press {
  readonly detail: number;
  readonly clientX: number;
  readonly clientY: number;
}

/** Time since the effect of the first press was shown, in milliseconds, and distance between the presses, in pixels. */
const limits = { time: 700, distance: 10 };

interface DoublePress {
  /** Starts the time in which a press counts as the second one. Call it when a press has taken effect. */
  readonly tookEffect: (press?: Press) => void;
  /**
   * Returns whether a press is the second one of a double click or of Enter. Without an argument only the time decides.
   */
  readonly isSecond: (press?: Partial<Press>) => boolean;
}

/** Recognizes the second press on a button that the first press has emptied, moved or replaced. */
export function useDoublePress(): DoublePress {
  const [doublePress] = useState(createDoublePress);
  return doublePress;
}

function createDoublePress(): DoublePress {
  let first: { at: number; readonly x: number; readonly y: number } | undefined;
  return {
    tookEffect: (press) => {
      const effect = { at: Infinity, ...placeOf(press) };
      first = effect;
      // A slow device may show the effect late. A second press before that is still meant for the button that
      // disappears. A frame is painted after its callbacks.
      requestAnimationFrame(() => setTimeout(() => (effect.at = performance.now())));
    },
    isSecond: (press) => {
      // The browser's `detail` follows the system's own limits.
      if ((press?.detail ?? 0) > 1) return true;
      if (first === undefined || performance.now() >= first.at + limits.time) return false;
      const { x, y } = placeOf(press);
      return Math.hypot(x - first.x, y - first.y) <= limits.distance;
    },
  };
}

const placeOf = ({ clientX: x = 0, clientY: y = 0, detail = 0 }: Partial<Press> = {}) =>
  detail === 0 ? { x: 0, y: 0 } : { x, y };

import { createContext } from 'react';

/** The state of the focus while a toast is shown. */
export interface ToastFocus {
  /** Whether the focus is in the toast region. A toast that is being read or closed stays. */
  readonly isHeld: boolean;
  /** Returns the current value, without waiting for a render. */
  readonly isWithin: () => boolean;
  /** Returns the focus to the element that had it before. */
  readonly returnFocus: () => void;
}

const nowhere: ToastFocus = { isHeld: false, isWithin: () => false, returnFocus: () => undefined };

export const ToastFocusContext = createContext(nowhere);

import { createContext } from 'react';

/** Where the keyboard is while a toast stands. */
export interface ToastFocus {
  /** Whether the focus is in the toasts' region: a toast that is read or about to be closed stays. */
  readonly isHeld: boolean;
  /** The same of this very moment. */
  readonly isWithin: () => boolean;
  /** Puts the focus where it was before it came to the region. */
  readonly giveBack: () => void;
}

const nowhere: ToastFocus = { isHeld: false, isWithin: () => false, giveBack: () => undefined };

export const ToastFocusContext = createContext(nowhere);

import { useCallback, useState } from 'react';

/** How a dialog with a form is left. */
export interface Leaving {
  /** Whether to ask, in the buttons' place, if what was written is to be given up. */
  readonly isLeaving: boolean;
  readonly setIsDirty: (isDirty: boolean) => void;
  /** Leaves without a question. */
  readonly leave: () => void;
  /** Leaves, or asks first if something would be lost; takes the question back if it stands already. */
  readonly askToLeave: () => void;
  readonly stay: () => void;
}

/**
 * Leaves a dialog only by those who say so: what was written in it is asked about first (`LeaveQuestion`).
 * @param onLeave - closes the dialog
 */
export function useLeaving(onLeave: () => void): Leaving {
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const tellDirty = useCallback((isNowDirty: boolean) => {
    setIsDirty(isNowDirty);
    // The browser's Back takes the form away, and the question with it.
    if (!isNowDirty) setIsLeaving(false);
  }, []);
  const leave = () => {
    setIsLeaving(false);
    onLeave();
  };
  const askToLeave = () => {
    if (isLeaving) setIsLeaving(false);
    else if (isDirty) setIsLeaving(true);
    else leave();
  };
  return { isLeaving, setIsDirty: tellDirty, leave, askToLeave, stay: () => setIsLeaving(false) };
}

import { useCallback, useState } from 'react';

/** How a dialog with a form is left. */
export interface Leaving {
  /** Whether it is asked, in the buttons' place, if what was written is to be given up. */
  readonly isAsking: boolean;
  readonly setIsDirty: (isDirty: boolean) => void;
  /** Leaves without a question. */
  readonly leave: () => void;
  /** Acts, or asks first if something would be lost; takes the question back if one stands already. */
  readonly askTo: (act: () => void) => void;
  readonly askToLeave: () => void;
  /** Does what was asked about. */
  readonly discard: () => void;
  readonly stay: () => void;
}

/**
 * Gives what was written in a dialog up only by those who say so: it is asked about first (`LeaveQuestion`).
 * @param onLeave - closes the dialog
 */
export function useDiscardConfirmation(onLeave: () => void): Leaving {
  const [isDirty, setIsDirty] = useState(false);
  const [question, setQuestion] = useState<() => void>();
  const stay = () => setQuestion(undefined);
  const tellDirty = useCallback((isNowDirty: boolean) => {
    setIsDirty(isNowDirty);
    // The browser's Back takes the form away, and the question with it.
    if (!isNowDirty) setQuestion(undefined);
  }, []);
  const leave = () => {
    stay();
    onLeave();
  };
  const askTo = (act: () => void) => {
    if (question) stay();
    else if (isDirty) setQuestion(() => act);
    else act();
  };
  const discard = () => {
    stay();
    question?.();
  };
  const isAsking = question !== undefined;
  return { isAsking, setIsDirty: tellDirty, leave, askTo, askToLeave: () => askTo(leave), discard, stay };
}

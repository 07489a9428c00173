import { useCallback, useState } from 'react';

/** The ways to leave a dialog with a form. */
export interface Leaving {
  /** Whether the confirmation replaces the buttons. */
  readonly isAsking: boolean;
  readonly setIsDirty: (isDirty: boolean) => void;
  /** Closes without a confirmation. */
  readonly leave: () => void;
  /** Calls `act`, or shows the confirmation first if changes would be lost. Hides a confirmation that is shown. */
  readonly askTo: (act: () => void) => void;
  readonly askToLeave: () => void;
  /** Performs the confirmed action. */
  readonly discard: () => void;
  readonly stay: () => void;
}

/**
 * Confirms that unsaved changes in a dialog are discarded (`FormQuestion`).
 * @param onLeave - closes the dialog
 */
export function useDiscardConfirmation(onLeave: () => void): Leaving {
  const [isDirty, setIsDirty] = useState(false);
  const [question, setQuestion] = useState<() => void>();
  const stay = () => setQuestion(undefined);
  const tellDirty = useCallback((isNowDirty: boolean) => {
    setIsDirty(isNowDirty);
    // The browser's Back unmounts the form, so the confirmation must disappear as well.
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

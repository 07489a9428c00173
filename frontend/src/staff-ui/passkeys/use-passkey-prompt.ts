import { useEffect, useRef, useState } from 'react';
import { isRequestFailure, type RequestFailure } from '../../api-client/request.ts';
import { closePasskeyPrompt, loadPasskeys, PasskeyPromptError } from './browser-passkeys.ts';

interface PasskeyPrompt {
  readonly isPending: boolean;
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
  readonly start: () => void;
}

/**
 * Runs the browser's prompt and the calls before and after it. Leaving the component closes the prompt.
 * @param run - rejects with a `PasskeyPromptError` or the failure of a request
 * @param textOf - returns the text for the failure of a request
 */
export function usePasskeyPrompt(run: () => Promise<void>, textOf: (failure: RequestFailure) => string): PasskeyPrompt {
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isOpen = useRef(false);

  useEffect(() => {
    // Safari shows the prompt only shortly after a press, so its code must be there by then. A failure shows later.
    loadPasskeys().catch(() => undefined);
    return () => {
      if (isOpen.current) void closePasskeyPrompt();
    };
  }, []);

  const attempt = async () => {
    setFailure(undefined);
    setIsPending(true);
    isOpen.current = true;
    try {
      await run();
    } catch (error) {
      if (error instanceof PasskeyPromptError) setFailure(error.message);
      else if (isRequestFailure(error)) setFailure(textOf(error));
      else throw error;
    } finally {
      isOpen.current = false;
      setIsPending(false);
    }
  };
  return { isPending, failure, start: () => void attempt() };
}

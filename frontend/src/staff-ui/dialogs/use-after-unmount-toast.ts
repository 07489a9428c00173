import { useLayoutEffect, useMemo, useRef } from 'react';
import type { RequestFailure } from '../../api-client/request.ts';
import { toasts } from '../../toasts/toasts.ts';

/** For what waits for an answer: its page may be left meanwhile, by the browser's Back. */
export function useAfterUnmountToast() {
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);

  return useMemo(
    () => ({
      isThere: () => isMounted.current,
      /** Says as a toast what would be said where nobody is any more. A 401 leads to the login, which says enough. */
      tellIfGone: (failure: RequestFailure, text: string) => {
        if (!isMounted.current && failure.status !== 401) toasts.error(text);
      },
    }),
    [],
  );
}

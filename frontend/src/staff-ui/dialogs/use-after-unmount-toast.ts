import { useLayoutEffect, useMemo, useRef } from 'react';
import type { RequestFailure } from '../../api-client/request.ts';
import { toasts } from '../../toasts/toasts.ts';

/** For components that wait for a response: the user may leave the page in the meantime, e.g. with Back. */
export function useAfterUnmountToast() {
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);

  return useMemo(
    () => ({
      isThere: () => isMounted.current,
      /**
       * Shows a failure as a toast if the component has unmounted. A 401 redirects to the sign-in page, which is
       * enough.
       */
      tellIfGone: (failure: RequestFailure, text: string) => {
        if (!isMounted.current && failure.status !== 401) toasts.error(text);
      },
    }),
    [],
  );
}

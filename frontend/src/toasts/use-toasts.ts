import { useMemo, useRef } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../store/store.ts';
import { dismissToast, showToast } from './toast-thunks.ts';

/** How a feature tells the visitor what became of a request. */
export function useToasts() {
  const dispatch = useDispatch();
  return useMemo(
    () => ({
      /** @param title - left out where specification §8 gives a text only */
      success: (text: string, title?: string) =>
        dispatch(showToast({ style: 'success', text, ...(title === undefined ? {} : { title }) })),
      error: (text: string, title = 'Error') => dispatch(showToast({ style: 'destructive', title, text })),
    }),
    [dispatch],
  );
}

/** The toast of a form's try that failed: it goes with the form's next try. */
export function useFailureToast() {
  const dispatch = useDispatch<AppDispatch>();
  const shown = useRef<string>(undefined);
  return useMemo(
    () => ({
      show: (text: string, title = 'Error') => {
        const { payload } = dispatch(showToast({ style: 'destructive', title, text }));
        shown.current = payload.id;
      },
      takeAway: () => {
        if (shown.current !== undefined) dispatch(dismissToast(shown.current));
        shown.current = undefined;
      },
    }),
    [dispatch],
  );
}

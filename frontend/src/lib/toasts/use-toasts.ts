import { useMemo } from 'react';
import { useDispatch } from 'react-redux';
import { showToast } from './toast-thunks.ts';

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

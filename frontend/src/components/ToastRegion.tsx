import Box from '@mui/material/Box';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { toastLimits } from '../lib/constants.ts';

/** Loaded after the first paint, and before it is needed: a failed request may mean that nothing can be loaded any more. */
const ToastStack = lazy(() => import('./ToastStack.tsx'));

/** Where toasts appear and are announced. F8 moves the focus here (specification §9). */
export function ToastRegion() {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key !== toastLimits.focusKey) return;
      event.preventDefault();
      region.current?.focus();
    };
    document.addEventListener('keydown', focusRegion);
    return () => document.removeEventListener('keydown', focusRegion);
  }, []);

  const giveFocusBack = useCallback(() => {
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  }, []);

  return (
    <Box
      component="section"
      ref={region}
      tabIndex={-1}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
      }}
      aria-label={`Notifications (${toastLimits.focusKey})`}
      sx={{
        displayPrint: 'none',
        position: 'fixed',
        zIndex: 'snackbar',
        bottom: 0,
        right: 0,
        '&:focus-visible': { outline: 'none' },
      }}
    >
      <div ref={setContainer} aria-live="polite" />
      <Suspense>{container && <ToastStack container={container} giveFocusBack={giveFocusBack} />}</Suspense>
    </Box>
  );
}

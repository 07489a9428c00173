import Box from '@mui/material/Box';
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { toastLimits } from '../lib/constants.ts';
import type { ToastStackProps } from './ToastStack.tsx';

/** Where toasts appear and are announced. F8 moves the focus here (specification §9). */
export function ToastRegion() {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const ToastStack = useToastStack();

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
      {/* oxlint-disable-next-line react/static-components -- the component is loaded once and stays the same */}
      {ToastStack && container && <ToastStack container={container} giveFocusBack={giveFocusBack} />}
    </Box>
  );
}

/**
 * The code of the toasts, loaded after the first paint, and before it is needed: a failed request may mean that nothing
 * can be loaded any more.
 */
function useToastStack(): ComponentType<ToastStackProps> | undefined {
  const [loaded, setLoaded] = useState<ComponentType<ToastStackProps>>();
  useEffect(() => {
    const ending = new AbortController();
    const load = async () => {
      try {
        const { default: ToastStack } = await import('./ToastStack.tsx');
        if (!ending.signal.aborted) setLoaded(() => ToastStack);
      } catch (error) {
        reportError(error);
        // The rest of the page runs without it. Whoever goes on to send something comes to a field or button first.
        document.addEventListener('focusin', () => void load(), { once: true, signal: ending.signal });
      }
    };
    void load();
    return () => ending.abort();
  }, []);
  return loaded;
}

import Box from '@mui/material/Box';
import { type ComponentType, type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toastLimits } from './toast-limits.ts';
import { visitor } from '../ui/visitor.ts';
import { ToastFocusContext } from './toast-focus.ts';
import type { ToastStackProps } from './ToastStack.tsx';

/** The region in which toasts appear and are announced. F8 focuses it (docs/PRODUCT.md, "Toasts"). */
export function ToastRegion() {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<EventTarget | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const ToastStack = useToastStack();

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      // Without a toast the region has no button that would return the focus.
      if (event.key !== toastLimits.focusKey || !region.current?.querySelector('button')) return;
      event.preventDefault();
      region.current.focus();
    };
    document.addEventListener('keydown', focusRegion);
    return () => document.removeEventListener('keydown', focusRegion);
  }, []);

  const isWithin = useCallback(() => region.current?.contains(document.activeElement) ?? false, []);
  const returnFocus = useCallback(() => {
    setIsHeld(false);
    // The element that had the focus may have been removed or disabled.
    if (isWithin() && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  }, [isWithin]);
  const focus = useMemo(() => ({ isHeld, isWithin, returnFocus }), [isHeld, isWithin, returnFocus]);

  const staysWithin = ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget);
  return (
    <Box
      component="section"
      ref={region}
      tabIndex={-1}
      onFocus={(event) => {
        if (staysWithin(event)) return;
        cameFrom.current = event.relatedTarget;
        setIsHeld(true);
      }}
      onBlur={(event) => {
        if (!staysWithin(event)) setIsHeld(false);
      }}
      onKeyDown={(event) => {
        const close = event.key === 'Escape' && region.current?.querySelector('button');
        if (!close) return;
        // Otherwise the same key press would also close the dialog.
        event.preventDefault();
        close.click();
      }}
      // A click must not move the focus into the region: the toast would stay and the visitor would lose their place.
      onMouseDown={(event) => event.preventDefault()}
      aria-label={`Notifications (${toastLimits.focusKey})`}
      sx={{
        displayPrint: 'none',
        position: 'fixed',
        zIndex: 'snackbar',
        bottom: 0,
        right: 0,
        // The region has no size. The outline is inside the card, whose colours are the same on every page.
        '&:focus-visible': {
          outline: 'none',
          '& [data-tone]': { outline: '3px solid var(--dt-palette-secondary-main)', outlineOffset: -6 },
        },
      }}
    >
      <div ref={setContainer} aria-live="polite" />
      <ToastFocusContext value={focus}>
        {/* oxlint-disable-next-line react/static-components -- the component is loaded once and stays the same */}
        {ToastStack && container && <ToastStack container={container} />}
      </ToastFocusContext>
    </Box>
  );
}

/**
 * Loads the code of the toasts once a visitor is active. It is not loaded when a toast is needed, because a toast about
 * a failed request may appear while nothing can be loaded.
 */
function useToastStack(): ComponentType<ToastStackProps> | undefined {
  const [loaded, setLoaded] = useState<ComponentType<ToastStackProps>>();
  useEffect(() => {
    const ending = new AbortController();
    const load = async () => {
      try {
        await visitor();
        const { default: ToastStack } = await import('./ToastStack.tsx');
        if (!ending.signal.aborted) setLoaded(() => ToastStack);
      } catch (error) {
        reportError(error);
        // The rest of the page works without it. A visitor who sends a form focuses a field or button first, which
        // tries again.
        document.addEventListener('focusin', () => void load(), { once: true, signal: ending.signal });
      }
    };
    void load();
    return () => ending.abort();
  }, []);
  return loaded;
}

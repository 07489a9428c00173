import { palette } from '@dune-tide/domain/brand';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { serverNow } from '../api-client/server-clock.ts';
import { closeSnackbar, type CustomContentProps } from 'notistack';
import { type PointerEvent, type Ref, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toastLimits } from './toast-limits.ts';
import { forcedColors } from '../styles/forced-colors.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { ToastFocusContext } from './toast-focus.ts';
import type { ToastUndo } from './toasts.ts';

interface ToastCardProps extends Pick<CustomContentProps, 'id' | 'message' | 'variant'> {
  readonly title?: string;
  readonly undo?: ToastUndo | undefined;
  readonly ref?: Ref<HTMLDivElement>;
}

/**
 * One toast. It closes after its duration, or by a swipe to the right beyond the threshold (docs/PRODUCT.md, "Toasts").
 * The timer pauses while the pointer is over the toast or the focus is in its region.
 */
export function ToastCard({ id, message, variant, title, undo, ref }: ToastCardProps) {
  const start = useRef<number | null>(null);
  const [offset, setOffset] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  const { isHeld, isWithin, returnFocus } = use(ToastFocusContext);
  const [isPointedAt, setIsPointedAt] = useState(false);
  const isAway = useIsAway();
  const dismiss = () => {
    if (isWithin()) returnFocus();
    closeSnackbar(id);
  };

  const isRead = isHeld || isPointedAt || isAway;
  useEffect(() => {
    // The time of an undo does not pause.
    if (undo) {
      const timer = setTimeout(() => closeSnackbar(id), undo.until - serverNow());
      return () => clearTimeout(timer);
    }
    if (isRead) return undefined;
    const timer = setTimeout(() => closeSnackbar(id), toastLimits.duration);
    return () => clearTimeout(timer);
  }, [isRead, id, undo]);

  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      // Deferred until the toast has left the page, because React suppresses focus events until then.
      if (own === document.activeElement) queueMicrotask(returnFocus);
    };
  }, [returnFocus]);

  const distance = (event: PointerEvent) => (start.current === null ? 0 : Math.max(0, event.clientX - start.current));
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = event.clientX;
  };
  const end = (event: PointerEvent) => {
    const isSwipe = event.type === 'pointerup' && distance(event) > toastLimits.swipeThreshold;
    start.current = null;
    if (isSwipe) dismiss();
    else setOffset(0);
  };

  return (
    <Box
      ref={ref}
      data-tone="night"
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onPointerDown={begin}
      onPointerMove={(event) => setOffset(distance(event))}
      onPointerUp={end}
      onPointerCancel={end}
      sx={{
        display: 'grid',
        gridTemplateColumns: undo ? 'minmax(0, 1fr) auto auto' : 'minmax(0, 1fr) auto',
        gap: 2,
        alignItems: 'center',
        width: 'min(26rem, calc(100vw - 40px))',
        padding: '16px 12px 16px 20px',
        borderRadius: 1,
        bgcolor: variant === 'error' ? '#7D1826' : palette.teal,
        color: palette.white,
        boxShadow: '0 12px 40px rgba(8, 15, 21, 0.35)',
        touchAction: 'pan-y',
        // A swipe with a mouse would select the text, and the next one would drag the selection.
        userSelect: 'none',
        pointerEvents: 'auto',
        [forcedColors]: { outline: '1px solid', outlineOffset: -1 },
        transition: offset === 0 ? 'transform 160ms' : 'none',
      }}
      style={{ transform: `translateX(${offset}px)` }}
    >
      <Box sx={{ overflowWrap: 'anywhere' }}>
        {title !== undefined && <Typography sx={{ fontWeight: 600 }}>{title}</Typography>}
        <Typography variant="body2">{message}</Typography>
      </Box>
      {undo && (
        <Button
          variant="outlined"
          color="inherit"
          size="small"
          onClick={() => {
            dismiss();
            void undo.onUndo();
          }}
        >
          Undo
        </Button>
      )}
      <IconButton ref={button} aria-label="Dismiss notification" size="small" color="inherit" onClick={dismiss}>
        <CloseIcon />
      </IconButton>
    </Box>
  );
}

/** Returns whether another window has the focus. */
function useIsAway(): boolean {
  const [isAway, setIsAway] = useState(() => !document.hasFocus());
  useEffect(() => {
    const leave = () => setIsAway(true);
    const comeBack = () => setIsAway(false);
    window.addEventListener('blur', leave);
    window.addEventListener('focus', comeBack);
    return () => {
      window.removeEventListener('blur', leave);
      window.removeEventListener('focus', comeBack);
    };
  }, []);
  return isAway;
}

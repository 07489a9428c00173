import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { toastOnTop } from '../styles/layout-constants.ts';

interface FormNoteProps {
  readonly kind: 'error' | 'success';
  /** Whether it is the last element of the form: it scrolls into view and has no margin below. */
  readonly isLast?: boolean;
  readonly children: ReactNode;
}

/** The note may be out of view below the button. */
const show = (note: Element | null): void => note?.scrollIntoView({ block: 'nearest' });

/**
 * Keeps the note clear of the toast that appears with it, at the bottom or, in narrow and short windows, at the top.
 */
const clearOfToast = {
  scrollMarginBottom: '10rem',
  [toastOnTop]: { scrollMarginBottom: '1rem', scrollMarginTop: '14rem' },
};

/** A note about a form as a whole. */
export function FormNote({ kind, isLast = false, children }: FormNoteProps) {
  const colour = `var(--dt-palette-${kind}-main)`;
  return (
    <Typography
      component="div"
      data-note={kind}
      ref={isLast ? show : undefined}
      variant="body2"
      sx={{
        ...(isLast && clearOfToast),
        [isLast ? 'marginTop' : 'marginBottom']: 2,
        padding: '10px 14px',
        borderRadius: 1,
        borderLeft: `3px solid ${colour}`,
        background: `color-mix(in srgb, ${colour} 9%, transparent)`,
      }}
    >
      {children}
    </Typography>
  );
}

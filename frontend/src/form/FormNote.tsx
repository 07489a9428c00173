import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { toastOnTop } from '../styles/layout-constants.ts';

interface FormNoteProps {
  readonly kind: 'error' | 'success';
  /** Whether nothing of the form follows: it comes into view; what follows is else kept at a distance. */
  readonly isLast?: boolean;
  readonly children: ReactNode;
}

/** Below the button it may be out of sight. */
const show = (note: Element | null): void => note?.scrollIntoView({ block: 'nearest' });

/** Clear of the toast that comes with it, which is at the bottom but in narrow and short windows. */
const clearOfToast = {
  scrollMarginBottom: '10rem',
  [toastOnTop]: { scrollMarginBottom: '1rem', scrollMarginTop: '14rem' },
};

/** Words about a form as a whole, within it. */
export function FormNote({ kind, isLast = false, children }: FormNoteProps) {
  const colour = `var(--dt-palette-${kind}-main)`;
  return (
    <Typography
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

import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface FormNoteProps {
  readonly kind: 'error' | 'success';
  /** Whether nothing of the form follows; what follows is else kept at a distance. */
  readonly isLast?: boolean;
  readonly children: ReactNode;
}

/** Words about a form as a whole, within it. */
export function FormNote({ kind, isLast = false, children }: FormNoteProps) {
  const colour = `var(--dt-palette-${kind}-main)`;
  return (
    <Typography
      variant="body2"
      sx={{
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

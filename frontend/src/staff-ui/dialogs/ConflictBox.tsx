import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useRef } from 'react';

interface ConflictBoxProps {
  /** E.g. "This recipe has changed since you opened it". */
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows that another user has changed the entry, and what they changed. It gets the focus. */
export function ConflictBox({ title, children }: ConflictBoxProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.focus({ preventScroll: true });
    notice.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Box
      ref={notice}
      role="alert"
      tabIndex={-1}
      sx={{
        marginBottom: 2.5,
        '&:last-child': { marginBottom: 0 },
        padding: '14px 16px',
        borderRadius: 1,
        borderLeft: '3px solid var(--dt-palette-error-main)',
        background: 'color-mix(in srgb, var(--dt-palette-error-main) 9%, transparent)',
      }}
    >
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      {children}
    </Box>
  );
}

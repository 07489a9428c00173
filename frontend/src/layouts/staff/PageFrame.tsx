import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useRef } from 'react';
import { useRestoreFocus } from './use-restore-focus.ts';

interface PageFrameProps {
  readonly title: string;
  /** One line that describes the page or its state. */
  readonly introduction?: ReactNode;
  /** Shown above the title, e.g. a `BackLink`. */
  readonly back?: ReactNode;
  /** The page's primary action, after the secondary ones. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a staff page. Its title gets the focus after navigation from another page. */
export function PageFrame({ title, introduction, back, actions, children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useRestoreFocus(heading);

  return (
    <>
      {back}
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'end',
          justifyContent: 'space-between',
          columnGap: 3,
          rowGap: 2,
          marginBottom: 'clamp(1.25rem, 2.4vw, 2rem)',
        }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography ref={heading} variant="h1" tabIndex={-1} sx={{ overflowWrap: 'anywhere' }}>
            <bdi>{title}</bdi>
          </Typography>
          {introduction !== undefined && (
            <Typography sx={{ marginTop: 0.75, color: 'text.secondary' }}>{introduction}</Typography>
          )}
        </Box>
        {actions !== undefined && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25 }}>{actions}</Box>}
      </Box>
      {children}
    </>
  );
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useRef } from 'react';
import { useRestoreFocus } from './use-restore-focus.ts';

interface PageFrameProps {
  readonly title: string;
  /** One line on what the page is for, or how it stands. */
  readonly introduction?: ReactNode;
  /** Stands above the title, e.g. a way back. */
  readonly back?: ReactNode;
  /** The page's primary action, with lesser ones before it. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the staff area: its title takes the focus when one has come from another page. */
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

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface AccountSectionProps {
  readonly heading: string;
  readonly text: string;
  /** The part of the address after `#` that scrolls to the section. */
  readonly anchor?: string;
  readonly children: ReactNode;
}

/** A section of the account page: heading, purpose and content, which is beside them in wide windows. */
export function AccountSection({ heading, text, anchor, children }: AccountSectionProps) {
  const id = useId();
  const { hash } = useLocation();
  const section = useRef<HTMLElement>(null);
  const isWanted = anchor !== undefined && hash === `#${anchor}`;
  // The section is rendered after the account was loaded.
  useEffect(() => {
    if (isWanted) section.current?.scrollIntoView();
  }, [isWanted]);
  return (
    <Box
      component="section"
      ref={section}
      id={anchor}
      aria-labelledby={id}
      sx={{
        display: 'grid',
        gridTemplateColumns: { lg: '17rem minmax(0, 34rem)' },
        columnGap: 6,
        rowGap: 2,
        paddingBlock: 'clamp(1.5rem, 2.5vw, 2.25rem)',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ maxWidth: '34rem' }}>
        <Typography id={id} variant="h2">
          {heading}
        </Typography>
        <Typography variant="body2" sx={{ marginTop: 0.75, color: 'text.secondary' }}>
          {text}
        </Typography>
      </Box>
      <Box sx={{ maxWidth: '34rem', minWidth: 0 }}>{children}</Box>
    </Box>
  );
}

import Box from '@mui/material/Box';
import type { RefObject } from 'react';

interface SkipLinkProps {
  /** The element that gets the focus. */
  readonly main: RefObject<HTMLElement | null>;
  readonly mainId: string;
}

/** Skips the navigation for keyboard users; visible only while it has the focus. */
export function SkipLink({ main, mainId }: SkipLinkProps) {
  return (
    <Box
      component="a"
      href={`#${mainId}`}
      onClick={(event) => {
        event.preventDefault();
        main.current?.focus();
      }}
      sx={{
        displayPrint: 'none',
        position: 'fixed',
        zIndex: 'tooltip',
        top: 8,
        left: 8,
        padding: '12px 20px',
        borderRadius: 1,
        bgcolor: 'text.primary',
        color: 'background.default',
        '&:not(:focus)': { transform: 'translateY(-200%)' },
      }}
    >
      Skip to content
    </Box>
  );
}

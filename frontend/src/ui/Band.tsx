import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

type Tone = 'paper' | 'sand' | 'night' | 'tide';

const ground = {
  paper: 'background.paperBand',
  sand: 'background.sandBand',
  night: 'background.nightBand',
  tide: 'background.tideBand',
} as const;

interface BandProps {
  readonly tone: Tone;
  /** The anchor of navigation items. */
  readonly id?: string;
  /** The id of the heading that names the band. */
  readonly labelledBy?: string;
  readonly children: ReactNode;
}

/** A full-width section of a page. On `night` and `tide` its content uses the dark scheme's colours. */
export function Band({ tone, id, labelledBy, children }: BandProps) {
  return (
    <Box
      component="section"
      id={id}
      // A navigation item moves the focus here, so that keyboard users continue from the section.
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={labelledBy}
      data-tone={tone}
      sx={{
        bgcolor: ground[tone],
        color: 'text.primary',
        paddingBlock: 'clamp(4.5rem, 10vw, 9.5rem)',
        position: 'relative',
      }}
    >
      {children}
    </Box>
  );
}

/** The width of the content on every page. */
export const pageWidth = {
  width: '100%',
  maxWidth: '86rem',
  marginInline: 'auto',
  paddingInline: 'clamp(1.25rem, 4.5vw, 4rem)',
};

/** A grid of twelve columns; children span them with `gridColumn`. */
export const Columns = styled('div')(({ theme }) => ({
  ...pageWidth,
  display: 'grid',
  gridTemplateColumns: 'repeat(12, minmax(0, 1fr))',
  columnGap: 'clamp(1rem, 2.2vw, 2rem)',
  // Zero specificity, so that a child's own columns always win.
  '*:where(&) > *': { gridColumn: '1 / -1' },
  [theme.breakpoints.down('sm')]: { columnGap: 'min(1rem, 4vw)' },
}));

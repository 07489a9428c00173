import { brand } from '@dune-tide/domain/brand';
import Box from '@mui/material/Box';
import { sign } from './sign.ts';

/** The studio's logo and name. */
export function Wordmark() {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1.25,
        typography: 'h4',
        fontSize: '1.375rem',
        lineHeight: 1,
        whiteSpace: 'nowrap',
      }}
    >
      <svg width="34" height="26" viewBox="0 0 34 26" aria-hidden="true" focusable="false">
        <circle {...sign.sun} fill="var(--dt-palette-primary-main)" />
        <path d={sign.dunes} fill="currentColor" />
        <path
          d={sign.wave}
          fill="none"
          stroke="var(--dt-palette-secondary-main)"
          strokeWidth={sign.waveWidth}
          strokeLinecap="round"
        />
      </svg>
      {brand.name}
    </Box>
  );
}

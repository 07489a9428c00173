import { brand } from '@dune-tide/domain/brand';
import Box from '@mui/material/Box';

/** The studio's sign and name. */
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
        <circle cx="25" cy="7" r="4.5" fill="var(--dt-palette-primary-main)" />
        <path
          d="M0 17C5 7 10 4 14 5.500c5 2 7.500 8.500 20 10.500v2c-7 .5-11-.5-15-2.500-5-2.500-11-2-19 3z"
          fill="currentColor"
        />
        <path
          d="M1 23c4-3 7-3 10.500-.800s7 2.300 10.500 0 7-2.200 11-.200"
          fill="none"
          stroke="var(--dt-palette-secondary-main)"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
      </svg>
      {brand.name}
    </Box>
  );
}

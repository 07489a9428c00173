import { styled } from '@mui/material/styles';

/** The box that replaces an empty or failed list. */
export const StateBox = styled('div')({
  padding: 'clamp(2rem, 6vw, 4rem) 1.5rem',
  textAlign: 'center',
  borderBlock: '1px solid var(--dt-palette-divider)',
});

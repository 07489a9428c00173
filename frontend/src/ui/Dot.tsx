import Box from '@mui/material/Box';

/** Separates items on one line, with more space than the font has between words. */
export function Dot() {
  return (
    <Box component="span" sx={{ wordSpacing: '0.2em', fontKerning: 'none' }}>
      {' · '}
    </Box>
  );
}

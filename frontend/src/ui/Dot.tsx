import Box from '@mui/material/Box';

/** Parts what stands on one line, with more room than the text face has between words. */
export function Dot() {
  return (
    <Box component="span" sx={{ wordSpacing: '0.2em', fontKerning: 'none' }}>
      {' · '}
    </Box>
  );
}

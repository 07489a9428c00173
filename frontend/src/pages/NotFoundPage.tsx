import { notFoundArt } from '@dune-tide/domain/art/not-found';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { ArtPicture } from '../ui/ArtPicture.tsx';
import { Band, Columns } from '../ui/Band.tsx';

/** The page for unknown paths (docs/PRODUCT.md, "Pages"). */
export function NotFoundPage() {
  return (
    <Band tone="paper" labelledBy="not-found">
      <Columns>
        <Box
          sx={{
            bgcolor: 'background.sandBand',
            marginTop: { xs: 4, sm: 2 },
            borderRadius: 2,
            overflow: 'hidden',
            display: 'grid',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 7fr) minmax(0, 5fr)' },
          }}
        >
          <Box sx={{ padding: 'clamp(min(2rem, 8vw), 6vw, 5rem)', alignSelf: 'center' }}>
            <Typography variant="overline" component="p" sx={{ color: 'primary.main' }}>
              404
            </Typography>
            <Typography id="not-found" variant="h1" sx={{ marginBlock: 2 }}>
              Page Not Found
            </Typography>
            <Typography variant="subtitle1" sx={{ maxWidth: '36ch', color: 'text.secondary', marginBottom: 4 }}>
              The wind has moved this one, or it was never here. The rest of the studio is where you left it.
            </Typography>
            <Button component={RouterLink} to="/" variant="contained">
              Back to Home
            </Button>
          </Box>
          <Box sx={{ overflow: 'hidden', height: { xs: 'min(80vw, 22rem)', md: 'auto' }, minHeight: { md: '34rem' } }}>
            <ArtPicture art={notFoundArt} fit="whole" decorative />
          </Box>
        </Box>
      </Columns>
    </Band>
  );
}

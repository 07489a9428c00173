import { kingroseArt, kingroseNeedleArt } from '@dune-tide/domain/art/kingrose';
import { kingrose } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { keyframes } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Columns } from '../../ui/Band.tsx';
import { motionAllowed, settling } from '../../styles/motion.ts';
import { pointerAcross } from '../../ui/pointer-across.ts';
import { navigationHeight } from '../../styles/layout-constants.ts';
import { followToSection } from '../../routing/scroll.ts';

/** The needle finds its bearing when the page opens. */
const swings = keyframes({
  from: { transform: 'rotate(-46deg)' },
  '45%': { transform: 'rotate(13deg)' },
  '75%': { transform: 'rotate(-5deg)' },
  to: { transform: 'rotate(0)' },
});

/** The rose, and above it the needle, which leans toward the pointer. */
const rose = {
  display: 'grid',
  '& > *': { gridArea: '1 / 1' },
  [motionAllowed]: {
    '& > :last-child': { transition: `rotate 900ms ${settling}`, animation: `${swings} 2.6s ease-in-out` },
  },
};

const needleId = 'kingrose-needle';

function lean(x: number): void {
  const needle = document.getElementById(needleId);
  if (needle) needle.style.rotate = `${(x * 9).toFixed(1)}deg`;
}

/** The first section: a compass rose on a dark background, and two links. */
export function Hero() {
  const { headline, introduction, toContact, toServices } = kingrose.hero;
  return (
    <Box
      component="section"
      id="hero"
      aria-labelledby="kingrose-headline"
      data-tone="night"
      onPointerMove={(event) => lean(pointerAcross(event))}
      onPointerLeave={() => lean(0)}
      sx={{ bgcolor: 'background.nightBand', color: 'text.primary', position: 'relative', overflow: 'clip' }}
    >
      <Columns
        sx={{
          position: 'relative',
          zIndex: 1,
          alignContent: 'center',
          minHeight: { md: 'clamp(44rem, 62vw, 60rem)' },
          paddingTop: 'clamp(7.5rem, 11vw, 9rem)',
          paddingBottom: { xs: 0, md: '5rem' },
        }}
      >
        <Typography variant="overline" sx={{ color: 'secondary.main' }}>
          {kingrose.name}
        </Typography>
        <Typography id="kingrose-headline" variant="h1" sx={{ gridColumn: { md: '1 / span 7' }, marginTop: 2 }}>
          {headline}
        </Typography>
        <Box sx={{ gridColumn: { md: '1 / span 6', lg: '1 / span 5' } }}>
          <Typography variant="subtitle1" sx={{ marginTop: 'clamp(1.5rem, 2.5vw, 2.25rem)', maxWidth: '32em' }}>
            {introduction}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, marginTop: 'clamp(1.5rem, 2.5vw, 2.25rem)' }}>
            <Button variant="contained" href="#contact" onClick={(event) => followToSection(event, 'contact')}>
              {toContact}
            </Button>
            <Button variant="outlined" href="#services" onClick={(event) => followToSection(event, 'services')}>
              {toServices}
            </Button>
          </Box>
        </Box>
      </Columns>
      <Box
        sx={{
          displayPrint: 'none',
          pointerEvents: 'none',
          position: { md: 'absolute' },
          inset: 0,
          // The rays end below the navigation bar.
          maskImage: { md: `linear-gradient(transparent ${navigationHeight}px, #000 10rem)` },
        }}
      >
        <Box
          sx={{
            position: { md: 'absolute' },
            top: '50%',
            right: { md: 'max(-18vw, -17rem)', lg: 'max(-10vw, -10rem)' },
            width: { xs: '112%', sm: '100%', md: 'min(68vw, 64rem)' },
            translate: { xs: '-5.4% 0', sm: 'none', md: '0 -48%' },
            marginTop: { xs: 5, md: 0 },
            // The next band starts at the end of the rose.
            marginBottom: { xs: 5, md: 0 },
            ...rose,
          }}
        >
          <ArtPicture art={kingroseArt} />
          <div id={needleId}>
            <ArtPicture art={kingroseNeedleArt} decorative />
          </div>
        </Box>
      </Box>
    </Box>
  );
}

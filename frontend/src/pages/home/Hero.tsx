import { heroLayers } from '@dune-tide/domain/art/hero';
import { home } from '@dune-tide/domain/content/home';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { MouseEvent } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { Columns } from '../../ui/Band.tsx';
import { pointerAcross } from '../../ui/pointer-across.ts';
import { forcedColors } from '../../styles/forced-colors.ts';
import { ArrowDownIcon } from '../../ui/icons.tsx';
import { opensElsewhere } from '../../routing/link-modifiers.ts';
import { type HomeSection, useGoToSection } from '../../routing/home-sections.ts';
import { followPointer, HeroPicture } from './HeroPicture.tsx';

/** Below the text on narrow screens. The section's background is its sky. */
const picture = {
  pointerEvents: 'none',
  [forcedColors]: { marginTop: 4 },
  '@media print': { marginTop: 4 },
};

/** The first section: the promise, two links, and the studio's picture, whose sky is the section's background. */
export function Hero() {
  const goToSection = useGoToSection();
  const follow = (event: MouseEvent, section: HomeSection) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    goToSection(section);
  };
  return (
    <Box
      component="section"
      id="home"
      tabIndex={-1}
      aria-labelledby="hero-headline"
      onPointerMove={(event) => followPointer(event.currentTarget, pointerAcross(event))}
      onPointerLeave={({ currentTarget }) => followPointer(currentTarget, 0)}
      sx={{
        bgcolor: 'background.sandBand',
        position: 'relative',
        overflow: 'clip',
        '@media (prefers-color-scheme: dark)': { bgcolor: 'background.paperBand' },
      }}
    >
      <Columns sx={{ position: 'relative', zIndex: 1, paddingTop: 'clamp(7.5rem, 11vw, 10.5rem)' }}>
        <Typography id="hero-headline" variant="h1" sx={{ gridColumn: { lg: '1 / span 12' }, maxWidth: '12.6em' }}>
          {home.hero.headline}
        </Typography>
        <Box sx={{ gridColumn: { md: '1 / span 6', lg: '1 / span 5' }, marginTop: 'clamp(1.5rem, 2.5vw, 2.25rem)' }}>
          <Typography variant="subtitle1" sx={{ maxWidth: '34em' }}>
            {home.hero.introduction}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, marginTop: 'clamp(1.5rem, 2.5vw, 2.25rem)' }}>
            <Button component={RouterLink} to="/project-inquiry" variant="contained">
              {home.hero.startProject}
            </Button>
            <Button variant="outlined" href="#portfolio" onClick={(event) => follow(event, 'portfolio')}>
              {home.hero.viewWork}
            </Button>
            <IconButton
              aria-label={home.hero.scrollToServices}
              href="#services"
              onClick={(event) => follow(event, 'services')}
              sx={{
                width: 52,
                height: 52,
                color: 'text.primary',
                '& svg': { transition: 'transform 200ms' },
                '&:hover svg': { transform: 'translateY(4px)' },
              }}
            >
              <ArrowDownIcon />
            </IconButton>
          </Box>
        </Box>
      </Columns>
      <Box sx={{ display: { xs: 'none', sm: 'block' }, marginTop: 'max(-15vw, -18rem)', ...picture }}>
        <HeroPicture layers={heroLayers.wide} />
      </Box>
      <Box sx={{ display: { sm: 'none' }, marginTop: '-18vw', ...picture }}>
        <HeroPicture layers={heroLayers.tall} />
      </Box>
    </Box>
  );
}

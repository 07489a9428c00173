import { careersArt } from '@dune-tide/domain/art/careers';
import { careers } from '@dune-tide/domain/content/careers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { followToSection } from '../../routing/scroll.ts';
import { Columns, pageWidth } from '../../ui/Band.tsx';
import { positionsId } from './Positions.tsx';
import { trainingId } from './Training.tsx';

const tileInks = ['primary.main', 'secondary.main', 'text.primary'] as const;

const Tiles = styled('ul')(({ theme }) => ({
  ...pageWidth,
  position: 'relative',
  margin: '-2.5rem auto 0',
  display: 'grid',
  gap: 'clamp(0.75rem, 1.4vw, 1.25rem)',
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', marginTop: '-5.5rem' },
}));

/** The first section of the careers page, with three benefit tiles. */
export function Hero() {
  const { headline, introduction, toPositions, toTraining, benefits } = careers.hero;
  return (
    <Box component="section" aria-labelledby="careers-headline" sx={{ bgcolor: 'background.paperBand' }}>
      <Box
        sx={{
          position: 'relative',
          bgcolor: 'background.sandBand',
          '@media (prefers-color-scheme: dark)': { bgcolor: 'background.paperBand' },
        }}
      >
        <Columns
          sx={{
            alignContent: 'center',
            minHeight: { md: 'clamp(42rem, 58vw, 54rem)' },
            paddingTop: 'clamp(7rem, 10vw, 9rem)',
            paddingBottom: { xs: 5, md: '9rem' },
          }}
        >
          <Typography variant="overline" sx={{ gridColumn: { md: '1 / span 6' }, color: 'primary.main' }}>
            {careers.name}
          </Typography>
          <Typography
            id="careers-headline"
            variant="h1"
            // Wide enough for "the dune meets" on one line.
            sx={{
              gridColumn: { md: '1 / span 6' },
              marginTop: 2,
              fontSize: { md: 'clamp(3rem, 0.9rem + 6.2vw, 7.25rem)' },
            }}
          >
            {headline}
          </Typography>
          <Typography
            variant="subtitle1"
            sx={{ gridColumn: { md: '1 / span 5' }, marginTop: 'clamp(1.5rem, 2.5vw, 2.25rem)', maxWidth: '30em' }}
          >
            {introduction}
          </Typography>
          <Box
            sx={{
              gridColumn: { md: '1 / span 6' },
              display: 'flex',
              flexWrap: 'wrap',
              gap: 1.5,
              marginTop: 'clamp(1.5rem, 2.5vw, 2.25rem)',
            }}
          >
            <Button
              variant="contained"
              href={`#${positionsId}`}
              onClick={(event) => followToSection(event, positionsId)}
            >
              {toPositions}
            </Button>
            <Button variant="outlined" href={`#${trainingId}`} onClick={(event) => followToSection(event, trainingId)}>
              {toTraining}
            </Button>
          </Box>
        </Columns>
        <Box
          sx={{
            position: { md: 'absolute' },
            inset: { md: '76px 0 0 53%' },
            height: { xs: '92vw', sm: '84vw', md: 'auto' },
            overflow: 'hidden',
          }}
        >
          <ArtPicture art={careersArt} fit="cover" />
        </Box>
      </Box>
      <Tiles>
        {benefits.map((benefit, index) => (
          <Box
            component="li"
            key={benefit.title}
            sx={{
              bgcolor: 'background.paper',
              borderTop: 6,
              borderColor: tileInks[index],
              borderRadius: '2px 2px 4px 4px',
              padding: 'clamp(1.5rem, 2.4vw, 2.25rem)',
            }}
          >
            <Typography variant="h4" component="h2">
              {benefit.title}
            </Typography>
            <Typography sx={{ marginTop: 1.5, color: 'text.secondary' }}>{benefit.description}</Typography>
          </Box>
        ))}
      </Tiles>
    </Box>
  );
}

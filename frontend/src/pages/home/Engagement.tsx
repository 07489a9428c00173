import { home } from '@dune-tide/domain/content/home';
import { homeHero } from '@dune-tide/domain/content/home-hero';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { keyframes, styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { Band, Columns } from '../../ui/Band.tsx';
import { SectionHead } from '../../ui/SectionHead.tsx';

/**
 * The distance of each step's marker from the top of the line, in pixels. The line is a dune that runs into the tide.
 */
const markerHeights = [96, 24, 72, 112, 80];

const drawn = keyframes({ from: { strokeDashoffset: 2 }, to: { strokeDashoffset: 0 } });

const Steps = styled('ol')(({ theme }) => ({
  position: 'relative',
  marginTop: 'clamp(2.5rem, 5vw, 4.5rem)',
  display: 'grid',
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: 'repeat(5, minmax(0, 1fr))',
    columnGap: 'clamp(1rem, 2.2vw, 2rem)',
    paddingTop: 176,
  },
}));

const Line = styled('svg')(({ theme }) => ({
  position: 'absolute',
  top: 0,
  left: 0,
  width: '100%',
  height: 140,
  overflow: 'visible',
  [theme.breakpoints.down('md')]: { display: 'none' },
  // The path of the line before it is drawn.
  '& .bed': { opacity: 0.3 },
  // The line is drawn as the section scrolls into view, in browsers with scroll-driven animations. The dash is longer
  // than the path, because a non-scaling stroke measures its dashes in screen pixels.
  '@media (prefers-reduced-motion: no-preference)': {
    '@supports (animation-timeline: view())': {
      '& .drawn': {
        strokeDasharray: 2,
        animation: `${drawn} linear both`,
        animationTimeline: 'view()',
        animationRange: 'entry 60% cover 60%',
      },
    },
  },
}));

const Step = styled('li')(({ theme }) => ({
  position: 'relative',
  '& .marker': {
    position: 'absolute',
    width: 18,
    height: 18,
    borderRadius: '50%',
    background: 'var(--dt-palette-background-nightBand)',
    border: '4px solid var(--dt-palette-primary-main)',
  },
  [theme.breakpoints.down('md')]: {
    padding: '0 0 2.25rem 2.5rem',
    '&::before': {
      content: '""',
      position: 'absolute',
      left: 8,
      top: 12,
      bottom: -12,
      borderLeft: '2px solid var(--dt-palette-divider)',
    },
    '&:last-of-type::before': { display: 'none' },
    '& .marker': { left: 0, top: 6 },
  },
}));

/** The five steps of an engagement and the response promise (docs/PRODUCT.md, "Response promise"). */
export function Engagement() {
  const { heading, introduction, steps, promise } = home.engagement;
  return (
    <Band tone="night" id="about" labelledBy="engagement-heading">
      <Columns>
        <SectionHead id="engagement-heading" heading={heading} introduction={introduction} />
        <Steps>
          <Line viewBox="0 0 1000 140" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            {['bed', 'drawn'].map((name) => (
              <path
                key={name}
                className={name}
                d="M0 96C70 96 130 24 200 24S320 72 400 72 520 112 600 112 720 80 800 80 930 100 1000 92"
                fill="none"
                stroke="var(--dt-palette-secondary-main)"
                strokeWidth="2.5"
                pathLength={1}
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </Line>
          {steps.map((step, index) => (
            <Step key={step.title}>
              <Box className="marker" sx={{ top: { md: (markerHeights[index] ?? 0) - 9 - 176 } }} />
              <Typography variant="h4" component="h3">
                {step.title}
              </Typography>
              <Typography variant="body2" sx={{ marginTop: 1, color: 'text.secondary', maxWidth: '30em' }}>
                {step.description}
              </Typography>
            </Step>
          ))}
        </Steps>
        <Box
          sx={{
            marginTop: 'clamp(2rem, 6vw, 6rem)',
            paddingTop: 'clamp(1.5rem, 3vw, 2.5rem)',
            borderTop: 1,
            borderColor: 'divider',
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'baseline',
            columnGap: 'clamp(1.5rem, 4vw, 4rem)',
            rowGap: 1.5,
          }}
        >
          <Typography variant="h1" component="p" sx={{ color: 'primary.main' }}>
            {promise.value}
          </Typography>
          <Typography variant="subtitle1" sx={{ maxWidth: '24em' }}>
            {promise.text}
          </Typography>
          <Button
            component={RouterLink}
            to="/project-inquiry"
            variant="contained"
            sx={{ alignSelf: 'center', marginLeft: { lg: 'auto' } }}
          >
            {homeHero.startProject}
          </Button>
        </Box>
      </Columns>
    </Band>
  );
}

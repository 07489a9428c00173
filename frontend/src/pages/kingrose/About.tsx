import { kingrose, kingroseNiches } from '@dune-tide/domain/content/kingrose';
import { studioFacts } from '@dune-tide/domain/content/studio-facts';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';

/** In wide windows the prices are on a ruler from $10k to $20k, with a mark for each thousand. */
const Prices = styled('dl')(({ theme }) => ({
  display: 'grid',
  '& > div': { display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' },
  [theme.breakpoints.down('md')]: {
    '& > div': { paddingBlock: '1rem', borderTop: '1px solid var(--dt-palette-divider)' },
  },
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
    '& > div:first-of-type': { gridColumn: '1 / -1', paddingBlock: '0.75rem 1.5rem' },
    '& > div:nth-of-type(2)': { gridColumn: '2 / span 2', gridRow: 3, textAlign: 'center' },
    '& > div:nth-of-type(3)': { gridColumn: '4', gridRow: 3, textAlign: 'right' },
    // The price of an example is at the other end of the ruler.
    '&::before': {
      ...theme.typography.h3,
      content: 'attr(data-start) / ""',
      gridColumn: 1,
      gridRow: 3,
      color: 'var(--dt-palette-text-secondary)',
    },
    '&::after': {
      content: '""',
      gridColumn: '1 / -1',
      gridRow: 2,
      height: 40,
      borderTop: '10px solid var(--dt-palette-secondary-main)',
      backgroundImage: 'linear-gradient(90deg, var(--dt-palette-text-primary) 2px, transparent 2px)',
      backgroundSize: 'calc((100% - 2px) / 10) 14px',
      backgroundRepeat: 'repeat-x',
    },
  },
}));

/** The description of KingRose and its prices on one ruler. */
export function About() {
  const { heading, paragraphs, scale } = kingrose.about;
  const prices = [scale.range, ...kingroseNiches.map(({ example }) => example).reverse()];
  return (
    <Band tone="paper" id="about" labelledBy="about-heading">
      <Columns sx={{ rowGap: 3 }}>
        <Typography id="about-heading" variant="h2" sx={{ gridColumn: { md: '1 / span 6' } }}>
          {heading}
        </Typography>
        <Box sx={{ gridColumn: { md: '8 / -1' }, display: 'grid', gap: 2 }}>
          {paragraphs.map((paragraph) => (
            <Typography key={paragraph} sx={{ maxWidth: '36em' }}>
              {paragraph}
            </Typography>
          ))}
        </Box>
        <Box sx={{ marginTop: 'clamp(2.5rem, 6vw, 6rem)' }}>
          <Typography variant="h4" component="h3" sx={{ marginBottom: { xs: 2, md: 0 } }}>
            {scale.heading}
          </Typography>
          <Prices data-start={scale.range.price.split('-')[0]}>
            {prices.map(({ price, title }, index) => (
              <div key={title}>
                <Typography component="dt" sx={{ color: 'text.secondary' }}>
                  {title}
                </Typography>
                <Typography component="dd" variant={index === 0 ? 'h2' : 'h3'}>
                  {price}
                </Typography>
              </div>
            ))}
          </Prices>
          {studioFacts.kingroseRiyals !== '' && (
            <Typography variant="body2" sx={{ marginTop: 2, color: 'text.secondary' }}>
              {studioFacts.kingroseRiyals}
            </Typography>
          )}
        </Box>
      </Columns>
    </Band>
  );
}

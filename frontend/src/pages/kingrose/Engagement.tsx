import { engagementArt } from '@dune-tide/domain/art/kingrose';
import { kingrose, kingroseSteps } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { sticky } from '../../styles/layout-constants.ts';

const Steps = styled('ol')(({ theme }) => ({
  counterReset: 'step',
  '& > li': {
    counterIncrement: 'step',
    display: 'grid',
    gridTemplateColumns: 'clamp(3rem, 7vw, 6.5rem) minmax(0, 1fr)',
    alignItems: 'baseline',
    paddingBlock: 'clamp(1.25rem, 2.4vw, 2.25rem)',
    borderTop: '1px solid var(--dt-palette-divider)',
    // Screen readers already announce the numbers of an ordered list.
    '&::before': {
      ...theme.typography.h2,
      content: 'counter(step) / ""',
      color: 'var(--dt-palette-primary-main)',
    },
  },
}));

export function Engagement() {
  const { heading, introduction } = kingrose.engagement;
  return (
    <Band tone="paper" id="engagement" labelledBy="engagement-heading">
      <Columns sx={{ rowGap: 6 }}>
        <Box sx={{ gridColumn: { md: '1 / span 5' } }}>
          <Box sx={{ position: { md: sticky }, top: 120 }}>
            <Typography id="engagement-heading" variant="h2">
              {heading}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 2.5, color: 'text.secondary', maxWidth: '24em' }}>
              {introduction}
            </Typography>
            <Box sx={{ width: { xs: '70%', sm: '50%', md: '80%' }, maxWidth: '24rem', marginTop: 5 }}>
              <ArtPicture art={engagementArt} decorative />
            </Box>
          </Box>
        </Box>
        <Box sx={{ gridColumn: { md: '7 / -1' } }}>
          <Steps>
            {kingroseSteps.map((step) => (
              <li key={step.title}>
                <div>
                  <Typography variant="h3">{step.title}</Typography>
                  <Typography sx={{ marginTop: 1, color: 'text.secondary', maxWidth: '34em' }}>
                    {step.description}
                  </Typography>
                </div>
              </li>
            ))}
          </Steps>
        </Box>
      </Columns>
    </Band>
  );
}

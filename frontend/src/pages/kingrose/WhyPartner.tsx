import { kingrose } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';

const Reasons = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: 'clamp(0.75rem, 1.4vw, 1.25rem)',
  [theme.breakpoints.up('sm')]: {
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    '& > li:nth-of-type(even)': { translate: '0 2.5rem' },
    paddingBottom: '2.5rem',
  },
}));

/** The four "why partner" cards. */
export function WhyPartner() {
  const { heading, reasons } = kingrose.why;
  return (
    <Band tone="sand" id="why-partner" labelledBy="why-heading">
      <Columns sx={{ rowGap: 5 }}>
        <Typography id="why-heading" variant="h2" sx={{ gridColumn: { md: '1 / span 4' } }}>
          {heading}
        </Typography>
        <Reasons sx={{ gridColumn: { md: '5 / -1' } }}>
          {reasons.map((reason) => (
            <Box
              component="li"
              key={reason.title}
              sx={{
                bgcolor: 'background.paperBand',
                borderRadius: 1,
                padding: 'clamp(1.5rem, 3vw, 2.75rem)',
                paddingBottom: 'clamp(2.5rem, 6vw, 5.5rem)',
              }}
            >
              <Typography variant="h3">{reason.title}</Typography>
              <Typography sx={{ marginTop: 2, color: 'text.secondary', maxWidth: '30em' }}>
                {reason.description}
              </Typography>
            </Box>
          ))}
        </Reasons>
      </Columns>
    </Band>
  );
}

import { kingroseServiceArt } from '@dune-tide/domain/art/kingrose';
import { kingrose, kingroseServices } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { SectionHead } from '../../ui/SectionHead.tsx';

/** A grid of cards with thin lines between them and none around them. */
const Panel = styled('ul')(({ theme }) => ({
  marginTop: 'clamp(2.5rem, 5vw, 4.5rem)',
  display: 'grid',
  overflow: 'clip',
  '& > li': {
    padding: 'clamp(1.5rem, 3vw, 2.75rem)',
    borderLeft: '1px solid var(--dt-palette-divider)',
    borderTop: '1px solid var(--dt-palette-divider)',
    marginLeft: -1,
    marginTop: -1,
  },
  [theme.breakpoints.down('sm')]: { '& > li': { paddingInline: 0, border: 0, margin: 0 } },
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  [theme.breakpoints.up('lg')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
}));

export function Services() {
  const { heading, introduction } = kingrose.services;
  return (
    <Band tone="tide" id="services" labelledBy="services-heading">
      <Columns>
        <SectionHead id="services-heading" heading={heading} introduction={introduction} />
        <Panel>
          {kingroseServices.map((service) => (
            <li key={service.title}>
              <Box sx={{ width: 'clamp(6rem, 9vw, 8rem)' }}>
                <ArtPicture art={kingroseServiceArt[service.title]} decorative />
              </Box>
              <Typography variant="h4" component="h3" sx={{ marginTop: 3 }}>
                {service.title}
              </Typography>
              <Typography sx={{ marginTop: 1.5, color: 'text.secondary', maxWidth: '30em' }}>
                {service.description}
              </Typography>
            </li>
          ))}
        </Panel>
      </Columns>
    </Band>
  );
}

import { serviceArt } from '@dune-tide/domain/art/services';
import { home } from '@dune-tide/domain/content/home';
import type { Service } from '@dune-tide/domain/content/service';
import { services } from '@dune-tide/domain/content/services';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { Link as RouterLink } from 'react-router-dom';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { ArrowRightIcon } from '../../ui/icons.tsx';
import { pictureFrame } from '../../styles/motion.ts';
import { SectionHead } from '../../ui/SectionHead.tsx';

const Cards = styled('ul')(({ theme }) => ({
  marginTop: 'clamp(2.5rem, 5vw, 4.5rem)',
  display: 'grid',
  columnGap: 'clamp(1rem, 2.2vw, 2rem)',
  rowGap: '3.5rem',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  [theme.breakpoints.up('lg')]: { gridTemplateColumns: 'repeat(4, minmax(0, 1fr))' },
  // In smaller windows only if the letters are not large.
  '@media (min-width: 62rem)': { gridTemplateColumns: 'repeat(4, minmax(0, 1fr))' },
}));

const Features = styled('ul')({
  gridColumn: '1 / -1',
  '& li': { paddingBlock: 9, borderTop: '1px solid var(--dt-palette-divider)', fontSize: '0.9375rem', fontWeight: 500 },
});

/** A phone with letters of twice the size, where no word fits beside the picture. */
const largeLetters = '@media (max-width: 16rem)';

/** The four services as cards, in 1, 2 or 4 columns. */
export function Expertise() {
  return (
    <Band tone="paper" id="services" labelledBy="services-heading">
      <Columns>
        <SectionHead id="services-heading" heading={home.services.heading} introduction={home.services.introduction} />
        <Cards>
          {services.map((service) => (
            <ServiceCard key={service.slug} service={service} />
          ))}
        </Cards>
      </Columns>
    </Band>
  );
}

function ServiceCard({ service }: { readonly service: Service }) {
  const titleId = `service-${service.slug}`;
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        display: 'grid',
        // On phones the picture is beside the text. Above the text, it would fill the window and hide the service's
        // name.
        gridTemplateColumns: { xs: 'clamp(4.5rem, 27vw, 9rem) minmax(0, 1fr)', sm: 'minmax(0, 1fr)' },
        gridTemplateRows: { xs: 'auto 1fr', sm: 'subgrid' },
        gridRow: { sm: 'span 5' },
        [largeLetters]: { gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: 'none' },
        columnGap: 2,
        rowGap: 0,
        alignContent: 'start',
      }}
    >
      <Box
        sx={{
          gridRow: { xs: '1 / span 2', sm: 'auto' },
          // It may be higher than the text beside it.
          marginBottom: { xs: 2.5, sm: 0 },
          alignSelf: 'start',
          borderRadius: 1,
          ...pictureFrame,
          display: 'grid',
          aspectRatio: '1',
          [largeLetters]: { gridRow: 'auto', width: '9rem', maxWidth: '100%' },
        }}
      >
        <ArtPicture art={serviceArt[service.slug]} fit="cover" decorative />
      </Box>
      <Typography id={titleId} variant="h4" component="h3" sx={{ marginTop: { sm: 3 } }}>
        {service.title}
      </Typography>
      <Typography variant="body2" sx={{ marginTop: 1, marginBottom: 2.5, color: 'text.secondary' }}>
        {service.description}
      </Typography>
      <Features>
        {service.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </Features>
      <Box sx={{ gridColumn: '1 / -1', borderTop: 1, borderColor: 'divider', paddingTop: 1 }}>
        <Button
          component={RouterLink}
          to={service.href}
          color="inherit"
          endIcon={<ArrowRightIcon />}
          sx={{
            // The link covers the card, with its picture and title.
            position: 'static',
            '&::after': { content: '""', position: 'absolute', inset: 0 },
            paddingInline: 0,
            minWidth: 0,
            color: 'primary.main',
            '& .MuiButton-endIcon': { transition: 'transform 200ms' },
            '&:hover': { background: 'none', '& .MuiButton-endIcon': { transform: 'translateX(5px)' } },
          }}
        >
          <span>{home.services.learnMore}</span>
          {/* The links need distinct names for screen readers and search engines, which read them without the
              heading. */}
          <Box component="span" sx={visuallyHidden}>{` about ${service.title}`}</Box>
        </Button>
      </Box>
    </Box>
  );
}

import { nicheArt } from '@dune-tide/domain/art/kingrose';
import { kingrose, type KingroseNiche, kingroseNiches } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { SectionHead } from '../../ui/SectionHead.tsx';

const Uses = styled('ul')({
  marginTop: '1.5rem',
  '& li': { paddingBlock: 9, borderTop: '1px solid var(--dt-palette-divider)', fontWeight: 500 },
});

/** The two niches, each with an example and its price. */
export function Niches() {
  const { heading, introduction } = kingrose.niches;
  return (
    <Band tone="sand" id="niches" labelledBy="niches-heading">
      <Columns>
        <SectionHead id="niches-heading" heading={heading} introduction={introduction} />
        {kingroseNiches.map((niche, index) => (
          <Niche key={niche.slug} niche={niche} index={index} />
        ))}
      </Columns>
    </Band>
  );
}

function Niche({ niche, index }: { readonly niche: KingroseNiche; readonly index: number }) {
  return (
    <Box
      component="article"
      sx={{
        gridColumn: { md: index === 0 ? '1 / span 6' : '7 / -1' },
        marginTop: { xs: index === 0 ? 5 : 2, md: 'clamp(2.5rem, 5vw, 4.5rem)' },
        display: 'flex',
        flexDirection: 'column',
        bgcolor: 'background.paperBand',
        borderRadius: 1,
        overflow: 'hidden',
      }}
    >
      <ArtPicture art={nicheArt[niche.slug]} />
      <Box
        sx={{
          padding: 'clamp(min(1.5rem, 7.5vw), 3vw, 2.75rem)',
          display: 'flex',
          flexDirection: 'column',
          flexGrow: 1,
        }}
      >
        <Typography variant="caption" component="p" sx={{ color: 'secondary.main', fontWeight: 600 }}>
          {niche.audience}
        </Typography>
        <Typography variant="h3" sx={{ marginTop: 1 }}>
          {niche.title}
        </Typography>
        <Typography sx={{ marginTop: 2, color: 'text.secondary', maxWidth: '38em' }}>{niche.description}</Typography>
        <Uses>
          {niche.uses.map((use) => (
            <li key={use}>{use}</li>
          ))}
        </Uses>
        <Box
          sx={{
            marginTop: 'auto',
            paddingTop: 3,
            borderTop: 1,
            borderColor: 'divider',
            display: 'grid',
            gridTemplateColumns: { sm: 'auto minmax(0, 1fr)' },
            columnGap: 3,
            rowGap: 1,
          }}
        >
          <Typography variant="h2" component="p" sx={{ color: 'primary.main' }}>
            {niche.example.price}
          </Typography>
          <div>
            <Typography variant="h6" component="h4">
              {niche.example.title}
            </Typography>
            <Typography variant="body2" sx={{ marginTop: 0.5, color: 'text.secondary', maxWidth: '32em' }}>
              {niche.example.description}
            </Typography>
          </div>
        </Box>
      </Box>
    </Box>
  );
}

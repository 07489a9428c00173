import { trainingArt } from '@dune-tide/domain/art/careers';
import { careers, type TrainingProgram, trainingPrograms } from '@dune-tide/domain/content/careers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { scriptedOnly } from '../../styles/layout-constants.ts';
import { Dot } from '../../ui/Dot.tsx';
import { SectionHead } from '../../ui/SectionHead.tsx';

const Programs = styled('ul')(({ theme }) => ({
  marginTop: 'clamp(2.5rem, 5vw, 4.5rem)',
  display: 'grid',
  columnGap: 'clamp(1.5rem, 4vw, 4rem)',
  rowGap: '4rem',
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    gridTemplateRows: 'auto auto auto',
  },
}));

const Modules = styled('ol')({
  marginTop: '0.75rem',
  '& li': { paddingBlock: '0.55rem', borderTop: '1px solid var(--dt-palette-divider)' },
});

/** The anchor of the training programs. */
export const trainingId = 'training-programs';

/** The training programs: three dunes on one baseline, as high as the programs are long. */
export function Training({ onApply }: { readonly onApply: () => void }) {
  const { heading, introduction } = careers.training;
  return (
    <Band tone="night" id={trainingId} labelledBy="training-heading">
      <Columns>
        <SectionHead id="training-heading" heading={heading} introduction={introduction} />
        <Programs>
          {trainingPrograms.map((program) => (
            <Program key={program.title} program={program} />
          ))}
        </Programs>
        <Box sx={{ marginTop: 'clamp(2.5rem, 5vw, 4rem)', ...scriptedOnly }}>
          <Button variant="contained" onClick={onApply}>
            {careers.training.apply}
          </Button>
        </Box>
      </Columns>
    </Band>
  );
}

function Program({ program }: { readonly program: TrainingProgram }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { sm: 'minmax(0, 2fr) minmax(0, 3fr)', md: 'none' },
        columnGap: 'clamp(1.5rem, 4vw, 4rem)',
        gridTemplateRows: { sm: 'auto 1fr', md: 'subgrid' },
        gridRow: { md: 'span 3' },
        rowGap: 0,
        alignContent: 'start',
      }}
    >
      <Box
        sx={{
          gridRow: { sm: 'span 2', md: 'auto' },
          alignSelf: { xs: 'end', sm: 'start', md: 'end' },
          width: { xs: '64%', sm: 'auto' },
          borderBottom: '3px solid',
          borderColor: 'text.primary',
        }}
      >
        <ArtPicture art={trainingArt[program.title]} />
      </Box>
      <div>
        <Typography variant="h3" sx={{ marginTop: { xs: 3, sm: 0, md: 3 } }}>
          {program.title}
        </Typography>
        <Typography sx={{ marginTop: 1, fontWeight: 600, color: 'primary.main' }}>
          {program.weeks} weeks
          <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
            <Dot />
            {program.level}
          </Box>
        </Typography>
        <Typography sx={{ marginTop: 2, color: 'text.secondary', maxWidth: '32em' }}>{program.description}</Typography>
      </div>
      <Box sx={{ marginTop: 3 }}>
        <Typography variant="h6" component="h4">
          {careers.training.modules}
        </Typography>
        <Modules>
          {program.modules.map((module) => (
            <Typography key={module} component="li" variant="body2">
              {module}
            </Typography>
          ))}
        </Modules>
      </Box>
    </Box>
  );
}

import { projectInquiryArt } from '@dune-tide/domain/art/project-inquiry';
import { projectInquiryContent } from '@dune-tide/domain/content/project-inquiry';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns, pageWidth } from '../../ui/Band.tsx';
import { ArabicLine, FormGuide } from '../../ui/FormGuide.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import { BackToHome } from '../../layouts/site/BackToHome.tsx';

const ProjectInquiryForm = lazyForm(() => import('../../features/inquiries/ProjectInquiryForm.tsx'));

/** Spans the full width. On small screens its left end is clipped, because the boat is on the right. */
const Picture = styled('div')(({ theme }) => ({
  '--width': 'max(100%, 52rem)',
  marginTop: 'max(-13vw, -15rem)',
  pointerEvents: 'none',
  '& svg': { width: 'var(--width)', marginLeft: 'calc(100% - var(--width))' },
  // The rings around the sun must not cross the text.
  [theme.breakpoints.down('sm')]: { marginTop: '1rem' },
}));

const headingId = 'project-inquiry-heading';

/** The project inquiry page: a hero with a link back, and the form. */
export function ProjectInquiryPage() {
  return (
    <>
      <Box
        component="section"
        aria-labelledby={headingId}
        sx={{
          bgcolor: 'background.sandBand',
          overflow: 'clip',
          '@media (prefers-color-scheme: dark)': { bgcolor: 'background.paperBand' },
        }}
      >
        <Columns sx={{ position: 'relative', zIndex: 1, paddingTop: 'clamp(5.5rem, 8vw, 7rem)' }}>
          <Box sx={{ gridColumn: { md: '1 / span 7' } }}>
            <BackToHome />
            <Typography id={headingId} variant="h1" sx={{ marginTop: 'clamp(1rem, 3vw, 2.5rem)' }}>
              {projectInquiryContent.title}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 'clamp(1.25rem, 2.2vw, 2rem)', maxWidth: '30em' }}>
              {projectInquiryContent.introduction}
            </Typography>
            <ArabicLine />
          </Box>
        </Columns>
        <Picture>
          <ArtPicture art={projectInquiryArt} />
        </Picture>
      </Box>
      <Band tone="paper">
        <Box sx={{ ...pageWidth, display: 'flex', flexDirection: 'column', rowGap: 'clamp(2rem, 4vw, 4rem)' }}>
          <Box sx={{ order: { xs: 1, md: 0 } }}>
            <FormGuide form="inquiry" arrangement="row" heading="h2" example="tamra-market" />
          </Box>
          <div>
            <LoadBoundary isOfForm>
              <ProjectInquiryForm />
            </LoadBoundary>
          </div>
        </Box>
      </Band>
    </>
  );
}

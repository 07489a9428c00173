import { careers } from '@dune-tide/domain/content/careers';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';
import { ArabicLine, FormGuide } from '../../ui/FormGuide.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import type { PositionChoice } from '../../features/career-application/position-choice.ts';

const CareerApplicationForm = lazyForm(() => import('../../features/career-application/CareerApplicationForm.tsx'));

/** The anchor of the form. */
export const applicationId = 'application-form';

/** The form's height, reserved until the form has loaded after navigation from another page. */
const formHeight = { xs: 1400, sm: 960 };

export function Application({ choice }: { readonly choice: PositionChoice }) {
  const { heading, introduction } = careers.application;
  return (
    <Band tone="paper" id={applicationId} labelledBy="application-heading">
      <Columns sx={{ rowGap: 6, gridTemplateRows: { md: 'auto 1fr' } }}>
        <Box sx={{ gridColumn: { md: '1 / span 4' } }}>
          <Typography id="application-heading" variant="h2">
            {heading}
          </Typography>
          <Typography variant="subtitle1" sx={{ marginTop: 3, color: 'text.secondary', maxWidth: '24em' }}>
            {introduction}
          </Typography>
          <ArabicLine />
        </Box>
        <Box sx={{ gridColumn: { md: '6 / -1' }, gridRow: { md: '1 / span 2' }, minHeight: formHeight }}>
          <LoadBoundary isOfForm>
            <CareerApplicationForm choice={choice} />
          </LoadBoundary>
        </Box>
        <Box sx={{ gridColumn: { md: '1 / span 4' }, maxWidth: '30rem' }}>
          <Box sx={{ position: { md: 'sticky' }, top: 120 }}>
            <FormGuide form="application" />
          </Box>
        </Box>
      </Columns>
    </Band>
  );
}

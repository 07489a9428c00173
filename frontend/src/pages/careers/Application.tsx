import { careers } from '@dune-tide/domain/content/careers';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';
import { FormGuide } from '../../ui/FormGuide.tsx';
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
      <Columns sx={{ rowGap: 6 }}>
        <Box sx={{ gridColumn: { md: '1 / span 4' } }}>
          <Box sx={{ position: { md: 'sticky' }, top: 120 }}>
            <Typography id="application-heading" variant="h2">
              {heading}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 3, color: 'text.secondary', maxWidth: '24em' }}>
              {introduction}
            </Typography>
            <Box sx={{ marginTop: 5, maxWidth: '30rem' }}>
              <FormGuide form="application" />
            </Box>
          </Box>
        </Box>
        <Box sx={{ gridColumn: { md: '6 / -1' }, minHeight: formHeight }}>
          <LoadBoundary isOfForm>
            <CareerApplicationForm choice={choice} />
          </LoadBoundary>
        </Box>
      </Columns>
    </Band>
  );
}

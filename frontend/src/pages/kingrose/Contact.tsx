import { kingrose } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';
import { FormGuide } from '../../ui/FormGuide.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';

const DiscoveryForm = lazyForm(() => import('../../features/inquiries/DiscoveryForm.tsx'));

/** The form's height, reserved until the form has loaded after navigation from another page. */
const formHeight = { xs: 1570, sm: 1055 };

export function Contact() {
  const { heading, introduction } = kingrose.contact;
  return (
    <Band tone="night" id="contact" labelledBy="contact-heading">
      <Columns sx={{ rowGap: 6 }}>
        <Box sx={{ gridColumn: { md: '1 / span 5' } }}>
          <Box sx={{ position: { md: 'sticky' }, top: 120 }}>
            <Typography id="contact-heading" variant="h2">
              {heading}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 3, color: 'text.secondary', maxWidth: '26em' }}>
              {introduction}
            </Typography>
            <Box sx={{ marginTop: 5, maxWidth: '30rem' }}>
              <FormGuide form="discovery" />
            </Box>
          </Box>
        </Box>
        <Box sx={{ gridColumn: { md: '7 / -1' }, minHeight: formHeight }}>
          <LoadBoundary isOfForm>
            <DiscoveryForm />
          </LoadBoundary>
        </Box>
      </Columns>
    </Band>
  );
}

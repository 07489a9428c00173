import { kingrose } from '@dune-tide/domain/content/kingrose';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';
import { ArabicLine, FormGuide } from '../../ui/FormGuide.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';

const DiscoveryForm = lazyForm(() => import('../../features/inquiries/DiscoveryForm.tsx'));

/** The form's height, reserved until the form has loaded after navigation from another page. */
const formHeight = { xs: 1570, sm: 1055 };

export function Contact() {
  const { heading, introduction } = kingrose.contact;
  return (
    <Band tone="night" id="contact" labelledBy="contact-heading">
      <Columns sx={{ rowGap: 6, gridTemplateRows: { md: 'auto 1fr' } }}>
        <Box sx={{ gridColumn: { md: '1 / span 5' } }}>
          <Typography id="contact-heading" variant="h2">
            {heading}
          </Typography>
          <Typography variant="subtitle1" sx={{ marginTop: 3, color: 'text.secondary', maxWidth: '26em' }}>
            {introduction}
          </Typography>
          <ArabicLine />
        </Box>
        <Box sx={{ gridColumn: { md: '7 / -1' }, gridRow: { md: '1 / span 2' }, minHeight: formHeight }}>
          <LoadBoundary isOfForm>
            <DiscoveryForm />
          </LoadBoundary>
        </Box>
        <Box sx={{ gridColumn: { md: '1 / span 5' }, maxWidth: '30rem' }}>
          <Box sx={{ position: { md: 'sticky' }, top: 120 }}>
            <FormGuide form="discovery" />
          </Box>
        </Box>
      </Columns>
    </Band>
  );
}

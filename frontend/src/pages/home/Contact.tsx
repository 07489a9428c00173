import { brand } from '@dune-tide/domain/brand';
import { home } from '@dune-tide/domain/content/home';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';
import { ArabicLine, FormGuide } from '../../ui/FormGuide.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';

const ContactForm = lazyForm(() => import('../../features/contact/ContactForm.tsx'));

/** The form's height, reserved until the form has loaded after navigation from another page. */
const formHeight = { xs: 700, sm: 504 };

export function Contact() {
  return (
    <Band tone="night" id="contact" labelledBy="contact-heading">
      <Columns sx={{ rowGap: 6, gridTemplateRows: { md: 'auto 1fr' } }}>
        <Box sx={{ gridColumn: { md: '1 / span 5' } }}>
          <Typography id="contact-heading" variant="h2">
            {home.contact.heading}
          </Typography>
          <Typography variant="subtitle1" sx={{ marginTop: 3, color: 'text.secondary', maxWidth: '28em' }}>
            {home.contact.introduction}
          </Typography>
          <ArabicLine />
          <Typography variant="h4" component="p" sx={{ marginTop: 5 }}>
            <Link
              href={`mailto:${brand.email}`}
              sx={{ display: 'inline-block', paddingBlock: '4px', overflowWrap: 'anywhere' }}
            >
              {brand.email}
            </Link>
          </Typography>
        </Box>
        <Box sx={{ gridColumn: { md: '7 / -1' }, gridRow: { md: '1 / span 2' }, minHeight: formHeight }}>
          <LoadBoundary isOfForm>
            <ContactForm />
          </LoadBoundary>
        </Box>
        <Box sx={{ gridColumn: { md: '1 / span 5' }, maxWidth: '30rem' }}>
          <FormGuide form="contact" />
        </Box>
      </Columns>
    </Band>
  );
}

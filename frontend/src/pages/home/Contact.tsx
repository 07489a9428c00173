import { brand } from '@dune-tide/domain/brand';
import { home } from '@dune-tide/domain/content/home';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Band } from '../../ui/Band.tsx';
import { FormColumns } from '../../ui/FormColumns.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';

const ContactForm = lazyForm(() => import('../../features/contact/ContactForm.tsx'));

export function Contact() {
  return (
    <Band tone="night" id="contact" labelledBy="contact-heading">
      <FormColumns
        headingId="contact-heading"
        heading={home.contact.heading}
        introduction={home.contact.introduction}
        contact={
          <Typography variant="h4" component="p" sx={{ marginTop: 5 }}>
            <Link
              href={`mailto:${brand.email}`}
              sx={{ display: 'inline-block', paddingBlock: '4px', overflowWrap: 'anywhere' }}
            >
              {brand.email}
            </Link>
          </Typography>
        }
        guide="contact"
        example="quayside-works"
        span={5}
        formHeight={{ xs: 700, sm: 504 }}
      >
        <ContactForm />
      </FormColumns>
    </Band>
  );
}

import { kingrose } from '@dune-tide/domain/content/kingrose';
import { Band } from '../../ui/Band.tsx';
import { FormColumns } from '../../ui/FormColumns.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';

const DiscoveryForm = lazyForm(() => import('../../features/inquiries/DiscoveryForm.tsx'));

export function Contact() {
  return (
    <Band tone="night" id="contact" labelledBy="contact-heading">
      <FormColumns
        headingId="contact-heading"
        heading={kingrose.contact.heading}
        introduction={kingrose.contact.introduction}
        guide="discovery"
        example="sabkha-capital"
        span={5}
        formHeight={{ xs: 1570, sm: 1055 }}
      >
        <DiscoveryForm />
      </FormColumns>
    </Band>
  );
}

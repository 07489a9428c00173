import { brand } from '@dune-tide/domain/brand';
import type { StudioFacts } from '@dune-tide/domain/content/studio-facts';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';

const Lines = styled('ul')({
  marginTop: '1rem',
  '& > li': { paddingBlock: 4, overflowWrap: 'anywhere' },
});

type Contacts = Pick<StudioFacts, 'addresses' | 'phone' | 'whatsapp'>;

/** The email address of the studio, and its phone numbers and addresses as far as the owner has entered them. */
export function StudioContacts({ addresses, phone, whatsapp }: Contacts) {
  return (
    <Lines>
      <li>
        <Link href={`mailto:${brand.email}`}>{brand.email}</Link>
      </li>
      {phone !== '' && (
        <li>
          <Link href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</Link>
        </li>
      )}
      {whatsapp !== '' && (
        <li>
          <Link href={`https://wa.me/${whatsapp.replace(/\D/g, '')}`} rel="noopener">
            WhatsApp {whatsapp}
          </Link>
        </li>
      )}
      {addresses.map((address) => (
        <li key={address}>{address}</li>
      ))}
    </Lines>
  );
}

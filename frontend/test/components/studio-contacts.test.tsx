import { brand } from '@dune-tide/domain/brand';
import { cleanup, render, screen } from '@testing-library/react/pure';
import { expect } from 'chai';
import { StudioContacts } from '../../src/layouts/site/StudioContacts.tsx';

const addressesOfLinks = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

describe('The contacts in the footer', () => {
  afterEach(cleanup);

  it('are the email address alone while the owner has entered nothing else', () => {
    render(<StudioContacts addresses={[]} phone="" whatsapp="" />);
    expect(screen.getAllByRole('listitem')).to.have.length(1);
    expect(addressesOfLinks()).to.deep.equal([`mailto:${brand.email}`]);
  });

  it('include the phone numbers and addresses of the owner', () => {
    render(
      <StudioContacts addresses={['12 Palm Street, Riyadh']} phone="+966 11 123 4567" whatsapp="+27 82 123 4567" />,
    );
    expect(addressesOfLinks().slice(1)).to.deep.equal(['tel:+966111234567', 'https://wa.me/27821234567']);
    expect(screen.queryByText('12 Palm Street, Riyadh')).not.to.equal(null);
  });
});

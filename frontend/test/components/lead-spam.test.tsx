import { act, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { contact } from './lead-server.ts';
import { open, rows, serveLeadsPage } from './leads-page.ts';
import { dialog, focused, press, refusal, textsOf } from './staff-area.tsx';

describe('A lead that is classified as spam', () => {
  const leads = serveLeadsPage();
  const { server, listCalls } = leads;

  const release = 'POST /api/admin/leads/:id/release';
  const chips = () => screen.queryAllByText('Possible spam');
  beforeEach(() => {
    leads.store(contact({ firstName: 'Khalid', lastName: 'Nasser', spamSign: 'too_fast' }));
    server.answers[release] = ({ ids: [id] }) => void leads.change(id, { spamSign: null });
  });

  it('is hidden in the table, where its number leads to it', async () => {
    await open();
    expect(rows()).to.have.length(4);
    await waitFor(() => expect(textsOf('[role="tabpanel"] span').join()).to.include('1 held as possible spam'));
    await press('Review', screen, 'link');
    await waitFor(() =>
      expect(
        rows()
          .map((row) => row.textContent)
          .join(),
      ).to.match(/^[^,]*Khalid Nasser[^,]*,?/),
    );
    expect(rows()).to.have.length(1);
    expect(screen.queryByRole('link', { name: 'Review' })).to.equal(null);
    await act(async () => window.history.back());
    await screen.findByRole('link', { name: 'Review' });
  });

  it('is marked in the table and the details until it is released, also after a failure', async () => {
    await open('?spam=with');
    await waitFor(() => expect(chips()).to.have.length(1));
    await press('View Khalid Nasser', screen, 'link');
    await dialog().findByText('The form was submitted faster than a person can fill it in. No email was sent for it.');
    expect(chips()).to.have.length(2);
    server.once(release, () => refusal(503));
    await press('Not spam', dialog());
    await screen.findByText('Could not release the lead. Please try again.');
    expect(chips()).to.have.length(2);
    await press('Not spam', dialog());
    await screen.findByText('The emails will be sent now.');
    await waitFor(() => expect(chips()).to.have.length(0));
    expect(focused()).to.equal('Mark as spam');
    expect(listCalls(), 'reads of the list').to.deep.equal(['?spam=with']);
  });
});

import { screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { PersonalData } from '../../src/features/people/people-api.ts';
import {
  address,
  click,
  dialog,
  field,
  focused,
  isDialogOpen,
  openStaffPage,
  press,
  put,
  refusal,
  serveStaff,
  textsOf,
} from './staff-area.tsx';

const email = 'noura@example.com';
const path = `/admin/people?email=${encodeURIComponent(email)}`;
const erase = 'POST /api/admin/people/erase';

describe('The page for personal data', () => {
  let held: PersonalData;
  const none: PersonalData = {
    leads: 0,
    emails: 0,
    unsentEmails: 0,
    replies: 0,
    notes: 0,
    historyEntries: 0,
    webhooks: 0,
    savedViews: 0,
    optOuts: 0,
  };
  const server = serveStaff(() => ({
    'GET /api/admin/people': () => held,
    [erase]: () => {
      const erased = { ...held, isComplete: true };
      held = none;
      return erased;
    },
  }));
  beforeEach(() => void (held = { ...none, leads: 2 }));

  const counts = () => textsOf('[role="dialog"] dl > *');
  const open = async () => {
    await openStaffPage(path);
    await waitFor(() => expect(screen.getByRole('main').textContent).to.include(`Held about ${email}`));
    await press('Erase…');
  };
  const confirm = async (typed: string) => {
    await put('email', typed);
    await press('Erase for good', dialog());
  };

  it('shows how much is held about an address that is entered, by kind', async () => {
    await openStaffPage('/admin/people');
    await put('email', email);
    await press('Show what is held');
    await screen.findByText('Held about', { exact: false });
    expect(address()).to.equal(path);
    await waitFor(() => expect(textsOf('main dl > *')).to.deep.equal(['Leads', '2']));
  });

  it('erases a person only after the address was typed, and shows the counts', async () => {
    await open();
    expect(document.activeElement).to.equal(field('email'));
    expect(counts()).to.deep.equal(['LeadsWith all answers', '2']);
    await confirm('other@example.com');
    await dialog().findAllByText(`This is not ${email}`);
    expect(server.count(erase)).to.equal(0);
    await confirm(email.toUpperCase());
    await dialog().findByText('Nothing is held about this address any more.');
    expect(counts()).to.deep.equal(['Leads', '2']);
    await waitFor(() => expect(focused()).to.equal('Close'));
    await click(screen.getAllByRole('button', { name: 'Close' }).at(-1));
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
  });

  it('keeps the dialog and the address if the erasure fails', async () => {
    await open();
    server.once(erase, () => refusal(503));
    await confirm(email);
    await dialog().findByText('Could not erase the data. Please try again.');
    expect(field('email').value).to.equal(email);
    await press('Erase for good', dialog());
    await dialog().findByText('Nothing is held about this address any more.');
  });

  it('says that there is more to erase', async () => {
    await open();
    server.once(erase, () => ({ ...held, isComplete: false }));
    await confirm(email);
    await dialog().findByText(/^There are more leads of this address\./);
  });

  it('reports a failed export', async () => {
    server.answers['GET /api/admin/people/export'] = () => refusal(503);
    await openStaffPage(path);
    await press('Export as JSON');
    await screen.findByText('Could not export the data. Please try again.');
  });
});

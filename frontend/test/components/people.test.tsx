import { screen, waitFor, within } from '@testing-library/react/pure';
import { problemTypes } from '@dune-tide/domain/responses/problem';
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

  it('asks for the password, keeps the address that was typed, and erases', async () => {
    const erased = server.answers[erase];
    let isFresh = false;
    server.answers['POST /api/admin/account/confirm'] = () => {
      isFresh = true;
      return new Response(null, { status: 204 });
    };
    server.answers[erase] = (call) => (isFresh ? erased?.(call) : refusal(403, { type: problemTypes.password_needed }));
    await open();
    await confirm(email);
    const prompt = await screen.findByRole('dialog', { name: 'Enter your password' });
    await put(prompt.querySelector<HTMLInputElement>('[name="password"]') ?? expect.fail('no field'), 'a password');
    await press('Continue', within(prompt));
    await screen.findByText('Nothing is held about this address any more.');
    expect(server.count(erase)).to.equal(2);
  });

  it('says how many addresses can be erased in an hour, and when the next one can', async () => {
    await open();
    const limit = { type: problemTypes.limit_reached, detail: 'You can erase the data of 20 people in an hour.' };
    server.once(erase, () => refusal(429, limit, { 'Retry-After': '600' }));
    await confirm(email);
    await dialog().findByText(/^You can erase the data of 20 people in an hour\. Please try again in 10 minutes, at /);
    expect(field('email').value).to.equal(email);
  });

  it('says that there is more to erase', async () => {
    await open();
    server.once(erase, () => ({ ...held, isComplete: false }));
    await confirm(email);
    await dialog().findByText(/^There are more leads of this address\./);
  });

  it('reports a failed export', async () => {
    const exportData = 'GET /api/admin/people/export';
    server.answers[exportData] = () => refusal(500);
    await openStaffPage(path);
    await press('Export as JSON');
    await screen.findByText('Could not export the data. Please try again.');
    server.answers[exportData] = () => refusal(503);
    await press('Export as JSON');
    await screen.findByText('Other exports are running. Please try again in a minute.');
  });
});

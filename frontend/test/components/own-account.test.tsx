import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { expect } from 'chai';
import type { OwnAccount, OwnSession } from '../../src/features/accounts/own-account-api.ts';
import { click, field, me, openStaffPage, press, put, refusal, serveStaff } from './staff-area.tsx';

const path = '/admin/account';
const [account, password, leadEmails] = [
  'GET /api/admin/account',
  'POST /api/admin/account/password',
  'PATCH /api/admin/account/lead-emails',
] as const;

describe('The account page', () => {
  let own: OwnAccount;
  let sessions: OwnSession[] = [];
  const server = serveStaff(() => ({
    [account]: () => own,
    'PATCH /api/admin/account': ({ body }) => (own = { ...own, ...(body as Partial<OwnAccount>) }),
    [leadEmails]: ({ body }) => {
      own = { ...own, ...(body as Partial<OwnAccount>) };
    },
    [password]: ({ body }) =>
      (body as { readonly currentPassword: string }).currentPassword === 'an old boat'
        ? undefined
        : refusal(422, { errors: [{ field: 'currentPassword', message: 'The password is wrong' }] }),
    'GET /api/admin/account/sessions': () => sessions,
    'DELETE /api/admin/account/sessions/:id': ({ ids: [id] }) => {
      sessions = sessions.filter((each) => each.id !== id);
    },
    'DELETE /api/admin/account/sessions': () => {
      sessions = sessions.filter(({ isCurrent }) => isCurrent);
    },
  }));
  beforeEach(() => {
    own = {
      id: me.id,
      username: me.username,
      name: me.name,
      email: null,
      pendingEmail: null,
      leadEmails: 'hourly',
      hasTotp: false,
      passkeys: [],
      recoveryCodesLeft: 0,
    };
    sessions = [0, 1, 2, 3].map((number) => ({
      id: randomUUID(),
      device: null,
      address: null,
      lastUsedAt: '2026-03-07T12:00:00.000Z',
      isCurrent: number === 0,
    }));
  });
  const open = async () => {
    await openStaffPage(path);
    await waitFor(() => field('name'));
  };

  it('shows the saved profile before the account is loaded again', async () => {
    await open();
    await put('name', 'Thabo N.');
    await put('email', 'thabo@studio.example');
    server.hold(account);
    await press('Save profile');
    await screen.findByText('Profile Saved');
    expect([field('name').value, field('email').value]).to.deep.equal(['Thabo N.', 'thabo@studio.example']);
  });

  it('changes the password with the current one', async () => {
    await open();
    await put('currentPassword', 'not the password');
    await put('password', 'another horse, another staple');
    const form = () => within(screen.getByRole('form', { name: 'Change password' }));
    await press('Change password', form());
    await form().findByText('The password is wrong');
    await put('currentPassword', 'an old boat');
    await press('Change password', form());
    await screen.findByText('Password Changed');
    expect(field('password').value).to.equal('');
  });

  it('chooses when emails about leads come, and keeps the choice if it cannot be saved', async () => {
    await open();
    const choice = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name });
    expect(choice(/an hour$/).checked).to.equal(true);
    screen.getByText('Your account has no email address, so you get none.');
    await click(choice(/^Never/));
    await screen.findByText('Your choice was saved.');
    expect([own.leadEmails, choice(/^Never/).checked]).to.deep.equal(['never', true]);
    server.once(leadEmails, () => refusal(503));
    await click(choice(/a minute$/));
    await screen.findByText('Could not save your choice. Please try again.');
    expect([own.leadEmails, choice(/^Never/).checked]).to.deep.equal(['never', true]);
  });

  it('switches the keys of the leads page off in this browser, and on again', async () => {
    await open();
    const keys = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Use the keys in this browser' });
    expect(keys().checked).to.equal(true);
    await click(keys());
    await waitFor(() => expect(keys().checked).to.equal(false));
    expect(localStorage.getItem('lead-keys')).to.equal('off');
    await click(keys());
    await waitFor(() => expect(keys().checked).to.equal(true));
    expect(localStorage.getItem('lead-keys')).to.equal(null);
  });

  it('lists the sessions and ends others', async () => {
    await open();
    const items = () => within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem');
    await waitFor(() => expect(items()).to.have.length(4));
    screen.getByText('This device');
    await click(screen.getAllByRole('button', { name: /^End session: Unknown device, unknown address/ })[0]);
    await screen.findByText('Session Ended');
    await press('Sign out everywhere else');
    await screen.findByText('Sessions Ended');
    await waitFor(() => expect(items()).to.have.length(1));
  });

  for (const [what, call, name] of [
    ['a session ends', 'DELETE /api/admin/account/sessions/:id', /^End session: Unknown device/],
    ['all others end', 'DELETE /api/admin/account/sessions', 'Sign out everywhere else'],
  ] as const) {
    it(`says that nothing was changed if the password is not entered before ${what}`, async () => {
      await open();
      server.once(call, () => refusal(403, { type: problemTypes.password_needed }));
      await click((await screen.findAllByRole('button', { name }))[0]);
      const prompt = await screen.findByRole('dialog', { name: 'Enter your password' });
      await click(within(prompt).getByRole('button', { name: 'Cancel' }));
      await screen.findByText('This change needs your password. Nothing was changed.');
    });
  }
});

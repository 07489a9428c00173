import { randomUUID } from 'node:crypto';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { lastOwnerMessage } from '@dune-tide/domain/staff-roles';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { Account } from '../../src/features/accounts/accounts-api.ts';
import type { AuditEntry } from '../../src/features/accounts/audit-log-api.ts';
import {
  type Call,
  dialog,
  field,
  focused,
  isDialogOpen,
  listOf,
  me,
  openStaffPage,
  press,
  pressKey,
  put,
  refusal,
  serveStaff,
  textsOf,
} from './staff-area.tsx';

const path = '/admin/team';
const list = 'GET /api/admin/team';
const [add, change] = ['POST /api/admin/team', 'PATCH /api/admin/team/:id'] as const;

describe('The team page', () => {
  let accounts: Account[] = [];
  const account = (name: string, username: string, more: Partial<Account> = {}): Account => ({
    id: randomUUID(),
    name,
    username,
    email: null,
    pendingEmail: null,
    role: 'owner',
    lastSignInAt: null,
    isActive: true,
    createdAt: '2026-03-07T12:00:00.000Z',
    ...more,
  });
  const accountNamed = (name: string) => accounts.find((each) => each.name === name);
  const keys = new Map<string | null, Account>();
  const changeOf = ({ ids: [id], body }: Call) => {
    accounts = accounts.map((each) => (each.id === id ? { ...each, ...(body as Partial<Account>) } : each));
    return accounts.find((each) => each.id === id);
  };
  const server = serveStaff(() => ({
    [list]: () => accounts,
    [add]: ({ body, headers }) => {
      const { name, username, email } = body as Partial<Account> & Pick<Account, 'name' | 'username'>;
      const key = headers.get('Idempotency-Key');
      if (!keys.has(key) && accounts.some((each) => each.username === username)) {
        return refusal(422, { errors: [{ field: 'username', message: 'This username is taken' }] });
      }
      const added = keys.get(key) ?? account(name, username, { email: email ?? null });
      if (!keys.has(key)) accounts = [...accounts, added];
      keys.set(key, added);
      return Response.json(added, { status: 201 });
    },
    [change]: changeOf,
  }));
  beforeEach(() => {
    keys.clear();
    const lastSignInAt = '2026-11-20T12:47:00.000Z';
    accounts = [
      account('Noura al-Harbi', 'noura', { lastSignInAt }),
      account('Tariq Mansour', 'tariq', { isActive: false }),
      { ...account(me.name, me.username), id: me.id },
    ];
  });

  const rowOf = (name: string) =>
    [...document.querySelectorAll('[aria-label="Staff accounts"] tbody tr')].find(({ textContent }) =>
      textContent.includes(name),
    ) ?? expect.fail(name);
  const cellsOf = (name: string) => textsOf('th, td', rowOf(name));
  const untilState = (name: string, state: string) => waitFor(() => expect(cellsOf(name)[4]).to.equal(state));
  const untilClosed = () => waitFor(() => expect(isDialogOpen()).to.equal(false));
  const open = async () => {
    await openStaffPage(path);
    await screen.findByRole('table', { name: 'Staff accounts' });
  };
  const pressIn = (name: string) => press(name, dialog());
  const openDialog = (action: string, name: string) => press(new RegExp(`^${action} ${name}`));
  const openAdd = () => press('Add Member', within(screen.getByRole('main')));
  const fillMember = async (name: string, username: string) => {
    await put('name', name);
    await put('username', username);
    await put('password', 'a long password');
  };
  const typed = () => ['name', 'username', 'password', 'email'].map((name) => field(name).value);

  it('lists the accounts with last sign-in and status', async () => {
    await open();
    expect(textsOf('[aria-label="Staff accounts"] thead th')).to.deep.equal([
      'Name',
      'Username',
      'Last sign-in',
      'Role',
      'Status',
      'Actions',
    ]);
    const [name, username, time, role, state] = cellsOf('Noura al-Harbi');
    expect([name, username, role, state]).to.deep.equal(['Noura al-Harbi', 'noura', 'Owner', 'Active']);
    expect(time).to.match(/Nov 20, 2026 \d\d:\d\d$/);
    expect(cellsOf('Tariq Mansour').slice(2, 5).join()).to.match(/Never,Owner,Inactive$/);
    screen.getByText('2 of 3 accounts are active.');
    expect(textsOf('button', rowOf(me.name)), "no deactivation of one's own account").to.deep.equal([]);
    expect(rowOf(me.name).querySelector('a')?.getAttribute('href')).to.equal('/admin/account');
  });

  it('says once that every account is an owner, and makes one a member', async () => {
    await open();
    screen.getByText(/Every account is an owner/);
    await openDialog('Role of', 'Noura');
    expect(textsOf('[role="dialog"] option')).to.deep.equal(['Owner', 'Member']);
    await put('role', 'member');
    await pressIn('Save Role');
    await untilClosed();
    expect(server.last(change)?.body).to.deep.equal({ role: 'member' });
    await waitFor(() => expect(cellsOf('Noura al-Harbi')).to.include('Member'));
    expect(screen.queryByText(/Every account is an owner/)).to.equal(null);
  });

  it('hides the note on roles for good, and moves the focus to the heading', async () => {
    await open();
    await press('Got it');
    expect(focused()).to.equal('Team');
    cleanup();
    await open();
    expect(screen.queryByText(/Every account is an owner/)).to.equal(null);
    localStorage.removeItem('roles-note');
  });

  it('keeps the dialog if the team would have no owner', async () => {
    server.answers[change] = () => refusal(409);
    await open();
    await openDialog('Role of', 'Noura');
    await put('role', 'member');
    await pressIn('Save Role');
    await waitFor(() => dialog().getByText(lastOwnerMessage));
  });

  it('shows a member the accounts, and why the rest is missing', async () => {
    server.answers['GET /api/admin/session'] = () => ({ ...me, role: 'member' });
    await open();
    await screen.findByText('Only an owner can add and change accounts, and read the audit log.');
    expect(textsOf('button', rowOf('Noura al-Harbi'))).to.deep.equal([]);
    expect(screen.queryByRole('button', { name: 'Add Member' })).to.equal(null);
    expect(server.count('GET /api/admin/audit-log')).to.equal(0);
  });

  it("sets another member's password, which is hidden until it is shown", async () => {
    await open();
    await openDialog('New password for', 'Noura');
    expect(field('password').autocomplete).to.equal('new-password');
    await put('password', 'a new password');
    for (const [name, type, label] of [
      ['Show password', 'text', 'Hide'],
      ['Hide password', 'password', 'Show'],
    ] as const) {
      await pressIn(name);
      expect(field('password').type).to.equal(type);
      dialog().getByText(label);
    }
    await pressIn('Set password');
    await screen.findByText('Password Changed');
    await untilClosed();
    expect(server.last(change)?.ids).to.deep.equal([accountNamed('Noura al-Harbi')?.id]);
    expect(server.last(change)?.body).to.deep.equal({ password: 'a new password' });
  });

  it('sets and removes the email address of an account', async () => {
    await open();
    for (const [email, shown] of [
      ['noura@example.com', 'nouranoura@example.com'],
      ['', 'noura'],
    ] as const) {
      await openDialog('Email of', 'Noura');
      await put('email', 'no address');
      await pressIn('Save Email');
      dialog().getByText('Please enter a valid email address');
      await put('email', email);
      await pressIn('Save Email');
      await untilClosed();
      await waitFor(() => expect(cellsOf('Noura al-Harbi')[1]).to.equal(shown));
      expect(server.last(change)?.body).to.deep.equal({ email: email === '' ? null : email });
    }
  });

  it('shows that the list could not be loaded, and loads it again', async () => {
    server.once(list, () => refusal(503));
    await openStaffPage(path);
    await screen.findByText('Could not load the accounts.');
    await press('Try again');
    await screen.findByRole('table', { name: 'Staff accounts' });
  });

  it('keeps the dialog and its values when adding fails, and adds one account for all attempts', async () => {
    await open();
    await openAdd();
    expect(document.activeElement).to.equal(field('name'));
    await pressIn('Add Member');
    for (const message of ['Name is required', 'Username is required', 'Password must be at least 8 characters']) {
      dialog().getByText(message);
    }
    expect(server.count(add)).to.equal(0);
    await fillMember('Noura Saleh', 'noura');
    await pressIn('Add Member');
    await dialog().findByText('This username is taken');
    await put('username', 'noura.saleh');
    server.lose(add);
    const release = server.hold(add);
    await pressIn('Add Member');
    for (const name of ['Adding...', 'Close', 'Cancel']) {
      expect(dialog().getByRole('button', { name }), name).to.have.property('disabled', true);
    }
    release();
    await dialog().findByText('Failed to add the member. Please try again.');
    await waitFor(() => rowOf('Noura Saleh'));
    expect(typed()).to.deep.equal(['Noura Saleh', 'noura.saleh', 'a long password', '']);
    expect(screen.queryByText('Member Added')).to.equal(null);
    await pressIn('Add Member');
    await screen.findByText('Member Added');
    await untilClosed();
    expect(accounts.filter(({ name }) => name === 'Noura Saleh')).to.have.length(1);
    await waitFor(() => expect(focused()).to.equal('Add Member'));
  });

  it('keeps name and username of a draft, but no password, until they are discarded', async () => {
    await open();
    await openAdd();
    await fillMember('Noura Saleh', 'noura.saleh');
    await pressKey('Escape', field('name'));
    await untilClosed();
    expect(Object.values(sessionStorage).join()).to.not.include('a long password');
    await openAdd();
    expect(typed()).to.deep.equal(['Noura Saleh', 'noura.saleh', '', '']);
    await pressIn('Cancel');
    await untilClosed();
    await openAdd();
    expect(typed()).to.deep.equal(['', '', '', '']);
  });

  it('deactivates an account after confirmation, and activates it again', async () => {
    await open();
    await openDialog('Deactivate', 'Noura');
    expect(textsOf('[role="dialog"] h2')).to.deep.equal(['Deactivate Noura al-Harbi?']);
    dialog().getByText(/^The account noura will be signed out immediately/);
    await pressIn('Cancel');
    await untilClosed();
    expect(server.count(change)).to.equal(0);
    expect(focused()).to.equal('Deactivate Noura al-Harbi, noura');
    for (const [action, state] of [
      ['Deactivate', 'Inactive'],
      ['Activate', 'Active'],
    ] as const) {
      await openDialog(action, 'Noura');
      await pressIn(action);
      await screen.findByText(`Member ${action}d`);
      await untilState('Noura al-Harbi', state);
      await untilClosed();
    }
  });

  it('loads the number of members on the dashboard again after a change', async () => {
    await openStaffPage('/admin/dashboard');
    await waitFor(() => expect(server.count('GET /api/admin/stats')).to.equal(1));
    await press('Team', screen, 'link');
    await screen.findByRole('table', { name: 'Staff accounts' });
    await openDialog('Deactivate', 'Noura');
    await pressIn('Deactivate');
    await untilState('Noura al-Harbi', 'Inactive');
    await press('Dashboard', screen, 'link');
    await waitFor(() => expect(server.count('GET /api/admin/stats')).to.equal(2));
  });

  it('keeps the dialog of a failed change, and the table if only the list cannot be loaded', async () => {
    await open();
    server.once(change, () => refusal(500));
    await openDialog('Deactivate', 'Noura');
    await pressIn('Deactivate');
    await dialog().findByText('Failed to deactivate the account. Please try again.');
    const release = server.hold(change);
    server.once(list, () => refusal(503));
    await pressIn('Deactivate');
    for (const name of ['Deactivating...', 'Close', 'Cancel']) {
      expect(dialog().getByRole('button', { name }), name).to.have.property('disabled', true);
    }
    await act(async () => release());
    await screen.findByText('Member Deactivated');
    await screen.findByText(/^Could not refresh the list/);
    expect(cellsOf('Noura al-Harbi')[4], 'the table is still shown').to.equal('Active');
    await press('Refresh');
    await untilState('Noura al-Harbi', 'Inactive');
  });

  it('shows the state of an account after Cancel if the response was lost', async () => {
    await open();
    server.lose(change);
    await openDialog('Deactivate', 'Noura');
    await pressIn('Deactivate');
    await dialog().findByText('Failed to deactivate the account. Please try again.');
    await pressIn('Cancel');
    await untilState('Noura al-Harbi', 'Inactive');
  });

  it('shows the result as a toast after the page was left', async () => {
    const leaveWhile = async (call: string, send: () => Promise<unknown>) => {
      await openStaffPage('/admin/dashboard');
      await press('Team', screen, 'link');
      await screen.findByRole('table', { name: 'Staff accounts' });
      const release = server.hold(call);
      await send();
      await act(async () => window.history.back());
      await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
      await act(async () => release());
    };
    const deactivate = async () => {
      await openDialog('Deactivate', 'Noura');
      await pressIn('Deactivate');
    };
    const addMember = async () => {
      await openAdd();
      await fillMember('Noura Saleh', 'noura.saleh');
      await pressIn('Add Member');
    };
    server.once(change, () => refusal(503));
    await leaveWhile(change, deactivate);
    await screen.findByText('Failed to deactivate the account. Please try again.');
    server.once(add, () => refusal(503));
    await leaveWhile(add, addMember);
    await screen.findByText('Failed to add the member. Please try again.');
    await leaveWhile(add, addMember);
    await screen.findByText('Member Added');
    await press('Team', screen, 'link');
    await screen.findByRole('table', { name: 'Staff accounts' });
    await openAdd();
    expect(typed(), 'the draft of a stored account is gone').to.deep.equal(['', '', '', '']);
  });

  it('asks for a password entered long ago, changes nothing without it, and keeps what was typed', async () => {
    const confirm = 'POST /api/admin/account/confirm';
    let isFresh = false;
    server.answers[confirm] = ({ body }) => {
      isFresh = (body as { readonly password: string }).password === 'an old boat';
      return isFresh ? undefined : refusal(422, { errors: [{ field: 'password', message: 'The password is wrong' }] });
    };
    const stored = server.answers[add];
    server.answers[add] = (call) => (isFresh ? stored?.(call) : refusal(403, { type: problemTypes.password_needed }));
    const prompt = () => screen.findByRole('dialog', { name: 'Enter your password' });
    const form = () => within(screen.getByRole('dialog', { name: 'Add a member' }));
    await open();
    await openAdd();
    await fillMember('Amahle Zulu', 'amahle');
    await pressIn('Add Member');
    await press('Cancel', within(await prompt()));
    await waitFor(() => expect(screen.getAllByRole('dialog')).to.have.length(1));
    await form().findByText('This change needs your password. Nothing was changed.');
    expect(accountNamed('Amahle Zulu')).to.equal(undefined);
    await press('Add Member', form());
    for (const password of ['not the password', 'an old boat']) {
      const asked = await prompt();
      const input = asked.querySelector<HTMLInputElement>('[name="password"]') ?? expect.fail('no field');
      await waitFor(() => expect(document.activeElement).to.equal(input));
      await put(input, password);
      await press('Continue', within(asked));
      if (password !== 'an old boat') await within(asked).findByText('The password is wrong');
    }
    await screen.findByText('Member Added');
    expect(accountNamed('Amahle Zulu')).to.include({ username: 'amahle' });
    expect(server.count(confirm)).to.equal(2);
  });

  it('has an audit log, filtered by person and action', async () => {
    const noura = accountNamed('Noura al-Harbi');
    const entry = (action: string): AuditEntry => ({
      id: randomUUID(),
      createdAt: '2026-03-07T12:00:00.000Z',
      actor: 'staff',
      actorName: me.name,
      action,
      subjectId: noura?.id ?? '',
      subjectName: 'Noura al-Harbi',
      network: null,
      device: null,
    });
    const entries = [
      { ...entry('member_deactivated'), network: '192.0.2.0/24', device: 'Firefox on Windows' },
      entry('password_set'),
    ];
    server.answers['GET /api/admin/audit-log'] = ({ search }) => {
      const action = new URLSearchParams(search).get('action');
      return listOf(entries.filter((each) => action === null || each.action === action));
    };
    await open();
    const rows = () => [...document.querySelectorAll('section tbody tr')];
    await waitFor(() => expect(rows()).to.have.length(2));
    expect(rows().map((row) => textsOf('th, td', row).slice(0, 4))).to.deep.equal([
      ['Member deactivated', me.name, 'Noura al-Harbi', '192.0.2.0/24, Firefox on Windows'],
      ['Password set', me.name, 'Noura al-Harbi', '–'],
    ]);
    await press('Person');
    await press('Noura al-Harbi, noura', screen, 'menuitemradio');
    await press('Action');
    await press('Password set', screen, 'menuitemradio');
    await waitFor(() => expect(rows()).to.have.length(1));
    expect(server.last('GET /api/admin/audit-log')?.search).to.equal(`?person=${noura?.id}&action=password_set`);
    await press(/^Action/);
    await press('Backup restored', screen, 'menuitemradio');
    await screen.findByText('No entries match.');
  });
});

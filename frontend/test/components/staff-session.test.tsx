import { randomUUID } from 'node:crypto';
import { act, fireEvent, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { accountPage, loginPage, staffPages } from '../../src/app/staff-pages.ts';
import { rememberSession } from '../../src/features/auth/known-session.ts';
import { contact, serveLeads } from './lead-server.ts';
import {
  address,
  click,
  field,
  focused,
  me,
  messageOf,
  openStaffPage,
  press,
  put,
  refusal,
  reload,
  textsOf,
} from './staff-area.tsx';

const [session, login, logout] = ['GET /api/admin/session', 'POST /api/admin/login', 'POST /api/admin/logout'] as const;
const signInPath = '/admin/login';
const ended = 'Your session has ended. Please sign in again.';

describe('The session of a staff member', () => {
  const leads = serveLeads();
  const { server } = leads;
  let account: typeof me | undefined = me;
  /** Calls of the staff area need the session, which ends without notice. */
  const endSession = () => {
    account = undefined;
    for (const name of Object.keys(server.answers)) {
      const answer = server.answers[name];
      if (name.startsWith('GET')) server.answers[name] = (call) => (account ? answer?.(call) : refusal(401));
    }
  };
  beforeEach(() => {
    account = me;
    Object.assign(server.answers, {
      [session]: () => account ?? refusal(401),
      [login]: ({ body }: { body: { password: string } }) => {
        if (body.password !== 'an old boat') return refusal(401);
        account = me;
        return me;
      },
      [logout]: () => void (account = undefined),
      'GET /api/admin/follow-ups': () => [],
      'GET /api/admin/follow-ups/counts': () => refusal(503),
      'GET /api/admin/opt-outs': () => [],
      'GET /api/admin/account': () => refusal(503),
      'GET /api/admin/account/sessions': () => [],
    });
  });

  const untilAt = (path: string) => waitFor(() => expect(address()).to.equal(path));
  const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
  const signInFrom = (path: string) => `${signInPath}?${new URLSearchParams({ from: path })}`;
  const fill = async (password = 'an old boat') => {
    await heading('Admin Portal');
    await put('username', me.username);
    await put('password', password);
  };
  const signIn = async (password?: string) => {
    await fill(password);
    await press(/^Sign in/);
  };
  /** Signs an account in or out in another tab, and waits until this one has asked for the session. */
  const inOtherTab = async (now: typeof me | undefined) => {
    const before = server.count(session);
    account = now;
    const tab = new BroadcastChannel('session');
    await act(async () => tab.postMessage(undefined));
    await waitFor(() => expect(server.count(session)).to.be.above(before));
    tab.close();
  };

  describe('that is missing', () => {
    for (const [path = ''] of [...staffPages, accountPage].map(({ paths }) => paths)) {
      it(`leads from ${path} to the sign-in, and back`, async () => {
        endSession();
        await openStaffPage(`${path}?state=failed`);
        await untilAt(signInFrom(`${path}?state=failed`));
        await signIn();
        await waitFor(() => expect(address()).to.equal(`${path}?state=failed`));
        await screen.findByText('Login Successful');
      });
    }

    it('is not assumed if the server does not respond', async () => {
      server.once(session, () => refusal(503));
      await openStaffPage('/admin/team');
      await screen.findByText('We could not check who is signed in.');
      expect(address()).to.equal('/admin/team');
      await press('Try again');
      await heading('Team');
    });
  });

  it('leads to the sign-in when it has ended, and clears all loaded data', async () => {
    await openStaffPage('/admin/leads');
    await screen.findByText(/^No leads yet/);
    const live = { ...server.answers };
    endSession();
    await press('Refresh');
    await untilAt(signInFrom('/admin/leads'));
    await screen.findByText(ended);
    Object.assign(server.answers, live);
    leads.store(contact());
    await signIn();
    await screen.findByText('noura@example.com');
  });

  it('continues in all tabs after a sign-in, with the draft of the same account only', async () => {
    const title = () => field('title').value;
    const openAdd = async () => {
      await heading('Recipe Management');
      await click(screen.getAllByRole('button', { name: 'Add Recipe' })[0]);
    };
    await openStaffPage('/admin/recipes');
    await openAdd();
    await put('title', 'Half a thought');
    await inOtherTab(me);
    expect(title(), 'the same account').to.equal('Half a thought');
    const other = { ...me, id: randomUUID(), name: 'Omar Aziz' };
    await inOtherTab(other);
    await screen.findByText(other.name);
    await openAdd();
    expect(title(), 'another account').to.equal('');
    await inOtherTab(undefined);
    await untilAt(signInFrom('/admin/recipes'));
    await screen.findByText(ended);
    await inOtherTab(me);
    await heading('Recipe Management');
    await screen.findByText(me.name);
  });

  describe('The sign-in', () => {
    it('is requested once if it has ended unseen, and not at all without one', async () => {
      endSession();
      await openStaffPage(signInPath);
      await heading('Admin Portal');
      expect(server.count(session)).to.equal(0);
      rememberSession();
      await reload();
      await waitFor(() => expect(server.count(session)).to.equal(1));
      await waitFor(() => expect(localStorage.getItem('staff-session')).to.equal(null));
      await reload();
      await heading('Admin Portal');
      expect(server.count(session)).to.equal(1);
    });

    it('leads a member with a session to the page that the address names, unless they have started to type', async () => {
      rememberSession();
      await openStaffPage(signInFrom('/admin/team'));
      await heading('Team');
      const release = server.hold(session);
      await openStaffPage(signInPath);
      await heading('Admin Portal');
      await act(async () => void fireEvent.input(field('username'), { target: { value: 'another member' } }));
      localStorage.clear();
      await act(async () => release());
      // The response notes the session again.
      await waitFor(() => expect(localStorage.getItem('staff-session')).to.equal('yes'));
      expect(address()).to.equal(signInPath);
    });

    it('shows missing fields, failures and the time of the next attempt, and keeps the typed text', async () => {
      account = undefined;
      await openStaffPage(signInPath);
      await heading('Admin Portal');
      expect(document.title).to.equal(loginPage.title);
      expect([field('username').autocomplete, field('password').autocomplete]).to.deep.equal([
        'username',
        'current-password',
      ]);
      expect(field('password').type).to.equal('password');
      await press('Sign in');
      expect([messageOf('username'), messageOf('password')]).to.deep.equal([
        'Username is required',
        'Password is required',
      ]);
      expect(server.count(login)).to.equal(0);
      await signIn('not the password');
      await screen.findByText('Login Failed');
      await screen.findByText('Login failed');
      await screen.findByText('The username or the password is wrong.');
      expect(focused()).to.equal('Sign in');
      server.once(login, () => refusal(429, {}, { 'Retry-After': '840' }));
      await press('Sign in');
      await screen.findByText(/^Too many attempts\. Please try again in 14 minutes, at \d\d:\d\d\.$/);
      server.once(login, () => {
        throw new TypeError('The connection was reset');
      });
      await press('Sign in');
      await screen.findByText('The server did not respond. Please try again in a moment.');
      expect([field('username').value, field('password').value]).to.deep.equal([me.username, 'not the password']);
      await put('password', 'an old boat');
      await press('Sign in');
      await untilAt('/admin/dashboard');
      const kept = JSON.stringify([sessionStorage, localStorage].flatMap(Object.entries));
      expect(kept).to.not.include(me.username).and.to.not.include('an old boat');
    });

    it('does not redirect a visitor who has left for the website before the response', async () => {
      account = undefined;
      const release = server.hold(login);
      await openStaffPage(signInPath);
      await signIn();
      expect(screen.getByRole('button', { name: 'Signing in...' })).to.have.property('disabled', true);
      await press('View website', screen, 'link');
      await heading('Website');
      await act(async () => release());
      await screen.findByText('Login Successful');
      expect(address()).to.equal('/');
    });
  });

  describe('Logout', () => {
    it('shows the sign-in immediately, and ends the session in the background', async () => {
      await openStaffPage('/admin/team');
      await heading('Team');
      const release = server.hold(logout);
      await press('Logout');
      await untilAt(signInPath);
      await screen.findByText('Logged Out');
      await waitFor(() => expect(focused()).to.equal('Admin Portal'));
      expect(account, 'not ended yet').to.equal(me);
      await act(async () => release());
      await waitFor(() => expect(account).to.equal(undefined));
      await act(async () => window.history.back());
      await untilAt(signInFrom('/admin/team'));
    });

    it('keeps the choices of the browser when its response empties the storage', async () => {
      localStorage.setItem('lead-keys', 'off');
      localStorage.setItem('roles-note', 'dismissed');
      server.answers[logout] = () => {
        account = undefined;
        localStorage.clear();
      };
      await openStaffPage('/admin/team');
      await heading('Team');
      await press('Logout');
      await untilAt(signInPath);
      await waitFor(() => expect(account).to.equal(undefined));
      await waitFor(() => expect(localStorage.getItem('lead-keys')).to.equal('off'));
      await waitFor(() => expect(localStorage.getItem('roles-note')).to.equal('dismissed'));
      localStorage.removeItem('lead-keys');
      localStorage.removeItem('roles-note');
    });

    it('shows an error if the server did not confirm it', async () => {
      server.answers[logout] = () => refusal(503);
      await openStaffPage('/admin/team');
      await heading('Team');
      await press('Logout');
      await screen.findByText(/^The server did not confirm the logout, so you may still be signed in\./);
      expect(address()).to.equal(signInPath);
    });

    it('that is still pending does not end the next session', async () => {
      await openStaffPage('/admin/team');
      await heading('Team');
      const release = server.hold(logout);
      await press('Logout');
      await signIn();
      expect(screen.getByRole('button', { name: 'Signing in...' })).to.have.property('disabled', true);
      expect(server.count(login)).to.equal(0);
      await act(async () => release());
      await untilAt('/admin/dashboard');
      expect(account).to.equal(me);
    });
  });

  it('shows the name of the page in its title, and once in the window', async () => {
    for (const { paths, title } of [...staffPages, accountPage]) {
      await openStaffPage(paths[0]);
      await waitFor(() => expect(document.title).to.equal(title));
      await reload();
      expect(textsOf('head title')).to.deep.equal([title]);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { followUpRules, followUpStates } from '@dune-tide/domain/follow-ups';
import { byState } from '@dune-tide/domain/responses/follow-up';
import { act, fireEvent, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { FollowUp, OptOut } from '../../src/features/follow-ups/follow-ups-api.ts';
import {
  address,
  type Call,
  click,
  dialog,
  focused,
  isDialogOpen,
  listOf,
  me,
  messageOf,
  openStaffPage,
  press,
  put,
  refusal,
  serveStaff,
  textsOf,
} from './staff-area.tsx';

const path = '/admin/follow-ups';
const list = 'GET /api/admin/follow-ups';
const counts = `${list}/counts`;
const [retry, cancel] = ['POST /api/admin/follow-ups/:id/retry', 'POST /api/admin/follow-ups/:id/cancel'] as const;
const cancelAll = 'POST /api/admin/follow-ups/cancel';
/** The rows that the server returns in a page. */
const rowsOfPage = 3;

describe('The follow-ups page', () => {
  let stored: FollowUp[] = [];
  let optOuts: OptOut[] = [];

  /** Stores an email in front of the others. */
  function add(state: FollowUp['state'], recipient: string, more: Partial<FollowUp> = {}): FollowUp {
    const [id, at] = [randomUUID(), '2026-03-07T12:00:00.000Z'];
    const email: FollowUp = {
      id,
      leadId: id,
      leadEmail: recipient,
      kind: 'acknowledgement',
      event: null,
      recipient,
      state,
      attempts: 0,
      serverAnswer: null,
      withheldReason: null,
      nextTryAt: null,
      sentAt: null,
      createdAt: at,
      updatedAt: at,
      ...more,
    };
    stored = [email, ...stored];
    return email;
  }
  const change = (id: string | undefined, changes: Partial<FollowUp>) => {
    stored = stored.map((each) => (each.id === id ? { ...each, ...changes } : each));
    return stored.find((each) => each.id === id);
  };
  /** Answers a change as the API does: only if the email is still in the state that was shown. */
  const applied =
    (state: FollowUp['state']) =>
    ({ ids: [id], search }: Call) => {
      const email = stored.find((each) => each.id === id);
      const isShown = email?.state === new URLSearchParams(search).get('state');
      return isShown && email.withheldReason !== 'opted_out' ? change(id, { state }) : refusal(409);
    };
  const ofTransport = (transport: string | null) =>
    stored.filter(({ kind }) => followUpRules[kind].transport === (transport ?? 'email'));

  const server = serveStaff(() => ({
    [counts]: ({ search }) => {
      const all = ofTransport(new URLSearchParams(search).get('transport'));
      return {
        counts: byState((state) => all.filter((each) => each.state === state).length),
        oldestWaitingSeconds: all.some(({ state }) => state === 'pending') ? 60 : null,
      };
    },
    [list]: ({ search }) => {
      const params = new URLSearchParams(search);
      const from = Number(params.get('cursor') ?? 0);
      const all = ofTransport(params.get('transport')).filter(({ state }) => state === params.get('state'));
      params.set('cursor', String(from + rowsOfPage));
      const next = { Link: `<http://studio.example/api/admin/follow-ups?${params}>; rel="next"` };
      return listOf(all.slice(from, from + rowsOfPage), all.length > from + rowsOfPage ? next : {});
    },
    [retry]: applied('pending'),
    [cancel]: applied('cancelled'),
    [cancelAll]: ({ body }) => {
      const { state } = body as { readonly state: string };
      const all = stored.filter((each) => each.state === state);
      for (const { id } of all) change(id, { state: 'cancelled' });
      return { changed: all.length };
    },
    'POST /api/admin/follow-ups/:id/recipient': ({ ids: [id] }) => change(id, { state: 'pending' }),
    'GET /api/admin/opt-outs': () => listOf(optOuts),
    'DELETE /api/admin/opt-outs/:id': ({ ids: [id] }) => {
      optOuts = optOuts.filter((each) => each.id !== id);
      stored = stored.map((each) => ({ ...each, withheldReason: null }));
    },
  }));
  beforeEach(() => {
    stored = [];
    optOuts = [];
  });

  const rows = () => [...document.querySelectorAll('[role="tabpanel"] tbody tr')];
  const rowOf = (text: string) => rows().find(({ textContent }) => textContent.includes(text));
  const untilRows = (count: number) => waitFor(() => expect(rows()).to.have.length(count));
  const untilLeft = (text: string) => waitFor(() => expect(rowOf(text)).to.equal(undefined));
  const untilFocused = (name: string) => waitFor(() => expect(focused()).to.equal(name));
  const toast = (text: string) => screen.findByText(text);
  const open = async (state = 'failed', transport = 'email') => {
    await openStaffPage(`${path}?state=${state}${transport === 'email' ? '' : `&transport=${transport}`}`);
    await waitFor(() => expect(document.querySelector('[role="tabpanel"] > [aria-busy="false"]')).to.not.equal(null));
  };
  const refresh = async () => {
    await press('Refresh');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Refresh' }).getAttribute('aria-busy')).to.equal('false'),
    );
  };
  const untilPanelFocused = () =>
    waitFor(() => expect(document.activeElement?.getAttribute('role')).to.equal('tabpanel'));

  it('shows failed emails with the reason, and the focus stays in the list after a retry', async () => {
    const { id } = add('failed', 'amal@example.com', { attempts: 3, serverAnswer: '550 5.1.1 No such user' });
    await open();
    expect(textsOf('[role="tabpanel"] thead th')).to.deep.equal([
      'Email',
      'To',
      'Lead',
      'Attempts',
      'Last response',
      'Failed',
      'Actions',
    ]);
    const text = rowOf('amal@example.com')?.textContent;
    expect(text)
      .to.match(/^Acknowledgement/)
      .and.include('This address does not exist. 550 5.1.1 No such user');
    const link = screen.getByRole('link', { name: 'View lead of the email to amal@example.com' });
    expect(link.getAttribute('href')).to.equal(`/admin/leads/${id}`);
    const board = screen.getByRole('link', { name: 'Queue board (opens in a new tab)' });
    expect(board.getAttribute('href')).to.equal('/api/admin/queue');
    await press('Retry the email to amal@example.com');
    await toast('Email Retried');
    await untilLeft('amal@example.com');
    await untilPanelFocused();
    expect(server.last(retry)?.search).to.equal('?state=failed');
  });

  it('retries two emails concurrently', async () => {
    const [one, two] = ['one@example.com', 'two@example.com'] as const;
    const releases = new Map<string | undefined, () => void>();
    const held = server.answers[retry];
    server.answers[retry] = async (call) => {
      await new Promise<void>((resolve) => releases.set(call.ids[0], resolve));
      return held?.(call);
    };
    const [{ id: first }, { id: second }] = [add('failed', one), add('failed', two)];
    await open();
    for (const recipient of [one, two]) {
      await press(`Retry the email to ${recipient}`);
      expect(rowOf(recipient)?.textContent).to.include('Retrying...');
    }
    await act(async () => releases.get(first)?.());
    await untilLeft(one);
    expect(rowOf(two)?.textContent).to.include('Retrying...');
    await act(async () => releases.get(second)?.());
    await untilLeft(two);
  });

  it('names the lead of each staff notice, and in its buttons and toasts', async () => {
    for (const leadEmail of ['amal@example.com', 'badr@example.com']) {
      add('failed', 'staff@example.com', { kind: 'staff_notice', leadEmail });
    }
    await open();
    expect(rowOf('about badr@example.com')?.textContent).to.include('Notice to staff');
    const email = 'email to staff@example.com about badr@example.com';
    screen.getByRole('link', { name: `View lead of the ${email}` });
    await press(`Cancel the ${email}`);
    await toast(`The ${email} will not be sent.`);
    await untilLeft('about badr@example.com');
    expect(rows()).to.have.length(1);
  });

  it('cancels a failed email, and then focuses the next one', async () => {
    const stays = add('failed', 'stays@example.com');
    const aside = add('failed', 'aside@example.com', { serverAnswer: '550 5.1.1 No such user' });
    await open();
    const release = server.hold(cancel);
    await press('Cancel the email to aside@example.com');
    expect(rowOf('aside@example.com')?.textContent).to.include('Cancelling...').and.include('Retry');
    await act(async () => release());
    await toast('The email to aside@example.com will not be sent.');
    await untilLeft('aside@example.com');
    await untilFocused('Cancel the email to stays@example.com');
    await press(/^Cancelled/, screen, 'tab');
    await untilRows(1);
    expect(rowOf('aside@example.com')?.textContent).to.not.include('Cancel the email');
    const states = [stays, aside].map(({ id }) => stored.find((each) => each.id === id)?.state);
    expect(states).to.deep.equal(['failed', 'cancelled']);
  });

  it('keeps the loaded pages when one of their emails is retried', async () => {
    add('failed', 'oldest@example.com');
    for (let number = 0; number < rowsOfPage + 1; number += 1) add('failed', `f${number}@example.com`);
    await open();
    await untilRows(rowsOfPage);
    await press('Load more');
    await untilRows(rowsOfPage + 2);
    const [lists, loads] = [server.count(list), server.count(counts)];
    await click(rowOf('oldest@example.com')?.querySelector('[aria-label^="Retry"]'));
    await untilLeft('oldest@example.com');
    await waitFor(() => expect(server.count(counts)).to.be.above(loads));
    expect(rows()).to.have.length(rowsOfPage + 1);
    expect(server.count(list)).to.equal(lists);
  });

  it('changes only one email on a double press, by pointer or keyboard', async () => {
    for (const recipient of ['third@example.com', 'second@example.com', 'first@example.com']) add('failed', recipient);
    await open();
    const pressTwice = async (place: MouseEventInit, left: number) => {
      const cancelFirst = () => document.querySelector('tbody [aria-label^="Cancel"]') ?? expect.fail('no button');
      await act(async () => void fireEvent.click(cancelFirst(), place));
      await untilRows(left);
      // The next row is now in the place of the first one.
      await act(async () => void fireEvent.click(cancelFirst(), place));
      expect(server.count(cancel)).to.equal(3 - left);
    };
    await pressTwice({ clientX: 900, clientY: 300, detail: 1 }, 2);
    await pressTwice({ detail: 0 }, 1);
  });

  it('shows the state of an email that another team member has changed', async () => {
    const last = add('failed', 'last@example.com');
    const changed = add('failed', 'changed@example.com');
    await open();
    change(changed.id, { state: 'cancelled' });
    await press('Retry the email to changed@example.com');
    await screen.findAllByText(/^The status of the email to changed@example.com has changed\./);
    await untilLeft('changed@example.com');
    add('failed', 'since@example.com');
    await press(`Retry the email to ${last.recipient}`);
    await waitFor(() => expect(rowOf('since@example.com')).to.not.equal(undefined));
  });

  it('corrects the address of a failed email to a visitor, but not that of a notice to staff', async () => {
    add('failed', 'amal@exmaple.com', { attempts: 1, serverAnswer: '550 5.1.1 No such user' });
    add('failed', 'staff@example.com', { kind: 'staff_notice' });
    await open();
    await press(/^Correct the address/);
    dialog().getByRole('heading', { name: 'Correct the address' });
    expect(dialog().getByRole<HTMLInputElement>('textbox').value).to.equal('amal@exmaple.com');
    await put('email', 'amal@');
    await press('Save and Send', dialog());
    expect(messageOf('email')).to.equal('Please enter a valid email address');
    await put('email', 'amal@example.com');
    const release = server.hold(list);
    await press('Save and Send', dialog());
    await toast('The email will be sent to amal@example.com.');
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    await act(async () => release());
    await untilLeft('amal@exmaple.com');
    await untilPanelFocused();
    const sent = server.last('POST /api/admin/follow-ups/:id/recipient');
    expect(sent?.body).to.deep.equal({ email: 'amal@example.com', changeLead: false });
  });

  it('shows webhooks, if there are any, with their events and the responses of the receiver', async () => {
    await open('pending');
    const choice = () => screen.queryByRole('group', { name: 'What is shown' });
    expect(choice(), 'without webhooks').to.equal(null);
    const webhook = { kind: 'webhook', event: 'lead.created', serverAnswer: '410 gone' } as const;
    add('failed', 'amal@example.com', { ...webhook, recipient: null, leadEmail: 'amal@example.com' });
    await refresh();
    await waitFor(() => expect(choice()).to.not.equal(null));
    await press('Webhooks');
    await waitFor(() => expect(address()).to.equal(`${path}?state=pending&transport=webhook`));
    await press(/^Failed/, screen, 'tab');
    await untilRows(1);
    expect(rows()[0]?.textContent).to.include('lead.created').and.include('Receiver').and.include('410 gone');
    await press('Retry the webhook lead.created of amal@example.com');
    await toast('Webhook Retried');
    await untilRows(0);
    await press('Emails');
    await waitFor(() => expect(address()).to.equal(`${path}?state=failed`));
  });

  it('cancels all waiting emails after confirming their number, and shows a failure in the dialog', async () => {
    for (let number = 0; number < 3; number += 1) add('pending', `w${number}@example.com`);
    await open('pending');
    await press('Cancel all');
    await press('Back', dialog());
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    expect(server.count(cancelAll)).to.equal(0);
    await press('Cancel all');
    dialog().getByRole('heading', { name: /^Cancel 3\semails\?$/ });
    server.once(cancelAll, () => refusal(503));
    await press('Cancel all', dialog());
    await dialog().findByText('Failed to cancel the emails. Please try again.');
    await untilFocused('Cancel all');
    const release = server.hold(counts);
    await press('Cancel all', dialog());
    await toast('Emails Cancelled');
    await screen.findByText('No emails are waiting.');
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    await act(async () => release());
    await untilPanelFocused();
    expect(server.last(cancelAll)?.body).to.deep.equal({ state: 'pending', transport: 'email' });
  });

  it('summarises the states of the emails', async () => {
    add('withheld', 'a@example.com');
    await open('cancelled');
    await screen.findByText(/^No emails are waiting\. None failed\. 1\semail withheld\.$/);
    add('failed', 'b@example.com');
    add('pending', 'c@example.com');
    await refresh();
    await screen.findByText(/^1\semail waiting or being sent, the oldest for .*\. 1\semail failed\./);
    server.once(counts, () => refusal(503));
    await press('Refresh');
    await screen.findByText('Could not load the counts.');
    expect(textsOf('[role="tab"]')).to.have.length(followUpStates.length);
  });

  it('shows why emails are withheld, and that a retry of all ignores the limits', async () => {
    const reasons = {
      mailbox_limit: /already got 10 automatic emails/,
      opted_out: /asked for no more automatic emails/,
    } as const;
    for (const reason of Object.keys(reasons) as (keyof typeof reasons)[]) {
      add('withheld', `${reason}@example.com`, { withheldReason: reason });
    }
    await open('withheld');
    for (const [reason, text] of Object.entries(reasons)) {
      expect(rowOf(`${reason}@example.com`)?.textContent).to.match(text);
    }
    expect(textsOf('[role="tabpanel"] thead th')).to.include('Reason');
    await press('Retry all');
    dialog().getByText(
      'All emails under “Withheld” will be sent now, even above the limits, but at most 10 to one mailbox. Emails to addresses that want no automatic emails stay withheld.',
    );
  });

  it('lists the addresses that are opted out, and allows emails to them again', async () => {
    const mailbox = 'no-more@example.com';
    add('withheld', mailbox, { withheldReason: 'opted_out' });
    optOuts = [{ id: randomUUID(), mailbox, createdAt: '2026-03-07T12:00:00.000Z' }];
    await open('withheld');
    await press(`Retry the email to ${mailbox}`);
    await screen.findAllByText(`The email to ${mailbox} stays withheld. First allow emails to the address below.`);
    await press(`Allow emails to ${mailbox}`);
    const release = server.hold('GET /api/admin/opt-outs');
    await press('Allow emails', dialog());
    await toast('Emails Allowed');
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    await act(async () => release());
    await screen.findByText('No address is opted out.');
    await untilFocused('Addresses without automatic emails');
    await press(`Retry the email to ${mailbox}`);
    await toast('Email Retried');
  });

  it('tells a member what only an owner can do', async () => {
    const mailbox = 'no-more@example.com';
    server.answers['GET /api/admin/session'] = () => ({ ...me, role: 'member' });
    add('withheld', mailbox, { withheldReason: 'opted_out' });
    optOuts = [{ id: randomUUID(), mailbox, createdAt: '2026-03-07T12:00:00.000Z' }];
    await open('withheld');
    await screen.findByText('Only an owner can retry all withheld emails.');
    await screen.findByText(/Only an owner can allow emails to them again\.$/);
    expect(screen.queryByRole('button', { name: /^(Retry all|Allow emails)/ })).to.equal(null);
    await press(`Retry the email to ${mailbox}`);
    await screen.findAllByText(
      `The email to ${mailbox} stays withheld. Only an owner can allow emails to the address.`,
    );
    await press(/^Failed/, screen, 'tab');
    await screen.findByText('No emails have failed.');
    expect(screen.queryByText(/^Only an owner can retry/)).to.equal(null);
  });

  it('shows that the list could not be loaded, and loads it again', async () => {
    add('failed', 'amal@example.com');
    server.once(list, () => refusal(503));
    await open();
    await screen.findByText('Could not load the emails.');
    await press('Try again');
    await untilRows(1);
  });
});

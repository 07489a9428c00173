import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { api } from '../../src/api-client/base-api.ts';
import { EmailFate } from '../../src/features/follow-ups/EmailFate.tsx';
import { ReplyDialog } from '../../src/features/leads/reply/ReplyDialog.tsx';
import type { Lead, LeadOf } from '@dune-tide/domain/responses/lead';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { LeadHistory } from '../../src/features/leads/details/LeadHistory.tsx';
import { LeadStaffContext } from '../../src/features/leads/lead-staff.ts';
import { pendingReply, restoreReply } from '../../src/features/leads/reply/pending-reply.ts';
import { replyDraft } from '../../src/features/leads/reply/reply-draft.ts';
import { type ReplyTools, ReplyToolsContext } from '../../src/features/leads/reply/reply-tools.ts';
import { noteShownHistory } from '../../src/features/leads/reply/seen-activity.ts';
import { ReplyUndo } from '../../src/features/leads/reply/ReplyUndo.tsx';
import { RecipePicker } from '../../src/features/recipes/RecipePicker.tsx';
import { store } from '../../src/store/store.ts';
import { StoreProvider } from '../../src/store/StoreProvider.tsx';
import ToastStack from '../../src/toasts/ToastStack.tsx';

const lead: LeadOf<'service_inquiry'> = {
  id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c007',
  kind: 'service_inquiry',
  email: 'noura@example.com',
  name: 'Noura al-Harbi',
  company: null,
  phone: null,
  service: 'Video Testimonials',
  serviceType: 'UGC Creatives',
  urgency: 'Medium',
  budget: '$2,000-$5,000',
  timeframe: '1-2 weeks',
  projectDetails: 'Three films about oud.',
  goals: null,
  spamSign: null,
  status: 'new',
  owner: null,
  dueAt: null,
  answeredAt: null,
  response: 'waiting',
  version: 3,
  activity: 0,
  createdAt: '2026-03-07T12:00:00.000Z',
  updatedAt: '2026-03-07T12:00:00.000Z',
};
const replyId = '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c0aa';
const me = { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c0bb', name: 'Thabo Nkosi', username: 'thabo' };
const text = 'Hello Noura,\n\nyes, we can.';

/** The body of a reply as the API returns it. */
const stored = (changes: Record<string, unknown> = {}) => ({
  kind: 'reply',
  id: replyId,
  at: '2026-03-07T13:00:00.000Z',
  actor: me,
  activity: 1,
  subject: 'Your films',
  text,
  recipient: lead.email,
  state: 'pending',
  isUndoable: true,
  nextTryAt: '2026-03-07T13:00:10.000Z',
  sentAt: null,
  updatedAt: '2026-03-07T13:00:00.000Z',
  serverAnswer: null,
  withdrawnAt: null,
  withdrawnBy: null,
  ...changes,
});

const recipe = (title: string, changes: Record<string, unknown> = {}) => ({
  id: title,
  title,
  description: 'A text',
  instructions: 'Dear {firstName} of {company}, about {service}: {myName}',
  category: 'design',
  difficulty: 'easy',
  tags: ['kickoff'],
  tools: [],
  notionPageUrl: null,
  estimatedTime: null,
  isPublic: false,
  version: 1,
  activity: 0,
  createdAt: '2026-03-07T12:00:00.000Z',
  updatedAt: '2026-03-07T12:00:00.000Z',
  ...changes,
});

interface Call {
  readonly call: string;
  readonly body: unknown;
  readonly headers: Headers;
}

describe('Replies', () => {
  let calls: Call[] = [];
  interface Answer {
    readonly status: number;
    readonly body: unknown;
    readonly headers?: Record<string, string>;
  }
  let responses: Record<string, () => Answer> = {};
  const replies = `POST /api/admin/leads/${lead.id}/replies`;
  const undo = `${replies}/${replyId}/undo`;
  const history = `GET /api/admin/leads/${lead.id}/history`;
  const optOuts = 'GET /api/admin/opt-outs';

  beforeEach(() => {
    calls = [];
    responses = {
      [history]: () => ({ status: 200, body: [] }),
      [replies]: () => ({ status: 201, body: stored() }),
      [undo]: () => ({ status: 200, body: stored({ state: 'cancelled', isUndoable: false }) }),
      [optOuts]: () => ({ status: 200, body: [] }),
    };
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const call = `${request.method} ${new URL(request.url).pathname}`;
      const sent = await request.text();
      calls.push({ call, body: sent === '' ? undefined : JSON.parse(sent), headers: request.headers });
      const { status, body, headers = {} } = responses[call]?.() ?? { status: 200, body: { ...lead, ...me } };
      return Response.json(body, { status, headers });
    };
    window.history.replaceState(null, '', '/admin/leads');
  });
  afterEach(() => {
    sessionStorage.clear();
    // The store keeps lists for a while, also those of other tests.
    store.dispatch(api.util.resetApiState());
  });

  const callsOf = (name: string): Call[] => calls.filter(({ call }) => call === name);
  const dialog = () => within(screen.getByRole('dialog'));
  const press = (name: string | RegExp) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
  const message = () => dialog().getByRole<HTMLTextAreaElement>('textbox', { name: /^Message/ });
  const write = (value: string) => act(() => void fireEvent.change(message(), { target: { value } }));
  const untilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null));

  function Page({ to }: { readonly to: Lead }) {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Write</button>
        <ReplyDialog lead={open ? to : undefined} onClose={() => setOpen(false)} />
        <ReplyUndo />
        <ToastStack container={document.body} />
      </>
    );
  }
  const show = (content: React.ReactNode, tools: ReplyTools = { mode: 'mail', RecipePicker, Email: EmailFate }) =>
    render(
      <BrowserRouter>
        <StoreProvider>
          <LeadStaffContext value={{ me, people: [me] }}>
            <ReplyToolsContext value={tools}>{content}</ReplyToolsContext>
          </LeadStaffContext>
        </StoreProvider>
      </BrowserRouter>,
    );
  const open = async (tools?: ReplyTools, to: Lead = lead) => {
    show(<Page to={to} />, tools);
    await press('Write');
    await screen.findByRole('dialog');
  };

  it('are sent with a key and what was seen of the lead, and the toast has Undo', async () => {
    await open();
    write(text);
    await press('Send');
    await screen.findByText('Sending email to noura@example.com');
    await untilClosed();
    const [sent] = callsOf(replies);
    expect(sent?.body).to.include({ text, seenActivity: 0 }).and.not.to.have.property('replaces');
    expect(sent?.headers.get('If-Match')).to.equal('"3"');
    expect(sent?.headers.get('Idempotency-Key')).to.match(/^\S+$/);
    expect(replyDraft(lead.id).read()).to.equal(undefined);

    await press('Undo');
    await screen.findByText('The email is not sent.');
    expect(callsOf(undo)).to.have.length(1);
    expect(replyDraft(lead.id).read()?.values).to.include({ subject: 'Your films', text });
    expect(window.location.pathname).to.equal(`/admin/leads/${lead.id}`);
    expect(pendingReply.read()).to.equal(undefined);
  });

  it('keep their text above a limit, and say which limit it is and when it allows another reply', async () => {
    const detail = 'A lead gets at most 5 replies in 10 minutes.';
    responses[replies] = () => ({
      status: 429,
      body: { type: problemTypes.limit_reached, detail },
      headers: { 'Retry-After': '241' },
    });
    await open();
    write(text);
    await press('Send');
    const alert = await dialog().findByText(/^A lead gets at most/);
    expect(alert.textContent).to.match(new RegExp(`^${detail} Please try again in 5 minutes, at \\d\\d:\\d\\d\\.$`));
    expect(message().value).to.equal(text);
    expect(replyDraft(lead.id).read()?.values).to.include({ text });
    responses[replies] = () => ({ status: 201, body: stored() });
    await press('Send');
    await screen.findByText('Sending email to noura@example.com');
  });

  it('can be written to a visitor who wants no automatic emails, which the dialog says', async () => {
    responses[optOuts] = () => ({ status: 200, body: [{ id: '1', mailbox: lead.email }] });
    await open();
    expect((await dialog().findByText(/has opted out of automatic emails/)).textContent).to.equal(
      'noura@example.com has opted out of automatic emails. You can still reply by hand.',
    );
    await press('Send');
    await screen.findByText('Sending email to noura@example.com');
  });

  it('can be sent with Ctrl+Enter', async () => {
    await open();
    write(text);
    await act(async () => void fireEvent.keyDown(message(), { key: 'Enter', ctrlKey: true }));
    await screen.findByText('Sending email to noura@example.com');
    expect(callsOf(replies)).to.have.length(1);
  });

  it('can be undone after a reload, until their time has passed', async () => {
    pendingReply.write({ id: replyId, leadId: lead.id, email: lead.email, until: Date.now() + 9_000 });
    show(<Page to={lead} />);
    await screen.findByText('Sending email to noura@example.com');
    await press('Undo');
    await screen.findByText('The email is not sent.');
    pendingReply.write({ id: replyId, leadId: lead.id, email: lead.email, until: Date.now() - 1 });
    expect(pendingReply.read()).to.equal(undefined);
  });

  it('cannot be undone once they are being sent', async () => {
    responses[undo] = () => ({ status: 409, body: {} });
    pendingReply.write({ id: replyId, leadId: lead.id, email: lead.email, until: Date.now() + 9_000 });
    show(<Page to={lead} />);
    await screen.findByText('Sending email to noura@example.com');
    await press('Undo');
    await screen.findByText('The email is already being sent. It cannot be undone.');
    expect(replyDraft(lead.id).read()).to.equal(undefined);
  });

  it('offer Undo again after it failed without a result', async () => {
    responses[undo] = () => ({ status: 503, body: {} });
    pendingReply.write({ id: replyId, leadId: lead.id, email: lead.email, until: Date.now() + 60_000 });
    show(<Page to={lead} />);
    await screen.findByText('Sending email to noura@example.com');
    await press('Undo');
    await screen.findByText('Could not undo. Please try again.');
    responses[undo] = () => ({ status: 200, body: stored({ state: 'cancelled' }) });
    await screen.findByRole('button', { name: 'Undo' });
    await press('Undo');
    await screen.findByText('The email is not sent.');
  });

  const colleague = { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c0cc', name: 'Thandi Zulu' };
  const theirReply = stored({ id: '1', actor: colleague, text: 'We are full.' });
  const note = (more: Record<string, unknown>) => ({
    kind: 'note',
    id: '2',
    at: '2026-03-07T13:00:00.000Z',
    actor: colleague,
    text: 'Call first.',
    editedAt: null,
    deletedAt: null,
    version: 1,
    ...more,
  });
  const untilUnseen = () => dialog().findByRole('list', { name: 'Their changes' });
  // The tab remembers what it has shown of a lead.
  for (const [mode, before] of [
    ['mail', 0],
    ['simulated', 10],
  ] as const) {
    it(`are kept below what a colleague did in the meantime, and sent anyway on request: ${mode}`, async () => {
      const entries: unknown[] = [
        note({ id: '0', activity: before + 1, actor: me }),
        { ...theirReply, activity: before + 2 },
        note({ activity: before + 3 }),
      ];
      responses[history] = () => ({ status: 200, body: entries });
      responses[replies] = () => ({ status: 412, body: {} });
      await open({ mode, RecipePicker, Email: EmailFate });
      write(text);
      await press('Send');
      const shown = (await untilUnseen()).textContent;
      expect(shown).to.include('Thandi Zulu wrote a reply, which is about to be sent').and.include('We are full.');
      expect(shown).to.include('Thandi Zulu wrote a note').and.include('Call first.').and.not.include('Thabo');
      expect(document.activeElement?.getAttribute('role')).to.equal('alert');
      expect(message().value).to.equal(text);
      expect(replyDraft(lead.id).read()?.values).to.include({ text });

      entries.push({
        kind: 'answered',
        id: '3',
        at: '2026-03-07T13:01:00.000Z',
        actor: colleague,
        activity: before + 4,
      });
      await press('Send anyway');
      await waitFor(async () =>
        expect((await untilUnseen()).textContent).to.match(/^Thandi Zulu marked it as answered/),
      );
      responses[replies] = () => ({ status: 201, body: stored() });
      await press('Send anyway');
      await screen.findByText(/^(?:Sending email to noura@example.com|Email sent to noura@example.com successfully.)$/);
      await untilClosed();
      const sent = mode === 'mail' ? [0, 3, 4] : [];
      expect(callsOf(replies).map(({ body }) => (body as Record<string, unknown>)['seenActivity'])).to.deep.equal(sent);
    });
  }

  it('are compared with what their author saw when the draft was started, or in the history since', async () => {
    const other = { ...lead, id: lead.id.replace(/7$/, '8') };
    const start = async (to: Lead) => {
      show(<Page to={to} />);
      await press('Write');
    };
    await start(other);
    write('Half a letter');
    cleanup();
    responses[`POST /api/admin/leads/${other.id}/replies`] = () => ({ status: 201, body: stored() });
    await start({ ...other, activity: 5 });
    await press('Send');
    await untilClosed();
    cleanup();
    await start({ ...other, activity: 5 });
    write(text);
    await press('Send');
    await untilClosed();
    cleanup();
    noteShownHistory(other.id, [{ activity: 7 }, { activity: 3 }]);
    await start({ ...other, activity: 6 });
    write(text);
    await press('Send');
    await untilClosed();
    const seen = callsOf(`POST /api/admin/leads/${other.id}/replies`).map(
      ({ body }) => (body as Record<string, unknown>)['seenActivity'],
    );
    expect(seen).to.deep.equal([0, 5, 7]);
  });

  it('are sent with a placeholder that has no value only after a confirmation', async () => {
    await open();
    write('Hello {company} and {firstName}');
    await press('Send');
    await dialog().findByText('The text still has {company}, {firstName}. Send it anyway?');
    expect(callsOf(replies)).to.deep.equal([]);
    await press('Keep editing');
    expect(document.activeElement).to.equal(message());
    await press('Send');
    await press('Send anyway');
    await screen.findByText('Sending email to noura@example.com');
    expect(callsOf(replies)).to.have.length(1);
  });

  it('get the text of a recipe at the caret, with the values of its placeholders', async () => {
    const recipes = [
      recipe('Kickoff agenda'),
      recipe('Polite refusal', { category: 'client-management', tags: ['no'] }),
    ];
    responses['GET /api/admin/recipes'] = () => ({ status: 200, body: recipes });
    await open();
    write('Before after');
    message().setSelectionRange(7, 7);
    await press('Insert recipe');
    await dialog().findByRole('option', { name: 'Polite refusal' });
    const names = () =>
      dialog()
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(names()).to.deep.equal(['Polite refusal', 'Kickoff agenda']);
    const search = dialog().getByRole('combobox');
    act(() => void fireEvent.change(search, { target: { value: 'KICK agenda' } }));
    expect(names()).to.deep.equal(['Kickoff agenda']);
    await act(async () => void fireEvent.click(dialog().getByRole('option', { name: 'Kickoff agenda' })));
    const inserted = 'Dear Noura of {company}, about Video Testimonials: Thabo Nkosi';
    await waitFor(() => expect(message().value).to.equal(`Before ${inserted}after`));
    await waitFor(() => expect(message().selectionStart).to.equal(7 + inserted.length));
  });

  it('get a recipe before a line as a separate paragraph', async () => {
    responses['GET /api/admin/recipes'] = () => ({ status: 200, body: [recipe('Kickoff agenda')] });
    await open();
    write('Hello Noura,\n\nBest regards');
    message().setSelectionRange(14, 14);
    await press('Insert recipe');
    await act(async () => void fireEvent.click(await dialog().findByRole('option', { name: 'Kickoff agenda' })));
    await waitFor(() => expect(message().value).to.match(/^Hello Noura,\n\nDear Noura.*Nkosi\n\nBest regards$/));
  });

  it('get a recipe by keys as plain text, which replaces the sign-off of an untouched draft', async () => {
    const instructions = '**When**\n\n* Monday\n* [Map](https://example.com/map)\n\nKind regards,\n{myName}';
    const more = Array.from({ length: 60 }, (_, index) => recipe(`Agenda ${index}`));
    responses['GET /api/admin/recipes'] = () => ({
      status: 200,
      body: [...more, recipe('Visit', { instructions, tags: ['visit'] })],
    });
    await open();
    const before = message().value;
    await press('Insert recipe');
    await waitFor(() => expect(dialog().getAllByRole('option')).to.have.length(50));
    dialog().getByText('50 of 61 recipes. Type more to find the others.');
    const search = dialog().getByRole('combobox');
    expect(document.activeElement).to.equal(search);
    const key = (name: string) => act(async () => void fireEvent.keyDown(search, { key: name }));
    const active = () => document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent;
    expect(active()).to.equal('Agenda 0');
    await key('ArrowDown');
    expect(active()).to.equal('Agenda 1');
    await key('ArrowUp');
    act(() => void fireEvent.change(search, { target: { value: 'nothing like it' } }));
    await key('Enter');
    expect(callsOf(replies), 'Enter sends no reply').to.deep.equal([]);
    act(() => void fireEvent.change(search, { target: { value: 'vis' } }));
    await key('Enter');
    const arrived = 'When\n\n- Monday\n- Map (https://example.com/map)\n\nKind regards,\nThabo Nkosi';
    const kept = before.slice(0, before.indexOf('Best regards'));
    await waitFor(() => expect(message().value).to.equal(kept + arrived));
    await waitFor(() => expect(document.activeElement).to.equal(message()));
    expect(message().selectionStart).to.equal(message().value.length);
    await press('Insert recipe');
    await act(async () => void fireEvent.keyDown(dialog().getByRole('combobox'), { key: 'Escape' }));
    expect(dialog().queryByRole('combobox')).to.equal(null);
    expect(document.activeElement).to.equal(message());
  });

  it('show the message of the visitor beside them', async () => {
    await open();
    expect(dialog().getByRole('region', { name: 'What they wrote', hidden: true }).textContent).to.include(
      'Three films about oud.',
    );
  });

  describe('that are simulated', () => {
    const simulated: ReplyTools = { mode: 'simulated', Email: EmailFate };

    it('make no call that sends anything, and open in the mail program', async () => {
      await open(simulated);
      write('Yes & no\n100 %');
      expect(dialog().getByText('Simulation: no email is sent.')).not.to.equal(null);
      const link = dialog().getByRole('link', { name: 'Open in my mail program' });
      const subject = encodeURIComponent('Re: Video Testimonials - Dune & Tide');
      expect(link.getAttribute('href')).to.equal(
        `mailto:noura@example.com?subject=${subject}&body=Yes%20%26%20no%0D%0A100%20%25`,
      );
      await press('Send');
      await screen.findByText('Email sent to noura@example.com successfully.');
      expect(calls.map(({ call }) => call)).to.deep.equal([optOuts, history]);
    });

    it('can mark the lead as answered', async () => {
      await open(simulated);
      await press('Mark as answered');
      await dialog().findByText('Marked as answered.');
      expect(callsOf(`PATCH /api/admin/leads/${lead.id}`)[0]?.body).to.deep.equal({
        answered: true,
        seenStatus: 'new',
        seenOwnerId: null,
        seenAnswered: false,
      });
    });
  });

  describe('in the history', () => {
    const showHistory = async (entries: readonly unknown[]) => {
      responses[history] = () => ({ status: 200, body: entries });
      let written = 0;
      show(
        <>
          <LeadHistory leadId={lead.id} onWrite={() => (written += 1)} />
          <ToastStack container={document.body} />
        </>,
      );
      // The cached history of an earlier test is shown while this one is fetched.
      const section = screen.getByRole('region', { name: 'History' });
      await waitFor(() => expect(section.getAttribute('aria-busy')).to.equal('false'));
      return () => written;
    };

    it('can be undone while no attempt was made', async () => {
      await showHistory([stored()]);
      await press('Undo');
      await screen.findByText('The email is not sent.');
      expect(callsOf(undo)).to.have.length(1);
      expect(replyDraft(lead.id).read()?.values).to.include({ text });
    });

    it('have no Undo once they were attempted', async () => {
      await showHistory([stored({ isUndoable: false, state: 'sending' })]);
      expect(screen.queryByRole('button', { name: 'Undo' })).to.equal(null);
    });

    const failed = stored({ state: 'failed', isUndoable: false, serverAnswer: '550 5.1.1 No such user' });

    it('show why they failed in plain words, and are retried, edited or sent to another address', async () => {
      const writtenTimes = await showHistory([failed]);
      expect(screen.getByText(/This address does not exist/)).not.to.equal(null);
      await press('Retry');
      await screen.findByText('The email to noura@example.com will be retried.');
      expect(callsOf(`POST /api/admin/follow-ups/${replyId}/retry`)).to.have.length(1);

      await press('Edit and send again');
      expect(writtenTimes()).to.equal(1);
      expect(replyDraft(lead.id).read()?.values).to.deep.equal({ subject: 'Your films', text, replaces: replyId });

      await press('Correct the address');
      const field = screen.getByRole('textbox', { name: /^Email address/ });
      act(() => void fireEvent.change(field, { target: { value: 'noura@example.org' } }));
      await act(async () => void fireEvent.click(screen.getByRole('checkbox')));
      await press('Save and Send');
      await screen.findByText('The email will be sent to noura@example.org.');
      expect(callsOf(`POST /api/admin/follow-ups/${replyId}/recipient`)[0]?.body).to.deep.equal({
        email: 'noura@example.org',
        changeLead: true,
      });
    });

    it('show that they were sent after a retry', async () => {
      await showHistory([failed]);
      let reply = stored({ isUndoable: false, updatedAt: new Date().toISOString() });
      responses[history] = () => ({ status: 200, body: [reply] });
      await press('Retry');
      await screen.findByText('Waiting');
      reply = stored({ state: 'sent', isUndoable: false, nextTryAt: null, sentAt: '2026-03-07T13:05:00.000Z' });
      await screen.findByText(/: Sent$/);
    });

    it('say who withdrew them', async () => {
      await showHistory([
        stored({ state: 'cancelled', isUndoable: false, withdrawnAt: '2026-03-07T13:00:05.000Z', withdrawnBy: me }),
      ]);
      expect(screen.getByRole('listitem').textContent).to.include('It was not sent: Thabo Nkosi withdrew it');
    });
  });

  it('that replace a failed one name it when they are sent', async () => {
    restoreReply(lead.id, { subject: 'Your films', text }, replyId);
    await open();
    expect(message().value).to.equal(text);
    await press('Send');
    await screen.findByText('Sending email to noura@example.com');
    expect(callsOf(replies)[0]?.body).to.include({ subject: 'Your films', text, replaces: replyId });
  });

  it('that come back keep the draft that was started in the meantime', () => {
    replyDraft(lead.id).write({ values: { subject: 'Another', text: 'Another text' } });
    restoreReply(lead.id, { subject: 'Your films', text });
    expect(replyDraft(lead.id).read()?.values).to.deep.equal({
      subject: 'Your films',
      text: `${text}\n\nAnother text`,
    });
  });
});

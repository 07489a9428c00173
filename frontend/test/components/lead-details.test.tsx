import { randomUUID } from 'node:crypto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { closeSnackbar } from 'notistack';
import { brand } from '@dune-tide/domain/brand';
import { composeProjectDetails } from '@dune-tide/domain/forms/project-inquiry';
import type { Lead, LeadOf } from '@dune-tide/domain/responses/lead';
import { application, colleague, contact, inquiry, serveLeads } from './lead-server.ts';
import {
  address,
  click,
  dialog,
  focused,
  isDialogOpen,
  me,
  openStaffPage,
  press,
  pressKey,
  put,
  refusal,
  textsOf,
} from './staff-area.tsx';

const path = '/admin/leads';
const [lead, change, history] = [
  'GET /api/admin/leads/:id',
  'PATCH /api/admin/leads/:id',
  'GET /api/admin/leads/:id/history',
] as const;

describe('The details of a lead', () => {
  const leads = serveLeads();
  const { server } = leads;

  const open = async (shown: Lead) => {
    await openStaffPage(`${path}/${shown.id}`);
    await waitFor(() => expect(document.querySelector('[role="dialog"] dl')).to.not.equal(null));
  };
  const fields = () =>
    Object.fromEntries(
      [...document.querySelectorAll('[aria-label="Answers"] dt')].map((label) => [
        label.textContent,
        label.nextElementSibling?.textContent.trim(),
      ]),
    );
  const hrefs = () =>
    [...document.querySelectorAll('[aria-label="Answers"] dl a')].map((link) => link.getAttribute('href'));
  const work = () => within(screen.getByRole('region', { name: 'Work on this lead' }));
  const log = () => screen.getByRole('region', { name: 'History' });
  const untilLogged = (text: string) => waitFor(() => expect(log().textContent).to.include(text));

  describe('show each field', () => {
    const project = {
      businessDescription: 'We roast coffee\nin Woodstock.',
      projectDescription: 'We want a shop.',
      specificFeatures: 'Subscriptions and gift cards.',
      successCriteria: 'A third of sales online.',
      competitors: 'The roaster next door.',
    };
    const portfolio: LeadOf<'portfolio_request'> = {
      id: randomUUID(),
      kind: 'portfolio_request',
      email: 'priya@example.com',
      source: 'portfolio_view',
      spamSign: null,
      status: null,
      owner: null,
      dueAt: null,
      answeredAt: null,
      response: 'none',
      version: 1,
      activity: 0,
      createdAt: '2026-03-07T05:00:00.000Z',
    };
    for (const [name, shown, expected, links] of [
      [
        'a message',
        contact(),
        {
          'First name': 'Noura',
          'Last name': 'al-Harbi',
          Email: 'noura@example.com',
          Service: 'Lead Generation Systems',
          Message: 'First line\nsecond line',
        },
        ['mailto:noura@example.com'],
      ],
      [
        'an inquiry',
        inquiry(),
        {
          Name: 'Thabo Nkosi',
          Email: 'thabo@example.com',
          Company: 'Cape Roasters',
          'Phone number': '+27 21 555 0102',
          Service: 'Video Testimonials',
          'Service type': 'UGC Creatives',
          'Budget range': '$50,000+',
          Timeframe: '1-2 weeks',
          'Urgency level': 'Critical - ASAP required',
          'Project details': 'Ten films.\n\nThen ten more.',
          Goals: 'More calls.',
        },
        ['mailto:thabo@example.com', 'tel:+27215550102'],
      ],
      [
        'an application',
        application(),
        {
          'First name': 'Zoë',
          'Last name': 'Botha',
          'Phone number': '+27 21 555 0101',
          Position: 'Other / General Application',
          'Experience level': 'Senior Level (5+)',
          Portfolio: 'https://work.example.com/zoe',
          'Cover letter': 'Dear studio,\n\nI finish what I begin.',
        },
        ['mailto:zoe@example.com', 'tel:+27215550101', 'https://work.example.com/zoe'],
      ],
      [
        'an application without addresses that are safe to follow',
        application({ portfolioUrl: null, resumeUrl: 'javascript:alert(1)', phone: 'please write' }),
        { Resume: 'javascript:alert(1)', 'Phone number': 'please write' },
        ['mailto:zoe@example.com'],
      ],
      [
        'an application whose link has another direction than its text',
        application({ portfolioUrl: 'https://evil.example/\u202Egpj.exe', phone: 'please write' }),
        { Portfolio: 'https://evil.example/%E2%80%AEgpj.exe' },
        ['mailto:zoe@example.com', 'https://evil.example/%E2%80%AEgpj.exe'],
      ],
      [
        'a project',
        inquiry({
          company: null,
          service: 'Project Inquiry',
          projectDetails: composeProjectDetails(project),
          ...project,
        }),
        {
          'Business description': project.businessDescription,
          'Project description': project.projectDescription,
          'Specific features': project.specificFeatures,
          'Success criteria': project.successCriteria,
          Competitors: project.competitors,
          Company: 'Not given',
        },
        ['mailto:thabo@example.com', 'tel:+27215550102'],
      ],
      [
        'a portfolio request',
        portfolio,
        { Email: 'priya@example.com', Source: 'Portfolio on the home page' },
        ['mailto:priya@example.com'],
      ],
    ] as const) {
      it(`of ${name}`, async () => {
        leads.store<Lead>(shown);
        await open(shown);
        expect(fields()).to.include(expected);
        expect(hrefs()).to.have.members(links);
        const [outside] = document.querySelectorAll('[aria-label="Answers"] a[target]');
        expect(outside?.getAttribute('rel') ?? 'noopener noreferrer nofollow').to.equal('noopener noreferrer nofollow');
      });
    }
  });

  it('are loaded by id if they were opened by their address, and lead to the reply and the table', async () => {
    const [shown] = leads.store(contact({ spamSign: 'too_fast' }));
    if (!shown) expect.fail();
    server.once(lead, () => refusal(503));
    await openStaffPage(`${path}/${shown.id}`);
    await dialog().findByText('Could not load the lead.');
    expect(server.count(lead)).to.equal(1);
    await press('Try again', dialog());
    await waitFor(() => expect(fields()).to.include({ Email: 'noura@example.com' }));
    expect(document.title).to.equal(`Noura al-Harbi – Leads – ${brand.name} Admin`);
    await press('Send Email', dialog());
    await press('Send', dialog());
    await screen.findByText('Email sent to noura@example.com successfully.');
    await waitFor(() => expect(fields()).to.include({ Email: 'noura@example.com' }));
    expect(focused()).to.equal('Send Email');
    await pressKey('Escape', screen.getByRole('dialog'));
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    expect(address()).to.equal(path);
    await waitFor(() => expect(focused(), 'it has no row').to.equal('CRM & Lead Management'));
  });

  for (const id of [randomUUID(), 'abc', '%00', '..%2f..%2fstats']) {
    it(`show a message for the unknown lead ${id.slice(0, 8)}`, async () => {
      server.answers[`GET /api/admin/leads/${encodeURIComponent(decodeURIComponent(id))}`] = () => refusal(404);
      await openStaffPage(`${path}/${id}`);
      await dialog().findByText(/^Lead not found\./);
      await press('Show all leads', dialog());
      await waitFor(() => expect(isDialogOpen()).to.equal(false));
      expect(address()).to.equal(path);
      await waitFor(() => expect(focused()).to.equal('CRM & Lead Management'));
    });
  }

  it('fold a long message, and show at most two blank lines in a row', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `Line ${index}`).join('\n');
    const shown = { ...contact(), message: `Hello${'\n'.repeat(4_000)}${lines}` };
    leads.store(shown);
    await open(shown);
    const message = () => fields()['Message'];
    expect(message())
      .to.match(/^Hello\n\n\nLine 0\n/)
      .and.match(/Line 36\nShow all 63 lines$/);
    await press('Show all 63 lines');
    expect(message()).to.match(/Line 59\nShow less$/);
    await press('Show less');
    expect(message()).to.not.include('Line 59');
  });

  it('confirm each copy of the email address', async () => {
    const [shown] = leads.store(contact());
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    await open(shown ?? expect.fail());
    const button = () => dialog().getByRole('button', { name: 'Copy the address' });
    const icon = button().innerHTML;
    for (const copies of [1, 2]) {
      await click(button());
      dialog().getByText('Copied');
      expect(button().innerHTML).to.not.equal(icon);
      expect(copied).to.have.length(copies);
    }
    expect(copied).to.deep.equal(['noura@example.com', 'noura@example.com']);
  });

  it('open a lead for each press, also if presses follow each other faster than the page shows leads', async () => {
    leads.store<Lead>(contact(), inquiry(), application(), inquiry());
    await openStaffPage(path);
    await press('View Noura al-Harbi', screen, 'link');
    dialog().getByText('Lead 1 of 4');
    await act(async () => {
      for (const key of ['j', 'j', 'j']) fireEvent.keyDown(document.activeElement ?? document.body, { key });
    });
    dialog().getByText('Lead 4 of 4');
  });

  it('show the other leads of the same person and open them in the dialog', async () => {
    const [shown, other] = leads.store<Lead>(contact(), inquiry({ email: 'NOURA@example.com' }));
    await openStaffPage(path);
    await press('View Noura al-Harbi', screen, 'link');
    const others = () => within(screen.getByRole('region', { name: 'Also from this person' }));
    await screen.findByRole('region', { name: 'Also from this person' });
    await press(/^Service Inquiry/, others(), 'link');
    await waitFor(() => expect(address()).to.equal(`${path}/${other?.id}`));
    await waitFor(() => expect(others().getAllByRole('link')).to.have.length(1));
    dialog().getByText('Lead 2 of 2');
    await act(async () => window.history.back());
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    expect(address(), 'Back leads to the list').to.equal(path);
    expect(shown?.version).to.equal(1);
  });

  it('lead to the page for the personal data of the visitor', async () => {
    const [shown] = leads.store(contact());
    await open(shown ?? expect.fail());
    const link = dialog().getByRole('link', { name: 'Export or erase this person’s data' });
    expect(link.getAttribute('href')).to.equal('/admin/people?email=noura%40example.com');
  });

  describe('the work', () => {
    let shown = contact();
    const elsewhere = (...changes: Parameters<typeof leads.work>[1][]) => {
      for (const each of changes) leads.work(shown.id, each, colleague);
    };
    beforeEach(() => {
      shown = contact({ response: 'waiting', dueAt: new Date(Date.now() + 22.5 * 60 * 60_000).toISOString() });
      leads.store(shown);
    });

    it('is one change for a double press', async () => {
      await open(shown);
      const button = work().getByRole('button', { name: 'Assign to me' });
      await act(async () => {
        fireEvent.click(button);
        fireEvent.click(button);
      });
      await untilLogged('took over the lead');
      expect(server.count(change)).to.equal(1);
    });

    it('marks the lead as answered and not answered, and starts its clock again', async () => {
      await open(shown);
      await waitFor(() => expect(screen.getByRole('dialog').textContent).to.include('due in 22\u{A0}h'));
      await press('Mark as answered', work());
      await work().findByText(/^Answered/);
      await press('Not answered yet', work());
      await waitFor(() => expect(screen.getByRole('dialog').textContent).to.include('due in 22\u{A0}h'));
      await untilLogged('marked it as not answered yet');
    });

    it('that conflicts with that of a colleague lets the user make the change anyway', async () => {
      await open(shown);
      elsewhere({ status: 'lost' });
      await press('Assign to me', work());
      const alert = await work().findByRole('alert');
      expect(alert.textContent).to.include('New → Lost');
      expect(leads.find(shown.id)?.owner).to.equal(null);
      await press('Assign to me', within(alert));
      await waitFor(() => expect(leads.find(shown.id)?.owner?.id).to.equal(me.id));
      await waitFor(() => expect(work().queryByRole('alert')).to.equal(null));
    });

    it('needs no decision if both did the same', async () => {
      await open(shown);
      elsewhere({ status: 'won' });
      await press(/: change the status of/, work());
      await press('Won', screen, 'menuitemradio');
      await work().findByRole('button', { name: /^Won: change the status of/ });
      expect(work().queryByRole('alert')).to.equal(null);
      expect(server.count(change)).to.equal(1);
    });
  });

  describe('a note', () => {
    const [add, edit, remove] = [
      'POST /api/admin/leads/:id/notes',
      'PATCH /api/admin/leads/:id/notes/:id',
      'DELETE /api/admin/leads/:id/notes/:id',
    ] as const;
    let shown = contact();
    const item = () => document.querySelector<HTMLElement>('li[data-kind="note"]') ?? expect.fail('no note');
    const stored = (noteId: string, changes: object) =>
      leads.setHistory(
        shown.id,
        leads.historyOf(shown.id).map((entry) => (entry.id === noteId ? { ...entry, ...changes } : entry)),
      );
    const texts = () => ({ text: '', editedAt: null, deletedAt: null, version: 1 });
    beforeEach(() => {
      shown = contact();
      leads.store(shown);
      const versionOf = (id?: string) => leads.historyOf(shown.id).find((entry) => entry.id === id);
      Object.assign(server.answers, {
        [add]: ({ body }: { body: object }) =>
          Response.json(leads.note(shown.id, { kind: 'note', ...texts(), ...body }), { status: 201 }),
        [edit]: ({ ids: [, id = ''], body, headers }: { ids: string[]; body: object; headers: Headers }) => {
          const note = versionOf(id);
          const version = note?.kind === 'note' ? note.version : 0;
          if (headers.get('If-Match') !== `"${version}"`) return refusal(412);
          stored(id, { ...body, editedAt: '2026-03-07T14:00:00.000Z', version: version + 1 });
          return versionOf(id);
        },
        [remove]: ({ ids: [, id = ''] }: { ids: string[] }) =>
          stored(id, { text: null, deletedAt: '2026-03-07T14:00:00.000Z' }),
      });
    });
    const newNote = () => within(log()).getAllByRole<HTMLTextAreaElement>('textbox', { name: /^Note/ }).at(-1)!;
    const addNote = async (text: string) => {
      await put(newNote(), text);
      await press('Add note', within(log()));
    };

    it('keeps its text while the connection is lost, also for another visit to the lead', async () => {
      await openStaffPage(path);
      await press('View Noura al-Harbi', screen, 'link');
      server.once(add, () => {
        throw new TypeError('The connection was reset');
      });
      await addNote('Wants a quote by Monday');
      await untilLogged('Everything you wrote is still here');
      await pressKey('Escape', screen.getByRole('dialog'));
      await waitFor(() => expect(isDialogOpen()).to.equal(false));
      await press('View Noura al-Harbi', screen, 'link');
      expect(newNote().value).to.equal('Wants a quote by Monday');
      await press('Add note', within(log()));
      await waitFor(() => expect(item().textContent).to.include('Wants a quote by Monday'));
      expect(newNote().value).to.equal('');
      const [one, two] = server.calls
        .filter(({ call }) => call === add)
        .map(({ headers }) => headers.get('Idempotency-Key'));
      expect(one, 'a retry has the same key').to.equal(two);
    });

    it('is edited and deleted by its author, who decides between two texts', async () => {
      await open(shown);
      await addNote('First');
      await waitFor(() => expect(item().textContent).to.include('First'));
      const note = leads.historyOf(shown.id).at(-1);
      await press('Edit', within(item()));
      await put(within(item()).getByRole('textbox'), 'Mine');
      stored(note?.id ?? '', { text: 'From the other tab', version: 2 });
      await press('Save note', within(item()));
      await within(item()).findByText('You changed this note in another window');
      within(item()).getByText('From the other tab');
      expect(within(item()).getByRole<HTMLTextAreaElement>('textbox').value).to.equal('Mine');
      await press('Save my text', within(item()));
      await waitFor(() => expect(item().textContent).to.match(/wrote a note, edited.*Mine/));
      await press('Delete', within(item()));
      await press('Keep', within(item()));
      await press('Delete', within(item()));
      await press('Delete', within(within(item()).getByRole('group')));
      await untilLogged('deleted a note');
      expect(server.count(remove)).to.equal(1);
    });

    /** Types into the field as a keyboard does, with the caret at the end. */
    const typeNote = (value: string) =>
      act(async () => {
        newNote().focus();
        fireEvent.input(newNote(), { target: { value } });
      });
    const options = () => textsOf('[role="listbox"] [role="option"]', log());

    it('completes the username of a colleague by keys, and shows it emphasised', async () => {
      await open(shown);
      await waitFor(() => expect(server.count('GET /api/admin/team')).to.equal(1));
      await typeNote('Please call, @zu');
      await waitFor(() => expect(options()).to.deep.equal(['Thandi Zulu @thandi.zulu']));
      const active = newNote().getAttribute('aria-activedescendant') ?? '';
      expect(document.getElementById(active)?.textContent).to.equal(options()[0]);
      expect(newNote().getAttribute('aria-controls')).to.equal(log().querySelector('[role="listbox"]')?.id);
      await pressKey('Enter', newNote());
      expect(newNote().value).to.equal('Please call, @thandi.zulu ');
      expect([newNote().selectionStart, options().length]).to.deep.equal([newNote().value.length, 0]);
      await press('Add note', within(log()));
      await waitFor(() => expect(item().querySelector('strong')?.textContent).to.equal('@thandi.zulu'));
      expect(server.calls.find(({ call }) => call === add)?.body).to.deep.equal({ text: 'Please call, @thandi.zulu' });
    });

    it('offers no one for the user, an email address, or after Escape, which keeps the dialog open', async () => {
      await open(shown);
      await waitFor(() => expect(server.count('GET /api/admin/team')).to.equal(1));
      for (const text of [`@${me.username}`, 'me@thandi', '@unknown', 'thandi', '@thandi.zulu and']) {
        await typeNote(text);
        expect(options(), text).to.deep.equal([]);
      }
      await typeNote('@');
      await waitFor(() => expect(options()).to.have.length(1));
      await pressKey('Escape', newNote());
      expect([options().length, isDialogOpen(), newNote().value]).to.deep.equal([0, true, '@']);
      await typeNote('@th');
      await click(within(log()).getByRole('option'));
      expect(newNote().value).to.equal('@thandi.zulu ');
      expect(document.activeElement).to.equal(newNote());
    });

    it('of a colleague can only be read', async () => {
      leads.note(shown.id, { kind: 'note', ...texts(), text: 'From a colleague' }, colleague);
      await open(shown);
      await untilLogged('From a colleague');
      expect(item().querySelector('button')).to.equal(null);
    });
  });

  describe('whose lead a colleague has erased', () => {
    const own = { kind: 'note', text: 'First', editedAt: null, deletedAt: null, version: 1 };
    const gone = () => dialog().findAllByText('This lead has been deleted.');
    const toast = () => waitFor(() => expect(textsOf('.notistack-SnackbarContainer')[0]).to.include('deleted.'));
    const note = () => within(document.querySelector<HTMLElement>('li[data-kind="note"]') ?? expect.fail('no note'));
    const texts = () => [...document.querySelectorAll('textarea:not([aria-hidden])')];
    const text = () => texts().at(-1) as HTMLTextAreaElement;
    const mine = 'Everything I wrote';
    const pressed = async (name: string) => {
      await press(name, dialog());
      await toast();
    };
    const calls: Readonly<Record<string, readonly [call: string, tryIt: () => Promise<unknown>, isKept?: true]>> = {
      'a note': [
        'POST /api/admin/leads/:id/notes',
        async () => {
          await put(text(), mine);
          await press('Add note', dialog());
          await gone();
        },
        true,
      ],
      'an edit of a note': [
        'PATCH /api/admin/leads/:id/notes/:id',
        async () => {
          await press('Edit', note());
          await put(note().getByRole('textbox'), mine);
          await press('Save note', note());
          await waitFor(async () => expect(note().getByText('This lead has been deleted.')).to.not.equal(null));
        },
        true,
      ],
      'a deleted note': [
        'DELETE /api/admin/leads/:id/notes/:id',
        async () => {
          await press('Delete', note());
          await press('Delete', within(note().getByRole('group')));
          await toast();
        },
      ],
      'an owner': [change, () => pressed('Assign to me')],
      'an answer': [change, () => pressed('Mark as answered')],
      'a mark as spam': ['POST /api/admin/leads/:id/spam', () => pressed('Mark as spam')],
      'an email that is retried': ['POST /api/admin/follow-ups/:id/retry', () => pressed('Retry')],
      'a corrected address': [
        'POST /api/admin/follow-ups/:id/recipient',
        async () => {
          await press('Correct the address', dialog());
          const form = within(screen.getAllByRole('dialog').at(-1) ?? expect.fail('no dialog'));
          await put(form.getByRole('textbox', { name: /^Email address/ }), 'noura@example.org');
          await press('Save and Send', form);
          await form.findByText('This lead has been deleted.');
        },
      ],
      'a reply': [
        history,
        async () => {
          await press('Send Email', dialog());
          await put('text', mine);
          await press('Send', dialog());
          await gone();
        },
        true,
      ],
    };
    for (const [name, [call, tryIt, isKept]] of Object.entries(calls)) {
      it(`say so for ${name}, and keep what was written`, async () => {
        const [shown] = leads.store(contact({ response: 'waiting' })) as [Lead];
        leads.note(shown.id, own);
        const email = { kind: 'email', email: 'acknowledgement', recipient: shown.email, state: 'failed' };
        const times = { nextTryAt: null, sentAt: null, updatedAt: '2026-03-07T14:00:00.000Z', withheldReason: null };
        leads.note(shown.id, { ...email, ...times, serverAnswer: '550 5.1.1 No such user' }, null);
        await openStaffPage(path);
        // The toast of an earlier test.
        act(() => closeSnackbar());
        await waitFor(() => expect(screen.queryByText('This lead has been deleted.')).to.equal(null));
        await press('View Noura al-Harbi', screen, 'link');
        await untilLogged('First');
        leads.remove(shown.id);
        server.answers[call] = () => refusal(404);
        await tryIt();
        expect(server.count(call)).to.be.above(0);
        if (isKept) expect(texts().map((each) => (each as HTMLTextAreaElement).value)).to.include(mine);
      });
    }
  });

  it('show the fate of each email in the history, with links to others in the same state', async () => {
    const [shown] = leads.store(contact());
    if (!shown) expect.fail();
    const email = {
      kind: 'email',
      recipient: shown.email,
      nextTryAt: null,
      sentAt: null,
      updatedAt: '2026-03-07T10:00:00.000Z',
      serverAnswer: null,
      withheldReason: null,
    } as const;
    const failed = { email: 'acknowledgement', state: 'failed', serverAnswer: '550 5.1.1 No such user' };
    const sent = { email: 'staff_notice', recipient: 'staff@example.com', state: 'sent' };
    leads.note(shown.id, { ...email, ...failed }, null);
    leads.note(shown.id, { ...email, ...sent, sentAt: '2026-03-07T10:05:00.000Z' }, null);
    server.once(history, () => refusal(503));
    await openStaffPage(`${path}/${shown.id}`);
    await screen.findByText(/^Could not load the history\./);
    await press('Try again', within(log()));
    await untilLogged('Notice to staff');
    const [first, second] = textsOf('li[data-kind="email"]', log());
    expect(first).to.match(
      /^Acknowledgement to noura@example\.com: Failed Mar 07, 2026 \d\d:\d\d: This address does not exist\. 550 5\.1\.1 No such user\s*RetryCorrect the address$/,
    );
    expect(second).to.match(/^Notice to staff to staff@example\.com: Sent Mar 07, 2026 \d\d:\d\d$/);
    const link = within(log()).getByRole('link', { name: 'Failed' });
    expect(link.getAttribute('href')).to.equal('/admin/follow-ups?state=failed');
  });
});

describe('The history of a lead with a waiting email', () => {
  const leads = serveLeads();
  const { server } = leads;
  const realTimeout = globalThis.setTimeout;
  const { now } = Date;
  let polls: (() => void)[] = [];
  beforeEach(() => {
    polls = [];
    // Keeps the timers of the polls, which have this time, for the test to run.
    globalThis.setTimeout = ((run: () => void, time?: number) => {
      if (time !== 2_500) return realTimeout(run, time);
      polls.push(run);
      return realTimeout(() => undefined);
    }) as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = realTimeout;
    Date.now = now;
  });

  it('is loaded again for two minutes, so that the session of an unattended page can end', async () => {
    const [shown] = leads.store(contact());
    if (!shown) expect.fail();
    const waiting = { kind: 'email', email: 'acknowledgement', recipient: shown.email, state: 'pending' };
    const times = { nextTryAt: null, sentAt: null, updatedAt: new Date(now()).toISOString() };
    leads.note(shown.id, { ...waiting, ...times, serverAnswer: null, withheldReason: null }, null);
    await openStaffPage(`${path}/${shown.id}`);
    await waitFor(() => expect(polls).to.have.length(1));
    const loads = server.count(history);
    const poll = async (number: number) => {
      const release = server.hold(history);
      await act(async () => polls[number]?.());
      await act(async () => release());
    };
    await poll(0);
    await waitFor(() => expect(polls).to.have.length(2));
    expect(server.count(history)).to.equal(loads + 1);
    Date.now = () => now() + 121_000;
    await poll(1);
    expect(server.count(history)).to.equal(loads + 2);
    const log = screen.getByRole('region', { name: 'History' });
    await waitFor(() => expect(log.getAttribute('aria-busy')).to.equal('false'));
    expect(polls, 'no further poll').to.have.length(2);
  });
});

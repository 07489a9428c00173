import { randomUUID } from 'node:crypto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import type { LeadView } from '../../src/features/leads/views/views-api.ts';
import { application, colleague, contact, inquiry, serveLeads } from './lead-server.ts';
import {
  address,
  announce,
  click,
  dialog,
  focused,
  isDialogOpen,
  listOf,
  me,
  openStaffPage,
  press,
  pressKey,
  put,
  refusal,
  reload,
  textsOf,
} from './staff-area.tsx';

const path = '/admin/leads';
const list = 'GET /api/admin/leads';
const bulk = 'POST /api/admin/leads/bulk';
const csv = 'GET /api/admin/leads.csv';

describe('The leads page', () => {
  const leads = serveLeads();
  const { server } = leads;
  let [zoe, thabo, noura, lerato] = [application(), inquiry(), contact(), inquiry()];
  beforeEach(() => {
    [zoe, thabo, noura, lerato] = [
      application(),
      inquiry({ status: 'qualified' }),
      contact(),
      inquiry({
        email: 'lerato@example.com',
        name: 'Lerato Mokoena',
        company: null,
        service: 'Project Inquiry',
        serviceType: 'MVP Development',
        urgency: 'Low',
        status: 'lost',
      }),
    ];
    leads.store<Lead>(zoe, thabo, noura, lerato);
  });

  const rows = () => [...document.querySelectorAll<HTMLElement>('[role="tabpanel"] tbody tr')];
  const cells = () => rows().map((row) => textsOf('td:not(:first-child, :last-child)', row));
  const names = () => textsOf('tbody [data-column="name"]');
  const untilNames = (expected: readonly string[]) => waitFor(() => expect(names()).to.deep.equal(expected));
  const tab = (name: string) => screen.getByRole('tab', { name: new RegExp(`^${name}`) });
  const choose = async (name: string) => {
    await click(tab(name));
    await waitFor(() => expect(tab(name).getAttribute('aria-selected')).to.equal('true'));
  };
  const open = async (search = '') => {
    await openStaffPage(path + search);
    await waitFor(() => {
      expect(document.querySelector('[role="tabpanel"]')).to.not.equal(null);
      expect(document.querySelector('output[aria-label="Loading leads"]')).to.equal(null);
    });
  };
  const listCalls = () =>
    server.calls
      .filter(({ call, search }) => call === list && !search.includes('limit=1') && !search.includes('email='))
      .map(({ search }) => search);
  const searchField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search leads' });
  const type = (value: string) => act(async () => void fireEvent.change(searchField(), { target: { value } }));

  describe('the table', () => {
    it('lists the leads of the three sources, and its tabs those of one, with their own columns', async () => {
      await open();
      await screen.findByRole('tab', { name: 'All 4' });
      expect(textsOf('[role="tab"]')).to.deep.equal([
        'All 4',
        'Contact Forms 1',
        'Service Inquiries 2',
        'Career Applications 1',
      ]);
      expect(cells()).to.deep.equal([
        ['Career Application', 'Zoë Botha', 'zoe@example.com', 'Other / General Application', 'New', 'Mar 07, 2026'],
        ['Service Inquiry', 'Thabo Nkosi', 'thabo@example.com', 'Video Testimonials', 'Qualified', 'Mar 07, 2026'],
        ['Contact Form', 'Noura al-Harbi', 'noura@example.com', 'Lead Generation Systems', 'New', 'Mar 07, 2026'],
        [
          'Service Inquiry',
          'Lerato Mokoena',
          'lerato@example.com',
          'MVP DevelopmentProject Inquiry',
          'Lost',
          'Mar 07, 2026',
        ],
      ]);
      expect(screen.getByRole('table').getAttribute('aria-rowcount')).to.equal('5');
      expect(rows().map((row) => row.getAttribute('aria-rowindex'))).to.deep.equal(['2', '3', '4', '5']);
      const columns = () => textsOf('[role="columnheader"]').slice(1, -1);
      expect(columns()).to.deep.equal(['Type', 'Name', 'Email', 'Service/Position', 'Status', 'Date']);
      for (const [name, heads, first] of [
        [
          'Contact Forms',
          ['Name', 'Email', 'Service', 'Message', 'Date'],
          ['Noura al-Harbi', 'noura@example.com', 'Lead Generation Systems', 'First line\nsecond line', 'Mar 07, 2026'],
        ],
        [
          'Service Inquiries',
          ['Name', 'Email', 'Service', 'Urgency', 'Status', 'Date'],
          [
            'Thabo NkosiCape Roasters',
            'thabo@example.com',
            'Video Testimonials$50,000+',
            'Critical',
            'Qualified',
            'Mar 07, 2026',
          ],
        ],
        [
          'Career Applications',
          ['Name', 'Email', 'Position', 'Experience', 'Date'],
          [
            'Zoë Botha+27 21 555 0101',
            'zoe@example.com',
            'Other / General Application',
            'Senior Level (5+)',
            'Mar 07, 2026',
          ],
        ],
      ] as const) {
        await choose(name);
        await waitFor(() => expect(columns()).to.deep.equal(heads));
        await waitFor(() => expect(cells()[0]).to.deep.equal(first));
      }
      await reload();
      expect(tab('Career Applications').getAttribute('aria-selected'), 'the tab stays').to.equal('true');
    });

    it('shows the urgency by a number of bars, and the status as a chip', async () => {
      leads.store(inquiry({ urgency: 'High - within 2 weeks' }), inquiry({ urgency: 'Medium' }));
      await open('?tab=service_inquiry');
      await waitFor(() => expect(rows()).to.have.length(4));
      const bars = (column: string) =>
        rows().map((row) => row.querySelectorAll(`[data-column="${column}"] rect:not([data-off])`).length);
      expect(bars('urgency')).to.deep.equal([4, 1, 3, 2]);
      expect(bars('status')).to.deep.equal([0, 0, 0, 0]);
      expect(textsOf('tbody [data-column="status"]')).to.deep.equal(['Qualified', 'Lost', 'New', 'New']);
    });

    it('has a message on each empty tab', async () => {
      for (const { id } of [zoe, thabo, noura, lerato]) leads.remove(id);
      await open();
      await screen.findByText('No leads yet.');
      for (const [name, words] of [
        ['Contact Forms', 'No contact submissions yet.'],
        ['Service Inquiries', 'No service inquiries yet.'],
        ['Career Applications', 'No career applications yet.'],
      ] as const) {
        await choose(name);
        await screen.findByText(words);
        expect(tab(name).textContent).to.equal(`${name} 0`);
      }
    });

    it('shows HTML in any field as text, also in the details', async () => {
      const markup = '<img src="/nowhere.png" onerror="alert(1)"><script>alert(1)</script> & "quotes" \u202Eright';
      const [one, two, three] = [
        contact({ firstName: markup, lastName: markup, message: markup }),
        inquiry({
          name: markup,
          company: markup,
          phone: markup,
          service: markup,
          serviceType: markup,
          urgency: markup,
          budget: markup,
          projectDetails: markup,
          goals: markup,
        }),
        application({
          firstName: markup,
          phone: markup,
          position: markup,
          portfolioUrl: `https://${markup}`,
          resumeUrl: `javascript:${markup}`,
          coverLetter: markup,
        }),
      ];
      leads.store<Lead>(one, two, three);
      await open();
      const expectAsText = (texts: readonly string[], atLeast: number) => {
        const marked = texts.filter((text) => text.includes('<script>'));
        expect(marked.every((text) => text.includes(markup))).to.equal(true);
        expect(marked.length).to.be.at.least(atLeast);
        const unsafe = '[role="dialog"] img, [role="dialog"] script, tbody img, tbody script';
        expect(document.querySelector(unsafe)).to.equal(null);
      };
      for (const name of ['Contact Forms', 'Service Inquiries', 'Career Applications', 'All']) {
        await choose(name);
        await waitFor(() => expectAsText(cells().flat(), 2));
      }
      for (const { id } of [one, two, three]) {
        await click(document.querySelector(`a[href="${path}/${id}"]`));
        await waitFor(() => expectAsText(textsOf('[role="dialog"] dd'), 3));
        const links = [...document.querySelectorAll('[role="dialog"] a')].map((link) => link.getAttribute('href'));
        expect(links.join(' ')).not.to.match(/javascript|alert/);
        await pressKey('Escape', screen.getByRole('dialog'));
        await waitFor(() => expect(isDialogOpen()).to.equal(false));
      }
    });

    it('changes a status from its menu, and shows what another member has changed', async () => {
      await open();
      leads.work(zoe.id, { ownerId: colleague.id }, colleague);
      leads.work(zoe.id, { status: 'qualified' }, colleague);
      await press('New: change the status of Zoë Botha');
      await press('Won', screen, 'menuitemradio');
      const alert = await dialog().findByRole('alert');
      expect(alert.textContent)
        .to.include('This lead has changed since you opened it')
        .and.include('Your change is not saved. Thandi Zulu changed:');
      expect(textsOf('dt', alert)).to.deep.equal(['Status', 'Owner']);
      expect(textsOf('dd', alert)).to.deep.equal(['New → Qualified', `No owner → ${colleague.name}`]);
      await press('Keep their version', dialog());
      await waitFor(() => expect(isDialogOpen()).to.equal(false));
      await screen.findByRole('button', { name: 'Qualified: change the status of Zoë Botha' });
      expect(leads.find(zoe.id)).to.include({ status: 'qualified', version: 3 });
      await press('Qualified: change the status of Zoë Botha');
      await press('Won', screen, 'menuitemradio');
      await screen.findByRole('button', { name: 'Won: change the status of Zoë Botha' });
    });
  });

  describe('reads', () => {
    const { random } = Math;
    // The pauses between the retries are as short as they can be.
    before(() => void (Math.random = () => -0.4));
    after(() => void (Math.random = random));
    const failing = (...statuses: readonly number[]) => {
      const left = [...statuses];
      const answer = server.answers[list];
      server.answers[list] = (call) => {
        const status = call.search.includes('limit=1') ? undefined : left.shift();
        return status === undefined ? answer?.(call) : refusal(status);
      };
    };

    it('the list once; only Refresh loads it again', async () => {
      await open();
      await press('Recipes', screen, 'link');
      await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
      await press('Leads', screen, 'link');
      await waitFor(() => expect(rows()).to.have.length(4));
      for (const event of ['focus', 'online', 'visibilitychange']) {
        await act(async () => void window.dispatchEvent(new Event(event)));
      }
      expect(listCalls()).to.deep.equal(['?spam=without']);
      leads.store(contact({ firstName: 'Reem', lastName: 'Qahtani' }));
      await press('Refresh');
      await waitFor(() => expect(names()).to.include('Reem Qahtani'));
      expect(tab('Contact Forms').textContent).to.equal('Contact Forms 2');
      expect(listCalls()).to.have.length(2);
    });

    it('again after a failure, at most twice without a message', async () => {
      failing(500, 500);
      await open();
      await waitFor(() => expect(rows()).to.have.length(4));
      expect(listCalls()).to.have.length(3);
      expect(screen.queryByText('Could not load the leads.')).to.equal(null);
    });

    it('and then shows an error, and continues with Try again', async () => {
      failing(500, 503, 500);
      await openStaffPage(path);
      await screen.findByText('Could not load the leads.');
      expect(listCalls()).to.have.length(3);
      await press('Try again');
      await waitFor(() => expect(rows()).to.have.length(4));
      expect(document.activeElement?.getAttribute('role'), 'the replacement has the focus').to.equal('tabpanel');
      expect(listCalls()).to.have.length(4);
    });

    it('and keeps the leads when Refresh fails', async () => {
      await open();
      failing(500, 500, 500);
      await press('Refresh');
      await screen.findByText('Could not refresh the leads. They may be out of date.');
      expect(rows()).to.have.length(4);
      await press('Try again');
      await waitFor(() => expect(screen.queryByText(/^Could not refresh/)).to.equal(null));
      expect(document.activeElement?.getAttribute('role')).to.equal('tabpanel');
      expect(listCalls()).to.have.length(5);
    });

    it('further pages, and continues with the same page after a failure', async () => {
      const pages = [[zoe], [thabo]];
      server.answers[list] = ({ search }) => {
        const page = new URLSearchParams(search).get('cursor');
        const headers = { Link: `<http://studio.example${path.replace('/admin', '/api/admin')}?cursor=1>; rel="next"` };
        if (search.includes('limit=1')) return listOf([]);
        return page === null ? listOf(pages[0] ?? [], headers) : refusal(500);
      };
      await openStaffPage(path);
      await screen.findByText('Could not load older leads.');
      expect(listCalls()).to.deep.equal(['?spam=without', '?cursor=1', '?cursor=1', '?cursor=1']);
      expect(rows()).to.have.length(1);
      server.answers[list] = () => listOf(pages[1] ?? []);
      await press('Try again');
      await waitFor(() => expect(rows()).to.have.length(2));
      expect(listCalls().at(-1)).to.equal('?cursor=1');
    });

    it('the list from its start on Refresh, even while a further page is loading', async () => {
      let release = (): void => undefined;
      const next = { Link: '<http://studio.example/api/admin/leads?cursor=1>; rel="next"' };
      server.answers[list] = async ({ search }) => {
        if (search.includes('limit=1')) return listOf([]);
        if (!search.includes('cursor')) return listOf([zoe], next);
        await new Promise<void>((resolve) => (release = resolve));
        return listOf([thabo]);
      };
      await openStaffPage(path);
      await waitFor(() => expect(listCalls()).to.have.length(2));
      await press('Refresh');
      await act(async () => release());
      await waitFor(() =>
        expect(listCalls().slice(0, 3)).to.deep.equal(['?spam=without', '?cursor=1', '?spam=without']),
      );
      await act(async () => release());
    });

    it('nothing after a 401, which opens the sign-in', async () => {
      server.once(list, () => refusal(401));
      await openStaffPage(path);
      await waitFor(() => expect(address()).to.equal('/admin/login?from=%2Fadmin%2Fleads'));
      expect(listCalls()).to.have.length(1);
    });
  });

  it('announces new leads above the table, in the title and in the navigation, and loads them by Show', async () => {
    const totals = (contacts: number) => ({
      totals: { contact: contacts, service_inquiry: 2, career_application: 1 },
      needsAnswer: { overdue: 1, soon: 0, waiting: contacts },
      unowned: 0,
      failedEmails: 2,
      indexing: null,
    });
    await open();
    await waitFor(() => expect(rows()).to.have.length(4));
    await announce(totals(1));
    expect(textsOf('nav [id^="waiting-"]')).to.deep.equal(['2 need an answer', '2 failed']);
    await announce(totals(3));
    await screen.findByText('2 new leads');
    expect(document.title).to.match(/^\(2\) Leads/);
    expect(listCalls()).to.have.length(1);
    leads.store(contact(), contact());
    await press('Show');
    await waitFor(() => expect(rows()).to.have.length(6));
    expect(screen.queryByText('2 new leads')).to.equal(null);
    expect(document.title).to.match(/^Leads/);
    expect(document.activeElement?.tagName).to.equal('H1');
  });

  it('marks the leads for the user in the navigation and in their rows until they are opened', async () => {
    const numbers = {
      totals: { contact: 1, service_inquiry: 2, career_application: 1 },
      needsAnswer: { overdue: 0, soon: 0, waiting: 3 },
      unowned: 0,
      failedEmails: 0,
      indexing: null,
    };
    const remove = 'DELETE /api/admin/leads/:id/mark';
    Object.assign(server.answers, { [remove]: () => undefined });
    const marked = () => rows().filter((row) => row.textContent.includes('New for you')).length;
    const mark = (...leadIds: string[]) => announce({ ...numbers, marked: { total: leadIds.length, leadIds } });
    await open();
    await waitFor(() => expect(rows()).to.have.length(4));
    await announce(numbers);
    expect(textsOf('nav [id^="marked-"]'), 'a server of 0.3.0').to.deep.equal([]);
    await mark(noura.id, thabo.id);
    expect(textsOf('nav [id^="marked-"], nav [id^="waiting-"]')).to.deep.equal(['2 for you', '3 need an answer']);
    expect(marked()).to.equal(2);
    await press('View Noura al-Harbi', screen, 'link');
    await waitFor(() => expect(server.count(remove)).to.equal(1));
    expect(server.calls.find(({ call }) => call === remove)?.ids).to.deep.equal([noura.id]);
    await mark(thabo.id);
    expect(marked()).to.equal(1);
    await mark(noura.id, thabo.id);
    expect(server.count(remove), 'a mark that is set while the lead is open').to.equal(1);
    await pressKey('Escape', screen.getByRole('dialog'));
    await waitFor(() => expect(isDialogOpen()).to.equal(false));
    await press('View Noura al-Harbi', screen, 'link');
    await waitFor(() => expect(server.count(remove)).to.equal(2));
  });

  it('says how many leads are indexed until all are', async () => {
    const totals = {
      totals: { contact: 1, service_inquiry: 2, career_application: 1 },
      needsAnswer: { overdue: 0, soon: 0, waiting: 0 },
      unowned: 0,
      failedEmails: 0,
    };
    await open();
    await announce({ ...totals, indexing: { indexed: 12_000, total: 20_000 } });
    await screen.findByText(/^Still indexing: 12,000 of 20,000\./);
    await announce({ ...totals, indexing: null });
    await waitFor(() => expect(screen.queryByText(/^Still indexing/)).to.equal(null));
  });

  describe('the search field', () => {
    const options = () => textsOf('[role="listbox"] [role="option"]');
    const key = (name: string) => pressKey(name, searchField());

    it('offers the filters that its words name, chosen by keys, and keeps the other words', async () => {
      await open();
      await act(async () => searchField().focus());
      await type('perfume won');
      expect(options()).to.deep.equal(['Status: Won']);
      expect(searchField().getAttribute('aria-expanded')).to.equal('true');
      await key('ArrowDown');
      // The address changes when the typing pauses, which renders the page again.
      await waitFor(() => expect(address()).to.equal(`${path}?q=perfume+won`));
      const active = searchField().getAttribute('aria-activedescendant');
      expect(document.getElementById(active ?? '')?.textContent).to.equal('Status: Won');
      await key('Enter');
      await waitFor(() => expect(address()).to.equal(`${path}?q=perfume&status=won`));
      expect(searchField().value).to.equal('perfume');
      expect(options()).to.deep.equal([]);
      await type('perfume won');
      expect(options(), 'a filter that is set').to.deep.equal([]);
    });

    it('offers owners by name, and nothing for other words or after Escape', async () => {
      await open();
      await act(async () => searchField().focus());
      await type(colleague.name.toUpperCase());
      expect(options()).to.deep.equal([`Owner: ${colleague.name}`]);
      await click(screen.getByRole('option'));
      await waitFor(() => expect(address()).to.equal(`${path}?owner=${colleague.id}`));
      for (const words of ['perfume', 'w', '']) {
        await type(words);
        expect(options(), words).to.deep.equal([]);
      }
      await type(me.name);
      expect(options()[0]).to.match(/^Owner: .* \(you\)$/);
      await key('Escape');
      expect(options()).to.deep.equal([]);
      expect(searchField().value).to.equal(me.name);
    });
  });

  it('counts the leads since the page was opened if the list was not loaded yet', async () => {
    const totals = (contacts: number) => ({
      totals: { contact: contacts, service_inquiry: 2, career_application: 1 },
      needsAnswer: { overdue: 1, soon: 0, waiting: contacts },
      unowned: 0,
      failedEmails: 0,
      indexing: null,
    });
    await openStaffPage('/admin/recipes');
    await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
    await announce(totals(5));
    expect(document.title).to.match(/^Recipe/);
    await announce(totals(7));
    expect(document.title).to.match(/^\(2\) Recipe/);
  });

  it('shows the filters on phones by a button', async () => {
    const width = window.innerWidth;
    const { happyDOM } = window as unknown as { readonly happyDOM: { setViewport(size: { width: number }): void } };
    const filters = () => within(document.querySelector<HTMLElement>('search') ?? expect.fail('no filters'));
    const shown = () => filters().queryByRole('button', { name: /^Status/ }) !== null;
    await open();
    expect([shown(), filters().queryByRole('button', { name: 'Filters' })]).to.deep.equal([true, null]);
    try {
      happyDOM.setViewport({ width: 390 });
      await open();
      expect(shown()).to.equal(false);
      await press('Filters', filters());
      expect(shown()).to.equal(true);
    } finally {
      happyDOM.setViewport({ width });
    }
  });

  describe('a search', () => {
    it('marks what was found, and the address keeps it', async () => {
      await open();
      await pressKey('/', document.body);
      expect(document.activeElement).to.equal(searchField());
      await type('zoe bot');
      await untilNames(['Zoë Botha']);
      expect(address()).to.equal(`${path}?q=zoe+bot`);
      await waitFor(() => expect(textsOf('tbody mark')).to.deep.equal(['Zoë', 'Bot', 'zoe']));
      screen.getByText('1 lead');
      expect(tab('All').textContent, 'the totals of the tabs stay').to.equal('All 4');
      await reload();
      await untilNames(['Zoë Botha']);
      expect(searchField().value).to.equal('zoe bot');
    });

    it('shows where it has found a word that is not in the row', async () => {
      const message = `${'A long story. '.repeat(20)}It is about frankincense from Salalah.`;
      leads.store(contact({ firstName: 'Huda', message }));
      await open();
      await type('huda frankinc');
      await waitFor(() => expect(textsOf('[data-column="found"] span')[0]).to.equal('Message:'));
      expect(textsOf('[data-column="found"] bdi')[0]).to.match(/^…\s?(A )?long story\. It is about frankincense/);
      expect(textsOf('tbody mark')).to.deep.equal(['Huda', 'frankinc']);
      await type('huda');
      await waitFor(() => expect(document.querySelector('[data-column="found"]')).to.equal(null));
    });

    it('combines with filters, and shows what was searched when nothing matches', async () => {
      await open('?tab=service_inquiry');
      const filters = () => within(document.querySelector<HTMLElement>('search') ?? expect.fail('no filters'));
      await press(/^Status/, filters());
      for (const name of ['Qualified', 'Lost']) await press(name, screen, 'menuitemcheckbox');
      await pressKey('Escape', screen.getByRole('menu'));
      filters().getByRole('button', { name: /^Status: Qualified, Lost/ });
      expect(address()).to.equal(`${path}?tab=service_inquiry&status=qualified&status=lost`);
      await type('roasters');
      await untilNames(['Thabo NkosiCape Roasters']);
      await press(/^Owner/, filters());
      await press(/\(you\)$/, screen, 'menuitemradio');
      await screen.findByText('No leads match.');
      screen.getByText('“roasters” · Status: Qualified or Lost · Owner: Me');
      await click(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1));
      await waitFor(() => expect(rows()).to.have.length(2));
      expect(address()).to.equal(`${path}?tab=service_inquiry`);
      expect(document.activeElement).to.equal(searchField());
    });

    it('waits for a pause in typing, cancels a search for a newer one, and never shows its response', async () => {
      await open();
      const answer = server.answers[list];
      const releases: (() => void)[] = [];
      server.answers[list] = async (call) => {
        if (call.search.includes('q=th&')) await new Promise<void>((resolve) => releases.push(resolve));
        return answer?.(call);
      };
      await act(async () => {
        for (const value of ['t', 'th']) fireEvent.change(searchField(), { target: { value } });
      });
      await waitFor(() => expect(releases).to.have.length(1));
      const { signal } = server.last(list) ?? expect.fail('no call');
      expect(signal.aborted).to.equal(false);
      await type('thabo');
      await waitFor(() => expect(signal.aborted).to.equal(true));
      await untilNames(['Thabo Nkosi']);
      await act(async () => releases[0]?.());
      await untilNames(['Thabo Nkosi']);
      expect(listCalls().slice(1)).to.deep.equal(['?q=th&spam=without', '?q=thabo&spam=without']);
    });

    it('keeps what was typed while it fails', async () => {
      await open();
      const answer = server.answers[list];
      server.answers[list] = () => refusal(404);
      await type('thabo');
      await screen.findByText('Could not load the leads.');
      expect(searchField().value).to.equal('thabo');
      if (answer) server.answers[list] = answer;
      await press('Try again');
      await untilNames(['Thabo Nkosi']);
    });
  });

  describe('views', () => {
    const views = 'GET /api/admin/views';
    let saved: LeadView[] = [];
    const view = (name: string, search: string): LeadView => ({ id: randomUUID(), name, search });
    const viewNames = () => textsOf('[aria-label="Views"] a').slice(6);
    const storedNames = () => saved.map(({ name }) => name);
    const link = (name: string) => screen.getByRole('link', { name });
    const edited = () => textsOf('[role="dialog"] li .name');
    beforeEach(() => {
      saved = [];
      Object.assign(server.answers, {
        [views]: () => saved,
        'POST /api/admin/views': ({ body }: { body: LeadView }) => {
          if (saved.some(({ name }) => name.toLowerCase() === body.name.toLowerCase())) {
            return refusal(422, { errors: [{ field: 'name', message: 'Another view has this name' }] });
          }
          const added = view(body.name, body.search);
          saved = [...saved, added];
          return Response.json(added, { status: 201 });
        },
        'PATCH /api/admin/views': ({ body: { ids } }: { body: { ids: string[] } }) => {
          saved = saved.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
          return saved;
        },
        'DELETE /api/admin/views/:id': ({ ids: [id] }: { ids: string[] }) => {
          saved = saved.filter((each) => each.id !== id);
        },
      });
    });

    it('show what needs an answer, the leads of an owner, and spam', async () => {
      const at = new Date().toISOString();
      leads.store(
        contact({ firstName: 'Late', response: 'overdue', dueAt: at }),
        contact({ firstName: 'Early', response: 'waiting', dueAt: at, owner: { id: me.id, name: me.name } }),
      );
      await open();
      for (const [name, expected] of [
        ['Needs an answer', ['Late al-Harbi', 'Early al-Harbi']],
        ['Mine', ['Early al-Harbi']],
        ['Unowned', ['Late al-Harbi']],
      ] as const) {
        await click(link(name));
        await untilNames(expected);
        expect(link(name).getAttribute('aria-current')).to.equal('page');
      }
      await click(link('Spam'));
      await screen.findByText('No leads match.');
      await act(async () => window.history.back());
      await untilNames(['Late al-Harbi']);
      await act(async () => link('View Late al-Harbi').focus());
      await pressKey('m');
      await screen.findByText(`Assigned to ${me.name}`);
      expect(names(), 'no row moves after a change').to.deep.equal(['Late al-Harbi']);
      await click(link('Mine'));
      await untilNames(['Late al-Harbi', 'Early al-Harbi']);
    });

    it('are saved with a name from what the page shows, and open it again', async () => {
      await open();
      expect(screen.queryByRole('button', { name: 'Save view' }), 'nothing to save').to.equal(null);
      const search = '?tab=service_inquiry&q=roasters&status=qualified';
      await open(search);
      await press('Save view');
      dialog().getByText('Service Inquiries · “roasters” · Status: Qualified');
      await put('name', 'Coffee');
      await press('Save', dialog());
      await waitFor(() => expect(viewNames()).to.deep.equal(['Coffee']));
      await waitFor(() => expect(isDialogOpen()).to.equal(false));
      expect(link('Coffee').getAttribute('aria-current')).to.equal('page');
      await click(link('Mine'));
      await click(link('Coffee'));
      await waitFor(() => expect(address()).to.equal(path + search));
      await waitFor(() => expect(rows()).to.have.length(1));
      await press('Save view');
      await put('name', 'coffee');
      await press('Save', dialog());
      await dialog().findByText('Another view has this name');
    });

    it('are ordered with keys and deleted, and keep the focus', async () => {
      saved = [view('First', 'status=new'), view('Second', 'status=won'), view('Third', 'status=lost')];
      await open();
      await waitFor(() => expect(viewNames()).to.deep.equal(['First', 'Second', 'Third']));
      await press('Edit views');
      await press('Move First down', dialog());
      await waitFor(() => expect(storedNames()).to.deep.equal(['Second', 'First', 'Third']));
      expect(focused()).to.equal('Move First down');
      await press('Move First down', dialog());
      await waitFor(() => expect(storedNames()).to.deep.equal(['Second', 'Third', 'First']));
      dialog().getByText('First: 3 of 3');
      await press('Move First down', dialog());
      expect(edited(), 'the last one stays').to.deep.equal(['Second', 'Third', 'First']);
      await press('Delete Third', dialog());
      await waitFor(() => expect(storedNames()).to.deep.equal(['Second', 'First']));
      await waitFor(() => expect(focused()).to.equal('Delete First'));
    });

    it('keep their order on the page if it could not be stored', async () => {
      saved = [view('First', 'status=new'), view('Second', 'status=won')];
      await open();
      server.once('PATCH /api/admin/views', () => refusal(503));
      await press('Edit views');
      await press('Move First down', dialog());
      await screen.findByText('Could not change the order.');
      expect(edited()).to.deep.equal(['First', 'Second']);
    });

    it('open with the fields that the page knows', async () => {
      saved = [view('Old', 'colour=green&status=qualified&sort=colour')];
      await open();
      await click(await screen.findByRole('link', { name: 'Old' }));
      await waitFor(() => expect(address()).to.equal(`${path}?status=qualified`));
      await untilNames(['Thabo Nkosi']);
      expect(link('Old').getAttribute('aria-current')).to.equal('page');
      await press('Edit views');
      dialog().getByText('A part of this filter no longer exists.');
    });
  });

  describe('changing several leads', () => {
    const many = Array.from({ length: 26 }, (_, place) => contact({ firstName: `Visitor${place + 1}` }));
    const box = (place: number) => screen.getByRole('checkbox', { name: `Select Visitor${place} al-Harbi` });
    const select = (place: number, init: MouseEventInit = {}) =>
      act(async () => void fireEvent.click(box(place), init));
    const bar = () => within(screen.getByRole('region', { name: 'Change the selected leads' }));
    const chooseIn = async (menu: string, name: string | RegExp) => {
      await press(menu, bar());
      await press(name, screen, 'menuitem');
    };
    let changed = 0;
    beforeEach(() => {
      for (const { id } of [zoe, thabo, noura, lerato]) leads.remove(id);
      leads.store(...many);
      server.answers[bulk] = ({ body }) => {
        const { ids, status } = body as { readonly ids: readonly string[]; readonly status?: Lead['status'] };
        for (const id of ids) if (status) leads.change(id, { status });
        return { changed: changed || ids.length, unchanged: 0, missing: 0 };
      };
      changed = 0;
    });

    it('selects with the pointer and a key, makes the change once for a double press, and undoes it', async () => {
      await open();
      await select(2);
      await select(4, { shiftKey: true });
      bar().getByText('3 leads selected');
      await act(async () => screen.getByRole('link', { name: 'View Visitor6 al-Harbi' }).focus());
      await pressKey('x');
      bar().getByText('4 leads selected');
      const release = server.hold(bulk);
      await chooseIn('Status', 'Won');
      await chooseIn('Status', 'Won');
      await act(async () => release());
      await screen.findByText('4 leads changed');
      expect(server.count(bulk)).to.equal(1);
      const body = server.last(bulk)?.body as { readonly ids: readonly string[] } | undefined;
      const ids = body?.ids;
      expect(ids).to.deep.equal([1, 2, 3, 5].map((place) => many[place]?.id));
      await waitFor(() => expect(rows()[1]?.textContent).to.include('Won'));
      const undoes = server.last(bulk)?.headers.get('Idempotency-Key');
      await press('Undo');
      await screen.findByText('The change is undone.');
      expect(server.last(bulk)?.body).to.deep.equal({ ids, undoes });
      expect(screen.queryByRole('region', { name: /^(Change the selected|The last)/ })).to.equal(null);
      expect(document.activeElement?.tagName).to.equal('H1');
    });

    it('repeats a change with the same key after a lost response, and says what an undo left', async () => {
      await open();
      await select(1);
      await select(3, { shiftKey: true });
      server.lose(bulk);
      await chooseIn('Status', 'Won');
      await screen.findByText('Could not change all leads. Please try again.');
      await chooseIn('Status', 'Won');
      await screen.findByText('3 leads changed');
      const sent = server.calls
        .filter(({ call }) => call === bulk)
        .map(({ headers }) => headers.get('Idempotency-Key'));
      expect(sent[0]).to.equal(sent[1]);
      changed = 1;
      await press('Undo');
      await screen.findByText('The change is undone, except for 2 leads that the team has changed since.');
    });

    it('offers the undo for ten seconds', async () => {
      const realTimeout = globalThis.setTimeout;
      const ends: (() => void)[] = [];
      globalThis.setTimeout = ((run: () => void, time?: number) => {
        if (time !== 10_000) return realTimeout(run, time);
        ends.push(run);
        return realTimeout(() => undefined);
      }) as typeof setTimeout;
      try {
        await open();
        await select(1);
        await chooseIn('Status', 'Lost');
        await screen.findByText('1 lead changed');
        expect([screen.queryAllByRole('button', { name: 'Undo' }).length, ends.length]).to.deep.equal([1, 1]);
        await act(async () => ends[0]?.());
        expect(screen.queryByRole('button', { name: 'Undo' })).to.equal(null);
      } finally {
        globalThis.setTimeout = realTimeout;
      }
    });

    it('offers the undo also after another view was opened', async () => {
      await open();
      await select(1);
      await chooseIn('Status', 'Lost');
      await screen.findByText('1 lead changed');
      await press('Mine', screen, 'link');
      await screen.findByText('No leads match.');
      await press('Undo');
      await screen.findByText('The change is undone.');
    });

    it('selects all leads that match, and asks before it changes more than twenty', async () => {
      server.answers[list] = ({ search }) => {
        const isSecond = search.includes('cursor');
        const next = { Link: '<http://studio.example/api/admin/leads?cursor=1>; rel="next"' };
        if (search.includes('spam=only')) return listOf([]);
        return listOf(isSecond ? many.slice(20) : many.slice(0, 20), { 'X-Total-Count': '26', ...(!isSecond && next) });
      };
      await open();
      await select(1);
      const all = bar().queryByRole('button', { name: 'Select all 26' });
      await click(all);
      await waitFor(() => bar().getByText('26 leads selected'));
      await chooseIn('Owner', /\(you\)$/);
      dialog().getByText('Change 26 leads?');
      dialog().getByText(`New owner: ${me.name}. Current: No owner (26).`);
      expect(server.count(bulk)).to.equal(0);
      await press('Change', dialog());
      await screen.findByText('26 leads changed');
      expect(server.last(bulk)?.body).to.deep.equal({ ids: many.map(({ id }) => id), ownerId: me.id });
    });

    it('selects at most 500 of the leads that match', async () => {
      const all = Array.from({ length: 501 }, (_, place) => contact({ firstName: `Visitor${place + 1}` }));
      server.answers[list] = ({ search }) => listOf(search.includes('spam=only') ? [] : all);
      await open();
      await select(1);
      await press('Select the first 500', bar());
      bar().getByText('500 leads selected');
      expect(bar().queryByRole('button', { name: /^Select/ })).to.equal(null);
    });
  });

  describe('the export', () => {
    let restore = (): void => undefined;
    afterEach(() => restore());

    let isCancelled = false;
    /** Serves the first lead, and then nothing until the export is cancelled. */
    const serveFirst = () => {
      isCancelled = false;
      server.answers[csv] = ({ signal }) =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('kind\r\ncontact\r\n'));
              signal.addEventListener('abort', () => {
                isCancelled = true;
                controller.error(new DOMException('cancelled', 'AbortError'));
              });
            },
          }),
        );
    };

    it('shows its progress, and can be cancelled', async () => {
      serveFirst();
      await open('?status=qualified');
      await press('Export CSV');
      await screen.findByText('1 exported');
      expect(screen.getByRole('progressbar', { name: 'Export' }).getAttribute('aria-valuenow')).to.equal('100');
      expect(server.last(csv)?.search).to.equal('?status=qualified&spam=without');
      await press('Cancel export');
      await screen.findByRole('button', { name: 'Export CSV' });
      expect(isCancelled).to.equal(true);
      expect(focused()).to.equal('Export CSV');
    });

    it('is not available to a member above the limit, and says why', async () => {
      server.answers['GET /api/admin/session'] = () => ({ ...me, role: 'member' });
      const next = '</api/admin/leads?cursor=x>; rel="next"';
      // The next page does not arrive.
      server.answers[list] = ({ search }) =>
        search.includes('cursor')
          ? new Promise(() => undefined)
          : listOf([noura], { 'X-Total-Count': '501', Link: next });
      await openStaffPage(path);
      const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Export CSV' });
      await waitFor(() => expect(button.isConnected && button.disabled).to.equal(true));
      const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
      expect(reason?.textContent).to.equal('Only an owner can export more than 500 leads.');
    });

    it('explains a refusal to a member, also that of the next file within an hour', async () => {
      server.answers['GET /api/admin/session'] = () => ({ ...me, role: 'member' });
      await open();
      server.once(csv, () => refusal(403, { type: problemTypes.owner_needed }));
      await press('Export CSV');
      await screen.findByText('Only an owner can export more than 500 leads. Choose fewer by a filter.');
      const limit = { type: problemTypes.limit_reached, detail: 'You can export 5 files in an hour.' };
      server.once(csv, () => refusal(429, limit, { 'Retry-After': '1200' }));
      await press('Export CSV');
      await screen.findByText(/^You can export 5 files in an hour\. Please try again in 20 minutes, at \d\d:\d\d\.$/);
    });

    it('asks an owner for the password where it is needed, and goes on', async () => {
      serveFirst();
      const served = server.answers[csv];
      server.answers[csv] = () => refusal(403, { type: problemTypes.password_needed });
      server.answers['POST /api/admin/account/confirm'] = () => {
        if (served) server.answers[csv] = served;
        return undefined;
      };
      await open();
      await press('Export CSV');
      const prompt = await screen.findByRole('dialog', { name: 'Enter your password' });
      const field = prompt.querySelector('[name="password"]');
      await act(async () => void (field && fireEvent.change(field, { target: { value: 'an old boat' } })));
      await act(async () => void fireEvent.submit(within(prompt).getByRole('form')));
      await screen.findByText('1 exported');
    });

    it('is cancelled when the user leaves the page', async () => {
      serveFirst();
      await open();
      await press('Export CSV');
      await screen.findByText('1 exported');
      expect(isCancelled).to.equal(false);
      await press('Recipes', screen, 'link');
      await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
      expect(isCancelled).to.equal(true);
    });

    it('is reported if it fails, also in the middle of the file, and stores no file', async () => {
      let stored = 0;
      // The function is inherited, so it is there again when this one is deleted.
      restore = () => void Reflect.deleteProperty(URL, 'createObjectURL');
      Object.defineProperty(URL, 'createObjectURL', { configurable: true, value: () => `blob:${++stored}` });
      await open();
      server.answers[csv] = () => refusal(503);
      await press('Export CSV');
      await screen.findByText('Other exports are running. Please try again in a minute.');
      server.answers[csv] = () => {
        throw new TypeError('The connection was reset');
      };
      await press('Export CSV');
      await screen.findByText('Could not export the leads. Please try again.');
      await screen.findByRole('button', { name: 'Export CSV' });
      server.answers[csv] = () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode('kind\r\ncontact\r\n')),
            pull: (controller) => controller.error(new TypeError('The connection was reset')),
          }),
        );
      await press('Export CSV');
      await waitFor(() => expect(server.count(csv)).to.equal(3));
      await screen.findByRole('button', { name: 'Export CSV' });
      expect(stored).to.equal(0);
    });
  });

  describe('a lead that is classified as spam', () => {
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
      await dialog().findByText(
        'The form was submitted faster than a person can fill it in. No email was sent for it.',
      );
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
});

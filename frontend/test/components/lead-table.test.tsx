import { act, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { application, colleague, contact, inquiry } from './lead-server.ts';
import { choose, lerato, list, names, noura, open, path, rows, serveLeadsPage, tab, thabo, zoe } from './leads-page.ts';
import {
  address,
  click,
  dialog,
  isDialogOpen,
  listOf,
  openStaffPage,
  press,
  pressKey,
  refusal,
  reload,
  textsOf,
} from './staff-area.tsx';

describe('The leads page', () => {
  const leads = serveLeadsPage();
  const { server, listCalls } = leads;
  const cells = () => rows().map((row) => textsOf('td:not(:first-child, :last-child)', row));

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
});

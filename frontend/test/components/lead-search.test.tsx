import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { colleague, contact } from './lead-server.ts';
import { list, open, path, rows, serveLeadsPage, tab, untilNames } from './leads-page.ts';
import { address, click, me, press, pressKey, refusal, reload, textsOf } from './staff-area.tsx';

describe('The leads page', () => {
  const leads = serveLeadsPage();
  const { server, listCalls } = leads;
  const searchField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search leads' });
  const type = (value: string) => act(async () => void fireEvent.change(searchField(), { target: { value } }));

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
});

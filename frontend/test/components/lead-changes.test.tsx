import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { contact, serveLeads } from './lead-server.ts';
import { list, open, rows } from './leads-page.ts';
import { click, dialog, listOf, me, press, pressKey } from './staff-area.tsx';

const bulk = 'POST /api/admin/leads/bulk';

describe('Changing several leads', () => {
  const leads = serveLeads();
  const { server } = leads;
  const many = Array.from({ length: 26 }, (_, place) => contact({ firstName: `Visitor${place + 1}` }));
  const box = (place: number) => screen.getByRole('checkbox', { name: `Select Visitor${place} al-Harbi` });
  const select = (place: number, init: MouseEventInit = {}) => act(async () => void fireEvent.click(box(place), init));
  const bar = () => within(screen.getByRole('region', { name: 'Change the selected leads' }));
  const chooseIn = async (menu: string, name: string | RegExp) => {
    await press(menu, bar());
    await press(name, screen, 'menuitem');
  };
  let changed = 0;
  beforeEach(() => {
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
    const sent = server.calls.filter(({ call }) => call === bulk).map(({ headers }) => headers.get('Idempotency-Key'));
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

import { randomUUID } from 'node:crypto';
import { act, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { LeadView } from '../../src/features/leads/views/views-api.ts';
import { contact } from './lead-server.ts';
import { names, open, path, rows, serveLeadsPage, untilNames } from './leads-page.ts';
import {
  address,
  click,
  dialog,
  focused,
  isDialogOpen,
  me,
  press,
  pressKey,
  put,
  refusal,
  textsOf,
} from './staff-area.tsx';

describe('The views of the leads page', () => {
  const leads = serveLeadsPage();
  const { server } = leads;

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

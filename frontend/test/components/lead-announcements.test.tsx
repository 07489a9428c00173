import { screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { contact } from './lead-server.ts';
import { noura, open, rows, serveLeadsPage, thabo } from './leads-page.ts';
import { announce, isDialogOpen, openStaffPage, press, pressKey, textsOf } from './staff-area.tsx';

describe('The leads page', () => {
  const leads = serveLeadsPage();
  const { server, listCalls } = leads;
  /** The announcement of this number of contact messages. */
  const numbers = (contacts: number, more: object = {}) => ({
    totals: { contact: contacts, service_inquiry: 2, career_application: 1 },
    needsAnswer: { overdue: 1, soon: 0, waiting: contacts },
    unowned: 0,
    failedEmails: 2,
    indexing: null,
    ...more,
  });

  it('announces new leads above the table, in the title and in the navigation, and loads them by Show', async () => {
    await open();
    await waitFor(() => expect(rows()).to.have.length(4));
    await announce(numbers(1));
    expect(textsOf('nav [id^="waiting-"]')).to.deep.equal(['2 need an answer', '2 failed']);
    await announce(numbers(3));
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
    const remove = 'DELETE /api/admin/leads/:id/mark';
    Object.assign(server.answers, { [remove]: () => undefined });
    const marked = () => rows().filter((row) => row.textContent.includes('New for you')).length;
    const mark = (...leadIds: string[]) => announce(numbers(1, { marked: { total: leadIds.length, leadIds } }));
    await open();
    await waitFor(() => expect(rows()).to.have.length(4));
    await announce(numbers(1));
    expect(textsOf('nav [id^="marked-"]'), 'a server of 0.3.0').to.deep.equal([]);
    await mark(noura.id, thabo.id);
    expect(textsOf('nav [id^="marked-"], nav [id^="waiting-"]')).to.deep.equal([
      '2 for you',
      '2 need an answer',
      '2 failed',
    ]);
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
    await open();
    await announce(numbers(1, { indexing: { indexed: 12_000, total: 20_000 } }));
    await screen.findByText(/^Still indexing: 12,000 of 20,000\./);
    await announce(numbers(1));
    await waitFor(() => expect(screen.queryByText(/^Still indexing/)).to.equal(null));
  });

  it('counts the leads since the page was opened if the list was not loaded yet', async () => {
    await openStaffPage('/admin/recipes');
    await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
    await announce(numbers(5));
    expect(document.title).to.match(/^Recipe/);
    await announce(numbers(7));
    expect(document.title).to.match(/^\(2\) Recipe/);
  });
});

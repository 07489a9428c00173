import { randomUUID } from 'node:crypto';
import { act, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { Activity, DueLead, Stats, Trends } from '../../src/features/dashboard/dashboard-api.ts';
import { address, announce, click, listOf, openStaffPage, press, refusal, serveStaff, textsOf } from './staff-area.tsx';

const path = '/admin/dashboard';
const [stats, activity, due] = [
  'GET /api/admin/stats',
  'GET /api/admin/recent-activity',
  'GET /api/admin/due-next',
] as const;

describe('The dashboard', () => {
  let figures: Stats;
  let activities: readonly Activity[];
  let dueLeads: readonly DueLead[];
  const server = serveStaff(() => ({
    [stats]: () => figures,
    [activity]: () => listOf(activities),
    [due]: () => listOf(dueLeads),
    'GET /api/admin/follow-ups': () => [],
    'GET /api/admin/follow-ups/counts': () => ({
      counts: { pending: 0, sending: 0, failed: 0, withheld: 0, cancelled: 0, sent: 0 },
      oldestWaitingSeconds: null,
    }),
    'GET /api/admin/opt-outs': () => [],
  }));
  beforeEach(() => {
    figures = {
      totalLeads: 1_204,
      activeProjects: 7,
      conversionRate: 12.5,
      teamMembers: 3,
      needsAnswer: { overdue: 2, soon: 1, waiting: 1 },
      unowned: 4,
      onTimeRate: 33.3,
      medianAnswerMinutes: 60,
    };
    activities = Array.from({ length: 20 }, (_, place) => ({
      id: randomUUID(),
      type: 'contact',
      title: `Contact message ${place + 1}`,
      leadId: randomUUID(),
      createdAt: '2026-03-07T12:00:00.000Z',
    }));
    const inHours = (count: number) => new Date(Date.now() + count * 60 * 60_000).toISOString();
    dueLeads = [-6.5, 22.5].map((hours) => ({
      id: randomUUID(),
      kind: 'contact',
      name: 'Noura al-Harbi',
      status: 'new',
      owner: null,
      dueAt: inHours(hours),
      response: hours < 0 ? 'overdue' : 'waiting',
    }));
  });

  const cards = () =>
    [...document.querySelectorAll('dl > div')].map((card) => [
      card.querySelector('dt')?.textContent,
      card.querySelector('dd > *')?.textContent,
    ]);
  const region = (name: string) => screen.getByRole('region', { name });
  const open = async () => {
    await openStaffPage(path);
    await waitFor(() => expect(document.querySelector('dl[aria-busy="false"]')).to.not.equal(null));
  };
  const untilIdle = () =>
    waitFor(() => expect(screen.getByRole('button', { name: 'Refresh' }).getAttribute('aria-busy')).to.equal('false'));

  it('shows the four figures, or an error with Try again', async () => {
    await open();
    expect(cards()).to.deep.equal([
      ['Total Leads', '1,204'],
      ['Active Projects', '7'],
      ['Team Members', '3'],
      ['Conversion Rate', '12.5%'],
    ]);
    expect(textsOf('[role="tab"]')).to.deep.equal(['Overview', 'CRM & Leads', 'Team', 'Recipes']);
    await untilIdle();
    expect(within(region('Recent Activity')).getAllByRole('listitem')).to.have.length(14);
    expect([server.count(stats), server.count(activity)]).to.deep.equal([1, 1]);
    server.once(stats, () => refusal(500));
    await press('Refresh');
    await screen.findByText('Could not refresh the figures. They may be out of date.');
    expect(server.count(stats), 'no retries').to.equal(2);
    expect(cards()[0]).to.deep.equal(['Total Leads', '1,204']);
  });

  it('shows that the figures could not be loaded, and loads them again', async () => {
    server.once(stats, () => refusal(500));
    await openStaffPage(path);
    await screen.findByText('Could not load the figures.');
    await click(screen.getAllByRole('button', { name: 'Try again' })[0]);
    await waitFor(() => expect(cards()).to.have.length(4));
  });

  it('counts the leads that need an answer, lists them as tasks, and links to them', async () => {
    await open();
    const needed = region('Needs an answer');
    expect(needed.textContent).to.match(/33\.3% answered in time, median 1.h \(last 30 days\)/);
    const links = () => [...needed.querySelectorAll('a')];
    expect(links().map(({ textContent }) => textContent)).to.deep.equal([
      '2 Overdue',
      '1 Due soon',
      '1 Waiting',
      '4 Unowned',
    ]);
    expect(links().map((link) => link.getAttribute('href')?.split('?')[1])).to.deep.equal([
      'response=overdue',
      'response=soon',
      'response=waiting',
      'response=overdue&response=soon&response=waiting&owner=none',
    ]);
    const tasks = await within(region('Upcoming Tasks')).findAllByRole('listitem');
    expect(tasks[0]?.textContent).to.match(/overdue by 6\u{A0}h/u);
    expect(tasks[1]?.textContent).to.match(/due in 22\u{A0}h/u);
    await announce({
      totals: { contact: 0, service_inquiry: 0, career_application: 0 },
      needsAnswer: { overdue: 3, soon: 0, waiting: 0 },
      unowned: 1,
      failedEmails: 0,
      indexing: null,
    });
    expect(links().map(({ textContent }) => textContent)[0], 'a later announcement').to.equal('3 Overdue');
  });

  it('links from its last chart to the answered leads of its period, and all overdue ones', async () => {
    const weekStart = '2026-01-05';
    server.answers['GET /api/admin/trends'] = () => ({
      growth: null,
      leadsPerWeek: [{ weekStart, contact: 0, service_inquiry: 0, career_application: 0 }],
      leadsByStatus: { new: 0, contacted: 0, qualified: 0, won: 0, lost: 0 },
      answersPerWeek: [{ weekStart, due: 0, onTime: 0 }],
    });
    await open();
    const chart = await screen.findByRole('region', { name: 'Answered in time' });
    const links = within(chart).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).to.deep.equal([
      ['Answered', `/admin/leads?response=answered&from=${weekStart}`],
      ['Overdue', '/admin/leads?response=overdue'],
    ]);
  });

  it('of a new studio, where only sign-ins have happened, shows samples and fixed growth', async () => {
    [activities, dueLeads] = [activities.slice(0, 1).map((each) => ({ ...each, type: 'signed_in', leadId: null })), []];
    figures = { ...figures, onTimeRate: null };
    server.answers['GET /api/admin/trends'] = (): Trends => ({
      growth: null,
      leadsPerWeek: [],
      leadsByStatus: { new: 0, contacted: 0, qualified: 0, won: 0, lost: 0 },
      answersPerWeek: [],
    });
    await open();
    await waitFor(() => expect(textsOf('dl dd > :last-child')).to.deep.equal(['+12%', '+5%', '0%', '+8%']));
    for (const name of ['Recent Activity', 'Upcoming Tasks']) {
      await waitFor(() => expect(region(name).textContent).to.include('Sample entries'));
      expect(within(region(name)).getAllByRole('listitem')).to.have.length(5);
    }
    screen.getByText('No answer was due in the last 30 days.');
  });

  it('opens the pages from its tabs, and returns to the tab', async () => {
    await open();
    for (const [name, link, target] of [
      ['CRM & Leads', 'Go to CRM & Leads', '/admin/leads'],
      ['Team', 'Go to Team', '/admin/team'],
      ['Recipes', 'Go to Recipes', '/admin/recipes'],
    ] as const) {
      await press(name, screen, 'tab');
      await press(link, screen, 'link');
      await waitFor(() => expect(address()).to.equal(target));
      await act(async () => window.history.back());
      await waitFor(() => expect(screen.getByRole('tab', { name }).getAttribute('aria-selected')).to.equal('true'));
    }
  });

  it('is loaded again only by a Refresh of either page, not by focus, the connection or a return', async () => {
    await open();
    const total = () => cards()[0]?.[1];
    figures = { ...figures, totalLeads: 1_205 };
    for (const event of ['focus', 'online', 'visibilitychange']) {
      await act(async () => void window.dispatchEvent(new Event(event)));
    }
    await press('Team', screen, 'link');
    await screen.findByRole('heading', { level: 1, name: 'Team' });
    await press('Dashboard', screen, 'link');
    await waitFor(() => expect(total()).to.equal('1,204'));
    expect([server.count(stats), server.count(activity)]).to.deep.equal([1, 1]);
    await untilIdle();
    await press('Refresh');
    await waitFor(() => expect(total()).to.equal('1,205'));
    await waitFor(() => expect([server.count(stats), server.count(activity)]).to.deep.equal([2, 2]));
    expect(server.count('GET /api/admin/session')).to.equal(1);

    figures = { ...figures, totalLeads: 1_206 };
    await press('Leads', screen, 'link');
    await screen.findByRole('heading', { level: 1, name: 'CRM & Lead Management' });
    await untilIdle();
    await press('Refresh');
    await untilIdle();
    await press('Dashboard', screen, 'link');
    await waitFor(() => expect(total()).to.equal('1,206'));
  });

  describe('and every list', () => {
    const { now } = Date;
    const setTime = (time: string) => void (Date.now = () => new Date(`2026-03-05T${time}:00`).getTime());
    afterEach(() => void (Date.now = now));

    it('show when their data was loaded, also after they were opened again, and the new time after Refresh', async () => {
      const asOf = () => textsOf('main time')[0];
      const headings: Readonly<Record<string, string>> = {
        Leads: 'CRM & Lead Management',
        'Automatic emails': 'Automatic emails',
        Recipes: 'Recipe Management',
        Team: 'Team',
      };
      const visit = async (name: string, time: string) => {
        await press(new RegExp(`^${name}`), within(screen.getByRole('navigation')), 'link');
        await screen.findByRole('heading', { level: 1, name: headings[name] ?? name });
        await waitFor(() => expect(asOf(), name).to.match(new RegExp(`${time}$`)));
        await untilIdle();
      };
      setTime('14:05');
      await open();
      for (const name of Object.keys(headings)) await visit(name, '14:05');
      setTime('14:20');
      for (const name of Object.keys(headings).toReversed()) {
        // This page alone is loaded each time (docs/PRODUCT.md, "Fresh data").
        await visit(name, name === 'Automatic emails' ? '14:20' : '14:05');
        await press('Refresh');
        await waitFor(() => expect(asOf(), name).to.match(/14:20$/));
      }
      setTime('14:35');
      await visit('Team', '14:20');
      server.once('GET /api/admin/team', () => refusal(503));
      await press('Refresh');
      await screen.findByText(/^Could not refresh the list/);
      expect(asOf()).to.match(/14:20$/);
    });
  });
});

import { expect } from 'chai';
import type { ListedLead } from '../src/features/leads/lead.ts';
import {
  expectedMatches,
  filterLabel,
  filterView,
  readFilter,
  unansweredFromYesterday,
} from '../src/features/leads/lead-filter.ts';
import { leadsSearchPath } from '../src/routing/staff-paths.ts';
import type { LeadTabView } from '../src/features/leads/lead-tabs.ts';

const lead = (id: string, response: string, owner: object | null = null, createdAt = '2026-03-07T12:00:00.000Z') =>
  ({ id, response, owner, createdAt, status: 'new' }) as unknown as ListedLead;

function viewOf(rows: readonly ListedLead[]) {
  let loads = 0;
  const view: LeadTabView = {
    rows,
    hasMore: true,
    total: 1000,
    isFetching: false,
    failures: [],
    loadMore: () => loads++,
    retry: () => undefined,
  };
  return { view, loads: () => loads };
}

const filterOf = (search: string) => {
  const filter = readFilter(new URLSearchParams(search));
  if (!filter) throw new Error('No filter');
  return filter;
};
const counts = { needsAnswer: { overdue: 1, soon: 2, waiting: 3 }, unowned: 4 };

describe('A link to a part of the leads', () => {
  it('filters the loaded rows and loads older ones until the expected number is found', () => {
    const filter = filterOf('response=overdue');
    const { view, loads } = viewOf([lead('1', 'waiting'), lead('2', 'overdue')]);
    const open = filterView(view, filter, 2);
    open.loadMore();
    expect([open.rows.map(({ id }) => id), open.hasMore, loads()]).to.deep.equal([['2'], true, 1]);
    const found = filterView(view, filter, 1);
    found.loadMore();
    expect([found.hasMore, found.total, loads()]).to.deep.equal([false, 1, 1]);
  });

  it('finds leads without an owner', () => {
    const { view } = viewOf([lead('1', 'soon', { id: 'a', name: 'Noura' }), lead('2', 'soon'), lead('3', 'answered')]);
    const filter = filterOf('response=overdue&response=soon&response=waiting&owner=none');
    expect(filterView(view, filter, undefined).rows.map(({ id }) => id)).to.deep.equal(['2']);
    expect(filterLabel(filter)).to.equal('Leads that have no owner and need an answer');
    expect(expectedMatches(filter, 'all', counts)).to.equal(4);
  });

  it('finds leads received since a date in the time zone of the studio, and loads no older ones', () => {
    const filter = filterOf('from=2026-03-07');
    const times = ['2026-03-06T21:00:00.000Z', '2026-03-06T20:59:59.999Z'];
    const { view, loads } = viewOf(times.map((time, index) => lead(String(index), 'answered', null, time)));
    const found = filterView(view, filter, undefined);
    found.loadMore();
    expect([found.rows.map(({ id }) => id), found.hasMore, loads()]).to.deep.equal([['0'], false, 0]);
    expect(filterView({ ...view, rows: found.rows }, filter, undefined).hasMore).to.equal(true);
    expect(filterLabel(filter)).to.equal('Leads that arrived since Mar 7, 2026');
    expect(expectedMatches(filterOf('response=soon&from=2026-03-07'), 'all', counts)).to.equal(undefined);
    expect(readFilter(new URLSearchParams('from=yesterday'))).to.equal(undefined);
  });

  it('finds the unanswered leads of yesterday in the time zone of the studio', () => {
    // Already March 8 in Riyadh.
    const search = unansweredFromYesterday(new Date('2026-03-07T21:30:00.000Z'));
    expect([search.from, search.to]).to.deep.equal(['2026-03-07', '2026-03-07']);
    const filter = filterOf(leadsSearchPath(search).split('?')[1] ?? '');
    expect(filterLabel(filter)).to.equal('Leads that need an answer and arrived on Mar 7, 2026');
    const times = ['2026-03-07T21:00:00.000Z', '2026-03-07T20:59:59.999Z', '2026-03-06T21:00:00.000Z'];
    const rows = times.map((time, index) => lead(String(index), 'soon', null, time));
    const answered = lead('3', 'answered', null, '2026-03-07T12:00:00.000Z');
    const { view } = viewOf([...rows, answered]);
    expect(filterView(view, filter, undefined).rows.map(({ id }) => id)).to.deep.equal(['1', '2']);
    expect(filterLabel(filterOf('from=2026-03-01&to=2026-03-07'))).to.equal(
      'Leads that arrived since Mar 1, 2026 and arrived until Mar 7, 2026',
    );
    expect(expectedMatches(filterOf('response=soon&to=2026-03-07'), 'all', counts)).to.equal(undefined);
    expect(readFilter(new URLSearchParams('to=2026-02-30'))).to.equal(undefined);
  });

  it('expects the announced number only where it is known', () => {
    expect(expectedMatches(filterOf('response=overdue&response=soon'), 'all', counts)).to.equal(3);
    expect(expectedMatches(filterOf('response=overdue'), 'contact', counts)).to.equal(undefined);
    expect(expectedMatches(filterOf('status=won'), 'all', counts)).to.equal(undefined);
    expect(expectedMatches(filterOf('response=answered'), 'all', counts)).to.equal(undefined);
    expect(readFilter(new URLSearchParams('tab=contact'))).to.equal(undefined);
  });
});

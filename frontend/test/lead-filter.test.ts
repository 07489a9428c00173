import { expect } from 'chai';
import fc from 'fast-check';
import { leadResponses, leadStatuses } from '@dune-tide/domain/leads';
import {
  apiSearch,
  builtInViews,
  filterLabel,
  hasUnknownParts,
  isFiltered,
  type LeadFilter,
  noFilter,
  readFilter,
  writeFilter,
} from '../src/features/leads/lead-filter.ts';
import { leadsSearch } from '../src/routing/staff-paths.ts';

const me = { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001', name: 'Noura', username: 'noura' };
const other = { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c002', name: 'Thabo', username: 'thabo' };
const staff = { me, people: [me, other] };

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const filters: fc.Arbitrary<LeadFilter> = fc.record({
  tab: fc.constantFrom('all', 'contact', 'service_inquiry', 'career_application'),
  q: fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.trim()),
  response: fc.subarray([...leadResponses]),
  status: fc.subarray([...leadStatuses]),
  owner: fc.constantFrom('', 'me', 'none', other.id),
  from: fc.oneof(fc.constant(''), day),
  to: fc.oneof(fc.constant(''), day),
  spam: fc.constantFrom('', 'with', 'only'),
  marked: fc.constantFrom('', 'me'),
  sort: fc.constantFrom('', 'due'),
});

describe('The filter of the leads page', () => {
  it('is the same after it was in the URL', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readFilter(writeFilter(filter))).to.deep.equal(filter);
      }),
    );
  });

  it('is not in the URL without a value', () => {
    expect(writeFilter(noFilter)).to.equal('');
    expect(writeFilter({ ...noFilter, q: '  ' })).to.equal('');
    expect(isFiltered({ ...noFilter, tab: 'contact' })).to.equal(false);
  });

  it('ignores parameters and values that it does not know', () => {
    const search =
      '?tab=x&status=open&status=won&response=late&owner=them&from=2026-02-30&to=7.3.2026&spam=without&sort=name&colour=red';
    expect(readFilter(search)).to.deep.equal({ ...noFilter, status: ['won'] });
    expect(Array.from(readFilter(`?q=${'😀'.repeat(300)}`).q)).to.have.length(200);
    for (const unknown of ['colour=red', 'status=won&status=open', 'q=oud&from=2026-02-30', 'tab=x']) {
      expect(hasUnknownParts(unknown), unknown).to.equal(true);
    }
  });

  it('knows every part of what it has written', () => {
    fc.assert(fc.property(filters, (filter) => !hasUnknownParts(writeFilter(filter).slice(1))));
  });

  it('leaves out leads that are held as spam unless they are wanted', () => {
    expect(apiSearch(noFilter)).to.equal('?spam=without');
    expect(apiSearch(readFilter('?tab=contact&q=oud&status=new&status=won&spam=with'))).to.equal(
      '?q=oud&status=new&status=won&kind=contact&spam=with',
    );
  });

  it('has views for what needs an answer, for owners, for spam and for yesterday in the studio', () => {
    // The next day has started in the time zone of the studio.
    const now = new Date('2026-03-07T21:30:00.000Z');
    const views = builtInViews('Asia/Riyadh', now);
    expect(Object.fromEntries(views.map(({ name, part }) => [name, leadsSearch(part)]))).to.deep.equal({
      'Needs an answer': '?response=overdue&response=soon&response=waiting&sort=due',
      Mine: '?owner=me',
      'New for you': '?marked=me',
      Unowned: '?response=overdue&response=soon&response=waiting&owner=none',
      Spam: '?spam=only',
      'Unanswered from yesterday': '?response=overdue&response=soon&response=waiting&from=2026-03-07&to=2026-03-07',
    });
    expect(builtInViews('Africa/Johannesburg', now).at(-1)?.part).to.include({ from: '2026-03-06', to: '2026-03-06' });
  });

  it('is described in words', () => {
    const label = (search: string) => filterLabel(readFilter(search), staff);
    expect(label('?q=perfume&status=won&status=new&from=2026-03-07')).to.equal(
      '“perfume” · Status: New or Won · From Mar 7, 2026',
    );
    expect(label(`?owner=${other.id}&to=2026-03-08`)).to.equal('Owner: Thabo · To Mar 8, 2026');
    expect(label('?owner=me&response=soon&spam=only')).to.equal('Owner: Me · Response: Due soon · Held as spam');
    expect(label('?owner=none&sort=due')).to.equal('Owner: No owner · Needs an answer');
  });
});

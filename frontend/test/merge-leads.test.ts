import { expect } from 'chai';
import fc from 'fast-check';
import { compareLeads, type LeadPlace, type LoadedLeads, mergeLeads } from '../src/features/leads/merge-leads.ts';

type Source = 'contact' | 'service_inquiry' | 'career_application';
const sources = ['contact', 'service_inquiry', 'career_application'] as const;

/** A few times, so that many leads have the same one, within a source and across sources. */
const time = fc.integer({ min: 0, max: 40 }).map((step) => new Date(1_790_000_000_000 + step).toISOString());
const lead = fc.record({ id: fc.uuid(), createdAt: time, source: fc.constantFrom(...sources) });
const leads = fc.uniqueArray(lead, { selector: ({ id }) => id, maxLength: 400 });

const ids = (rows: readonly LeadPlace[]) => rows.map(({ id }) => id);

/** Three lists that a server returns page by page. */
function pagedLists(all: readonly (LeadPlace & { readonly source: Source })[], nextSize: (source: Source) => number) {
  const loaded: Record<Source, LoadedLeads<LeadPlace>> = {
    contact: { leads: [], hasMore: true },
    service_inquiry: { leads: [], hasMore: true },
    career_application: { leads: [], hasMore: true },
  };
  const load = (source: Source) => {
    const whole = all.filter((each) => each.source === source).sort(compareLeads);
    const count = loaded[source].leads.length + nextSize(source);
    loaded[source] = { leads: whole.slice(0, count), hasMore: count < whole.length };
  };
  return { loaded, load };
}

describe('the leads of three sources as one list', () => {
  it('is always the start of the sorted whole, for any order and length of pages', () => {
    fc.assert(
      fc.property(
        leads,
        fc.infiniteStream(fc.nat({ max: 2 })),
        fc.infiniteStream(fc.integer({ min: 1, max: 90 })),
        (all, picks, sizes) => {
          const whole = ids([...all].sort(compareLeads));
          const { loaded, load } = pagedLists(all, () => sizes.next().value ?? 1);
          let before = 0;
          for (;;) {
            const { rows, next } = mergeLeads(loaded);
            expect(ids(rows)).to.deep.equal(whole.slice(0, rows.length));
            expect(rows.length, 'a final row stays').to.be.at.least(before);
            before = rows.length;
            if (next.length === 0) break;
            for (const source of next) expect(loaded[source].hasMore, 'requests only existing pages').to.equal(true);
            // The responses arrive in any order, and not all of them arrive before the next step.
            load(next[(picks.next().value ?? 0) % next.length]!);
          }
          expect(before, 'no lead is lost').to.equal(whole.length);
          expect(sources.some((source) => loaded[source].hasMore)).to.equal(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gains rows once all requested pages have loaded', () => {
    fc.assert(
      fc.property(leads, fc.integer({ min: 1, max: 60 }), (all, size) => {
        const { loaded, load } = pagedLists(all, () => size);
        for (let before = -1; ;) {
          const { rows, next } = mergeLeads(loaded);
          if (next.length === 0) return;
          expect(rows.length).to.be.above(before);
          before = rows.length;
          next.forEach(load);
        }
      }),
    );
  });

  it('starts with all three, then loads the blocking source and those with few rows left', () => {
    const list = (count: number, from: number): LoadedLeads<LeadPlace> => ({
      leads: Array.from({ length: count }, (_, index) => ({
        id: `${from}-${String(index).padStart(3, '0')}`,
        createdAt: new Date(from - index).toISOString(),
      })),
      hasMore: true,
    });
    const none = { leads: [], hasMore: true };
    expect(mergeLeads({ a: none, b: none, c: none })).to.deep.equal({ rows: [], next: ['a', 'b', 'c'] });
    const { rows, next } = mergeLeads({ a: list(100, 5000), b: list(30, 4000), c: list(100, 3000) });
    expect(rows).to.have.length(100);
    expect(next).to.deep.equal(['a', 'b']);
  });

  it('waits for a source that may have newer leads than the others', () => {
    const here = { leads: [{ id: 'a', createdAt: '2026-11-21T10:00:00.000Z' }], hasMore: false };
    expect(mergeLeads({ here, away: { leads: [], hasMore: true } })).to.deep.equal({ rows: [], next: ['away'] });
    expect(ids(mergeLeads({ here, away: { leads: [], hasMore: false } }).rows)).to.deep.equal(['a']);
  });

  it('has the newest lead first and, for equal times, the greatest id', () => {
    const [early, late] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.001Z'] as const;
    const contact = {
      leads: [
        { id: 'b', createdAt: early },
        { id: 'a', createdAt: early },
      ],
      hasMore: false,
    };
    const career = {
      leads: [
        { id: 'a', createdAt: late },
        { id: 'aa', createdAt: early },
      ],
      hasMore: false,
    };
    expect(mergeLeads({ contact, career }).rows.map(({ id, createdAt }) => [createdAt, id])).to.deep.equal([
      [late, 'a'],
      [early, 'b'],
      [early, 'aa'],
      [early, 'a'],
    ]);
  });
});

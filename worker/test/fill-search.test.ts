import { leadSearch, leadSearchIndex } from '@dune-tide/db/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { startFillingSearch } from '../src/search/fill-search.ts';
import { requireFollowUps } from './support.ts';

/** Far above the two seconds of docs/PRODUCT.md, "Search", because a busy machine takes many times as long. */
const limitSeconds = 60;

describe('the search texts that a worker writes', () => {
  const test = withTestDatabase();
  let end: (() => Promise<void>) | undefined;
  beforeEach(() => test().database.raw('truncate leads, follow_ups cascade'));
  afterEach(async () => {
    await end?.();
    end = undefined;
  });

  function start(index = leadSearchIndex(test().app)): ReturnType<typeof memoryLogger>['lines'] {
    const { logger, lines } = memoryLogger();
    const closing = new AbortController();
    const ended = startFillingSearch({ index, logger, closing: closing.signal });
    end = async () => {
      closing.abort();
      await ended;
    };
    return lines;
  }

  const found = (words: string): Promise<number> =>
    leadSearch(test().app).count({ words, timeZone: 'Asia/Riyadh', sort: 'newest' });
  const untilFound = (words: string, count: number) =>
    until(`${count} leads with ${words}`, async () => (await found(words)) === count, limitSeconds);

  it('make each lead of the intake searchable within seconds', async () => {
    start();
    for (const count of [1, 2, 3]) {
      await requireFollowUps(test().database, 'contact');
      await untilFound('example', count);
    }
  });

  it('make leads searchable that were stored while no worker ran', async () => {
    const hourAgo = (lead: number): Date => new Date(Date.now() - 3_600_000 - lead * 1_000);
    const leads = Array.from({ length: 700 }, (_, lead) => ({ ...contactMessage, createdAt: hourAgo(lead) }));
    await storeLeads(test().database, leads);
    const lines = start();
    await untilFound('harbi', 700);
    await until('the pass is logged', () => lines().some(({ msg }) => msg === 'older leads made searchable'));
  });

  it('are written promptly after a restore, while a worker is running, and after a change of an address', async () => {
    const index = leadSearchIndex(test().app);
    const isComplete = () =>
      until('the build is complete', async () => (await index.unfinishedBuild()) === undefined, limitSeconds);
    const [id] = (await storeLeads(test().database, [contactMessage]), await test().database('leads').pluck('id'));
    start();
    await isComplete();
    await test().database('leads').where({ id }).update({ email: 'corrected@visitor.example' });
    await untilFound('corrected@visitor', 1);
    // This is what `restoreBackup` does.
    await test().database.raw('truncate leads cascade');
    const monthAgo = new Date(Date.now() - 30 * 86_400_000);
    await storeLeads(test().database, [{ ...contactMessage, createdAt: monthAgo }]);
    await test().database('lead_search_builds').delete();
    await untilFound('noura', 1);
    await isComplete();
  });

  it('are written after a failure, which is logged', async () => {
    const index = leadSearchIndex(test().app);
    let failures = 2;
    const lines = start({
      ...index,
      fillNewest: async () => {
        if (failures-- > 0) throw new Error('The connection was lost');
        return index.fillNewest();
      },
    });
    await requireFollowUps(test().database, 'contact');
    await untilFound('example', 1);
    expect(lines().filter(({ msg }) => msg === 'leads not made searchable')).to.have.length(2);
  });
});

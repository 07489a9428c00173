import { requiredFollowUps } from '@dune-tide/domain/leads';
import { searchVersion } from '@dune-tide/domain/search';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { dashboardQueries } from '../src/leads/dashboard.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { leadSearchIndex } from '../src/leads/search-index.ts';
import { leadSearch } from '../src/leads/search.ts';
import { leadWork } from '../src/leads/work.ts';
import { insert, leadRow, newLead, staffRow } from './rows.ts';

type Row = Record<string, unknown>;

const mailDomain = 'mail.example.com';
const requiredBy = (lead: Parameters<typeof requiredFollowUps>[0]) => requiredFollowUps(lead, undefined);
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

describe('the search texts of leads', () => {
  const test = withTestDatabase();
  const index = () => leadSearchIndex(test().app);
  const work = () => leadWork(test().app, mailDomain);
  let actor: { readonly id: string; readonly name: string };

  beforeEach(async () => {
    await test().database.raw('truncate leads, staff cascade');
    const { id, name } = await insert(test().database, 'staff', staffRow());
    actor = { id: String(id), name: String(name) };
  });

  const store = async (row: Row = {}, kind: Parameters<typeof leadRow>[0] = 'contact'): Promise<string> =>
    String((await insert(test().database, 'leads', leadRow(kind, row)))['id']);
  const searchable = () => test().database('lead_search').orderBy('lead_id').pluck<string[]>('lead_id');
  const rowOf = async (id: string): Promise<Row> => test().database('lead_search').where({ lead_id: id }).first();
  const tagsOf = async (id: string): Promise<unknown> => (await rowOf(id))['tags'];

  /** Looks at all leads. @returns the number of leads that became searchable */
  async function pass(): Promise<number> {
    let filled = 0;
    for (let before: string | undefined; ;) {
      const step = await index().fillOlder(before);
      filled += step.filled;
      if (step.next === undefined) return filled;
      before = step.next;
    }
  }

  it('are written for new leads, once', async () => {
    const outcome = await leadIntake(test().app, mailDomain).storeLead(newLead({ email: 'Zoë@example.com' }));
    const id = outcome.outcome === 'stored' ? outcome.id : expect.fail(outcome.outcome);
    expect(await index().fillNewest()).to.equal(1);
    expect(await index().fillNewest()).to.equal(0);
    expect(await pass()).to.equal(0);
    const { words, exact_words: exact, created_at: createdAt, clock_start: clockStart } = await rowOf(id);
    expect(words).to.include(' zoeexamplecom ');
    expect(exact).to.equal(null);
    expect(clockStart).to.deep.equal(createdAt);
  });

  it('keep the letters of other alphabets, beside a form in ASCII', async () => {
    const id = await store({ answers: JSON.stringify({ ...fields, firstName: 'نورة' }) });
    await index().fillNewest();
    const { words, exact_words: exact } = await rowOf(id);
    expect(exact).to.match(/^ نوره /);
    expect(words).to.match(/^ [a-z0-9]{4} /);
  });

  it('are written for leads of any age by a pass, also in another order of ids and times', async () => {
    const ids = await Promise.all([0, 1, 30, 700].map((days) => store({ created_at: daysAgo(days) })));
    await index().fillNewest();
    expect(await searchable()).to.deep.equal([ids[0]]);
    expect(await pass()).to.equal(3);
    expect(await searchable()).to.deep.equal(ids.toSorted());
  });

  it('are written step by step for many leads', async () => {
    await test().database.raw(
      `insert into leads (id, kind, email, status, answers)
       select gen_random_uuid(), kind, email, status, answers from leads, generate_series(1, 6000)
       where id = ?`,
      [await store()],
    );
    await store({}, 'portfolio_request');
    const first = await index().fillOlder();
    expect(first.filled).to.be.within(4_999, 5_000);
    expect(await pass()).to.equal(6_001 - first.filled);
    expect(await searchable()).to.have.lengthOf(6_001);
  });

  it('are not written for portfolio requests, which no list shows', async () => {
    await store({}, 'portfolio_request');
    expect([await index().fillNewest(), await pass()]).to.deep.equal([0, 0]);
  });

  it('are written once if several workers do it', async () => {
    for (let count = 0; count < 40; count++) await store();
    const filled = await Promise.all([index().fillNewest(), index().fillNewest(), pass(), pass()]);
    expect(await searchable()).to.have.lengthOf(40);
    expect(Math.max(...filled)).to.be.greaterThan(0);
  });

  it('know what staff filter by, after each change', async () => {
    const id = await store();
    await index().fillNewest();
    const about = (status: string, owner: string, response: string, spam = 'not spam') => [
      'kind:contact',
      `status:${status}`,
      `owner:${owner}`,
      spam,
      `response:${response}`,
    ];
    expect(await tagsOf(id)).to.deep.equal(about('new', 'none', 'open'));
    await work().change(id, { ownerId: actor.id }, actor);
    expect(await tagsOf(id)).to.deep.equal(about('new', actor.id, 'open'));
    await work().changeTogether([id], { status: 'won', ownerId: null }, actor, requiredBy);
    expect(await tagsOf(id)).to.deep.equal(about('won', 'none', 'answered'));
    expect((await rowOf(id))['clock_start']).to.equal(null);
    await work().markAsSpam(id, actor);
    expect(await tagsOf(id)).to.deep.equal(about('won', 'none', 'none', 'spam'));
    await work().release(id, requiredBy, actor);
    await work().change(id, { answered: false }, actor);
    expect(await tagsOf(id)).to.deep.equal(about('won', 'none', 'open'));
    const { clock_started_at: started } = await test().database('leads').where({ id }).first();
    expect((await rowOf(id))['clock_start']).to.deep.equal(started);
  });

  it('know a change that is made while they are written', async () => {
    const id = await store();
    const changing = await test().database.transaction();
    await changing('leads').where({ id }).update({ status: 'won' });
    const filling = index().fillNewest();
    // The worker waits for the change, or has not read the lead yet; both must end with the new status.
    await Promise.race([
      filling,
      until('the worker waits', async () => {
        const { rows } = await test().database.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      }),
    ]);
    await changing.commit();
    await filling;
    expect(await tagsOf(id)).to.include('status:won');
  });

  it('are written again after a change of the text', async () => {
    const id = await store();
    await index().fillNewest();
    await test().database('leads').where({ id }).update({ email: 'corrected@example.com' });
    expect(await rowOf(id)).to.include({ email: 'corrected@example.com', version: 0 });
    expect((await rowOf(id))['words'], 'the former text is found until then').to.include(' nouraexamplecom');
    expect(await index().fillChanged()).to.equal(1);
    expect(await index().fillChanged()).to.equal(0);
    expect((await rowOf(id))['words']).to.include(' correctedexamplecom');
  });

  describe('in a build', () => {
    const progress = async () => (await dashboardQueries(test().app).announcement()).indexing;
    const versions = () => test().database('lead_search').distinct().pluck<number[]>('version');
    beforeEach(() => test().database('lead_search_builds').delete());

    it('are all written again after an upgrade, found by the former text until then', async () => {
      const id = await store({ answers: JSON.stringify({ ...fields, message: '株式会社東京 王' }) });
      await store();
      await store({}, 'portfolio_request');
      await pass();
      // The previous release writes such a text.
      await test().database('lead_search').update({ version: 0, words: ' nouraold', exact_words: ' nouraold 東京 王' });
      const find = (words: string) => leadSearch(test().app).count({ words, timeZone: 'Asia/Riyadh', sort: 'newest' });
      expect(await progress()).to.deep.equal({ indexed: 0, total: 2 });
      expect([await find('nouraold'), await find('王'), await find('京')]).to.deep.equal([2, 2, 0]);
      const build = (await index().unfinishedBuild()) ?? expect.fail('no build');
      expect(await index().unfinishedBuild()).to.deep.equal(build);
      expect(await index().fillOlder()).to.include({ filled: 0 });
      const step = await index().fillOlder(undefined, build);
      expect(step).to.deep.equal({ filled: 2, searchable: 2, next: undefined });
      await index().recordBuild(build, 1, false);
      expect(await progress()).to.deep.equal({ indexed: 1, total: 2 });
      await index().recordBuild(build, 2, true);
      expect(await progress()).to.equal(null);
      expect(await index().unfinishedBuild()).to.equal(undefined);
      expect(await versions()).to.deep.equal([searchVersion]);
      expect([await find('nouraold'), await find('王'), await find('京')]).to.deep.equal([0, 1, 1]);
      expect((await rowOf(id))['words']).to.match(/ ~\w{3}/);
    });

    it('are not complete if a restore has replaced the leads in the meantime', async () => {
      await store();
      const build = (await index().unfinishedBuild()) ?? expect.fail('no build');
      await test().database('lead_search_builds').delete();
      await index().recordBuild(build, 1, true);
      expect(await progress()).to.deep.equal({ indexed: 0, total: 1 });
      expect((await index().unfinishedBuild())?.id).to.not.equal(build.id);
    });

    it('have no progress without leads', async () => {
      expect(await progress()).to.equal(null);
    });
  });

  it('are deleted with the lead', async () => {
    const id = await store();
    await index().fillNewest();
    await test().database('leads').where({ id }).delete();
    expect(await searchable()).to.deep.equal([]);
  });
});

const fields = { firstName: 'Noura', lastName: 'al-Harbi', service: 'ugc', message: 'We need ten clips.' };

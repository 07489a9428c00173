import { randomUUID } from 'node:crypto';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { contactMessage, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { expect } from 'chai';
import { addStaff, withSession } from './staff-support.ts';
import { withTestApi, type TestResponse } from './support.ts';

type Item = Record<string, unknown>;

const day = 86_400_000;
/** Midnight of 2026-03-10 in Riyadh. */
const midnight = Date.UTC(2026, 2, 9, 21);

describe('GET /leads', () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(() => api().clear());

  /** Stores leads, each newer than the one before, and makes them searchable. */
  async function store(...leads: readonly Partial<TestLead>[]): Promise<string[]> {
    const stored = leads.map((lead, index): TestLead & { id: string } => {
      return {
        ...contactMessage,
        id: randomUUID(),
        createdAt: new Date(Date.now() - (leads.length - index) * 1_000),
        ...lead,
      };
    });
    await storeLeads(api().database, stored);
    await makeSearchable();
    return stored.map(({ id }) => id);
  }

  const makeSearchable = () => leadSearchIndex(api().database).fillOlder();
  const message = (text: string): Pick<TestLead, 'fields'> => ({
    fields: { ...contactMessage.fields, message: text },
  });
  const inquiry: Partial<TestLead> = {
    kind: 'service_inquiry',
    status: 'new',
    fields: {
      name: 'سارة القحطاني',
      company: 'Maison d’Oud',
      phone: '+966 55 123 4567',
      service: 'B2B Email Marketing',
      serviceType: 'Lead Generation',
      budget: '$3,000-$5,000/month',
      timeframe: '3-6 months',
      urgency: 'Medium - Steady growth',
      projectDetails: 'We sell perfume.',
    },
  };
  const application: Partial<TestLead> = {
    kind: 'career_application',
    fields: {
      firstName: 'Lerato',
      lastName: 'Nkosi',
      phone: '021 555 0134',
      position: 'Full Stack Developer',
      experience: 'senior',
      coverLetter: 'Dear studio.',
    },
  };

  const find = async (search: string): Promise<TestResponse> => {
    const response = await staff().get(`/leads${search}`);
    expect(response.status, response.text).to.equal(200);
    return response;
  };
  const idsOf = (response: TestResponse): unknown[] => (response.json() as Item[]).map(({ id }) => id);
  const found = async (search: string): Promise<unknown[]> => idsOf(await find(search));
  const words = async (q: string): Promise<unknown[]> => found(`?q=${encodeURIComponent(q)}`);

  it('requires a session before it checks the query', async () => {
    for (const search of ['', '?q=noura', '?sort=wrong']) {
      expect((await api().send({ path: `/api/admin/leads${search}` })).status).to.equal(401);
    }
  });

  it('returns all kinds but portfolio requests, newest first, each as GET /leads/{id} does', async () => {
    const ids = await store({}, inquiry, application, {
      kind: 'portfolio_request',
      fields: { source: 'portfolio_view' },
    });
    const response = await find('');
    expect(idsOf(response)).to.deep.equal(ids.slice(0, 3).reverse());
    expect(response.headers).to.include({ 'x-total-count': '3' }).and.to.not.have.property('link');
    for (const item of response.json() as Item[]) {
      expect(item).to.deep.equal((await staff().get(`/leads/${String(item['id'])}`)).json());
    }
  });

  it('finds words of names, companies, numbers and messages', async () => {
    const [contact, perfume, lerato] = await store({}, inquiry, application);
    for (const q of [
      'perf',
      'fume',
      "maison d'oud",
      'maison oud',
      'ساره',
      'قحطان',
      '0551234567',
      '٠٥٥١٢٣٤',
      'b2b perfume',
    ]) {
      expect(await words(q), q).to.deep.equal([perfume]);
    }
    expect(await words('developer 0134')).to.deep.equal([lerato]);
    expect(await words('HARBI')).to.deep.equal([contact]);
    expect(await words('harbi perfume')).to.deep.equal([]);
    expect(await words('cl')).to.deep.equal([]);
    expect(await words('gul')).to.deep.equal([contact]);
    expect(await words('!? -')).to.deep.equal([lerato, perfume, contact]);
  });

  it('combines filters, and several values of one', async () => {
    const colleague = await addStaff(api());
    const hours = (ago: number) => ({ createdAt: new Date(Date.now() - ago * 3_600_000) });
    const [overdue, soon, won, held, applied] = await store(
      { ...hours(30), ownerId: staff().account.id },
      { ...inquiry, ...hours(22) },
      {
        ...inquiry,
        ...hours(21),
        status: 'won',
        answeredAt: new Date(),
        ownerId: colleague.id,
        email: 'Won@example.com',
      },
      { ...hours(2), ...message('Cheap pills') },
      { ...application, ...hours(1), status: 'lost' },
    );
    await api().database('leads').where({ id: held }).update({ spam_sign: 'honeypot' });
    const cases: readonly (readonly [search: string, ids: readonly unknown[]])[] = [
      ['kind=contact', [held, overdue]],
      ['kind=contact&kind=career_application', [applied, held, overdue]],
      ['status=new', [held, soon, overdue]],
      ['status=won&status=lost', [applied, won]],
      ['status=won&kind=contact', []],
      ['owner=me', [overdue]],
      ['owner=none', [applied, held, soon]],
      [`owner=${colleague.id.toUpperCase()}`, [won]],
      [`owner=${randomUUID()}`, []],
      ['response=overdue', [overdue]],
      ['response=soon&response=overdue', [soon, overdue]],
      ['response=answered', [won]],
      ['response=none', [applied, held]],
      ['response=none&response=soon', [applied, held, soon]],
      ['spam=with', [applied, held, won, soon, overdue]],
      ['spam=without', [applied, won, soon, overdue]],
      ['spam=only', [held]],
      ['email=won@EXAMPLE.com', [won]],
      ['sort=due', [overdue, soon]],
      ['sort=due&kind=service_inquiry', [soon]],
      ['sort=due&response=answered', []],
    ];
    for (const [search, ids] of cases) {
      expect(await found(`?${search}`), search).to.deep.equal(ids);
      // Every lead has a word that starts with "exa", so this filters the search texts.
      expect(await found(`?${search}&q=exa`), `${search} with a word`).to.deep.equal(ids);
    }
  });

  it('filters by days in the time zone of the studio', async () => {
    const at = (time: number): Partial<TestLead> => ({ createdAt: new Date(time) });
    const [before, first, last, after] = await store(
      at(midnight - 1),
      at(midnight),
      at(midnight + 2 * day - 1),
      at(midnight + 2 * day),
    );
    for (const q of ['', '&q=noura']) {
      expect(await found(`?from=2026-03-10&to=2026-03-11${q}`)).to.deep.equal([last, first]);
      expect(await found(`?from=2026-03-12${q}`)).to.deep.equal([after]);
      expect(await found(`?to=2026-03-09${q}`)).to.deep.equal([before]);
      expect(await found(`?from=2026-03-12&to=2026-03-11${q}`)).to.deep.equal([]);
    }
  });

  it('shows a change by staff immediately, and a new lead a moment later', async () => {
    const [id] = await store({});
    await staff().patch(`/leads/${id}`, { status: 'qualified', ownerId: staff().account.id });
    expect(await found('?q=noura&status=qualified&owner=me')).to.deep.equal([id]);
    expect(await found('?q=noura&status=new')).to.deep.equal([]);
    await storeLeads(api().database, [contactMessage]);
    expect(await found('?q=noura')).to.deep.equal([id]);
    expect(await found('')).to.have.length(2);
    await makeSearchable();
    expect(await found('?q=noura')).to.have.length(2);
  });

  for (const search of ['', '?q=noura+al', '?sort=due', '?sort=due&q=al&status=new']) {
    it(`has pages, whose links keep the query "${search}"`, async () => {
      const ids = await store(...Array.from({ length: 7 }, () => ({})));
      const seen: unknown[] = [];
      for (let next = `/leads${search}${search === '' ? '?' : '&'}limit=3`; next !== '';) {
        const page = await find(next.slice('/leads'.length));
        seen.push(...idsOf(page));
        expect(page.headers['x-total-count']).to.equal('7');
        [, next = ''] = /^<\/api\/admin([^>]+)>/.exec(String(page.headers.link)) ?? [];
      }
      expect(seen).to.deep.equal(search.includes('due') ? ids : ids.reverse());
    });
  }

  it('refuses the cursor of another query', async () => {
    await store({}, {}, {});
    const { link } = (await find('?limit=1&status=new')).headers;
    const [, cursor = ''] = /cursor=([^&]+)/.exec(String(link)) ?? [];
    expect((await staff().get(`/leads?limit=1&status=new&cursor=${cursor}`)).status).to.equal(200);
    for (const search of ['', '&status=won', '&status=new&q=noura', '&status=new&sort=due']) {
      expect((await staff().get(`/leads?limit=1${search}&cursor=${cursor}`)).status, search).to.equal(422);
    }
  });

  it('counts the leads for the first page only', async () => {
    await store({}, {}, {});
    const { link } = (await find('?limit=1')).headers;
    await store({});
    const [, next = ''] = /^<\/api\/admin\/leads([^>]+)>/.exec(String(link)) ?? [];
    expect((await find(next)).headers).to.include({ 'x-total-count': '3' });
    expect((await find('?limit=1')).headers).to.include({ 'x-total-count': '4' });
  });

  it('counts up to a thousand leads', async () => {
    await store(...Array.from({ length: 1_001 }, () => ({})));
    const [first] = await found('?limit=1');
    for (const search of ['', '?q=noura', '?sort=due']) {
      const { headers } = await find(search);
      expect(headers, search).to.include({ 'x-total-count-over': '1000' }).and.to.not.have.property('x-total-count');
    }
    await staff().patch(`/leads/${String(first)}`, { status: 'won' });
    for (const search of ['?status=new', '?q=noura&status=new', '?sort=due']) {
      const { headers } = await find(search);
      expect(headers, search).to.include({ 'x-total-count': '1000' }).and.to.not.have.property('x-total-count-over');
    }
  });

  it('treats hostile texts as words', async () => {
    await store({});
    for (const q of [
      "'; drop table leads; --",
      '%',
      '_',
      '\\',
      '\0',
      '\ud800',
      ':value0',
      '??',
      '$1',
      '\u202e'.repeat(50),
      'a '.repeat(100),
      '٪'.repeat(200),
    ]) {
      expect((await staff().get(`/leads?q=${encodeURIComponent(q.toWellFormed())}`)).status, q).to.equal(200);
    }
    expect((await staff().get('/leads?q=%ff%00%')).status).to.be.oneOf([200, 400]);
  });
});

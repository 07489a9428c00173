import { randomUUID } from 'node:crypto';
import { maxLeadViews, maxLength } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { addStaff, signIn, testPassword, withSession } from './staff-support.ts';
import { withTestApi, type TestResponse, type ProblemBody } from './support.ts';

interface View {
  readonly id: string;
  readonly name: string;
  readonly search: string;
}

describe('saved views', () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(() => api().database('lead_views').delete());

  const post = (body: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    staff().post('/views', body, headers);
  async function save(name: string, search = 'status=new'): Promise<View> {
    const response = await post({ name, search });
    expect(response.status, response.text).to.equal(201);
    return response.json() as View;
  }
  async function list(): Promise<View[]> {
    const response = await staff().get('/views');
    expect(response.status, response.text).to.equal(200);
    return response.json() as View[];
  }
  const order = (ids: unknown): Promise<TestResponse> => staff().patch('/views', { ids });
  const errorsOf = (response: TestResponse): ProblemBody['errors'] => {
    expect(response.status, response.text).to.equal(422);
    return (response.json() as ProblemBody).errors;
  };

  it('are listed in the order in which they were saved', async () => {
    expect(await list()).to.deep.equal([]);
    const saved = [await save('Zebra'), await save('Apple', ''), await save('Mine', 'owner=me&q=%D9%86%D9%88%D8%B1')];
    expect(await list()).to.deep.equal(saved);
    expect(saved[2]).to.include({ name: 'Mine', search: 'owner=me&q=%D9%86%D9%88%D8%B1' });
  });

  it('keep fields that no release knows', async () => {
    const { search } = await save('Old', 'colour=green&status=new');
    expect(search).to.equal('colour=green&status=new');
  });

  it('belong to their account', async () => {
    const mine = await save('Mine');
    const colleague = await signIn(api(), await addStaff(api()));
    expect((await colleague.get('/views')).json()).to.deep.equal([]);
    expect((await colleague.delete(`/views/${mine.id}`)).status).to.equal(404);
    await colleague.patch('/views', { ids: [mine.id] });
    expect((await colleague.post('/views', { name: 'Mine' })).status).to.equal(201);
    expect(await list()).to.deep.equal([mine]);
  });

  it('stay while their account is deactivated', async () => {
    const account = await addStaff(api());
    const owner = await signIn(api(), account);
    const saved = (await owner.post('/views', { name: 'Mine' })).json();
    await staff().post('/account/confirm', { password: testPassword });
    for (const isActive of [false, true]) {
      expect((await staff().patch(`/team/${account.id}`, { isActive })).status).to.equal(200);
    }
    expect((await (await signIn(api(), account)).get('/views')).json()).to.deep.equal([saved]);
  });

  it('have names that look different', async () => {
    await save('Überfällig in ﬁve days');
    await save('İstanbul');
    for (const name of [
      'Überfällig in ﬁve days',
      'ÜBERFÄLLIG in five days',
      '  überfällig  in five days ',
      'U\u0308berfa\u0308llig in five days',
      'Überfällig in five\u200d days',
      'istanbul'.normalize('NFC').replace('i', 'İ'),
    ]) {
      expect(errorsOf(await post({ name })), name).to.deep.equal([
        { field: 'name', message: 'Another view has this name' },
      ]);
    }
    expect((await post({ name: 'istanbul' })).status).to.be.oneOf([201, 422]);
    expect((await post({ name: 'Überfällig in 5 days' })).status).to.equal(201);
  });

  it('are saved once for each Idempotency-Key, and no other view has the key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { name: 'Overdue', search: 'response=overdue' };
    const responses = await Promise.all(Array.from({ length: 10 }, () => post(body, headers)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(responses[0]?.status).to.equal(201);
    expect((await post({ ...body, name: 'Another' }, headers)).status).to.equal(422);
    expect(await list()).to.have.length(1);
  });

  it('are at most fifty, also if several are saved concurrently', async () => {
    for (let count = 0; count < maxLeadViews - 2; count++) await save(`View ${count}`);
    const responses = await Promise.all(Array.from({ length: 6 }, (_, count) => post({ name: `Late ${count}` })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
      201, 201, 409, 409, 409, 409,
    ]);
    const [first] = await list();
    expect((await staff().delete(`/views/${first?.id}`)).status).to.equal(204);
    await save('One more');
    expect(await list()).to.have.length(maxLeadViews);
  });

  it('are moved to the order of their ids, in front of those that are not named', async () => {
    const [a, b, c, d] = [await save('a'), await save('b'), await save('c'), await save('d')];
    const moved = await order([c.id, randomUUID(), a.id]);
    expect(moved.status).to.equal(200);
    expect(moved.json()).to.deep.equal([c, a, b, d]);
    expect(await list()).to.deep.equal([c, a, b, d]);
    expect((await order([])).json()).to.deep.equal([c, a, b, d]);
    expect(await save('e')).to.deep.equal((await list()).at(-1));
  });

  it('are deleted once', async () => {
    const [a, b] = [await save('a'), await save('b')];
    expect((await staff().delete(`/views/${a.id}`)).status).to.equal(204);
    expect((await staff().delete(`/views/${a.id}`)).status).to.equal(404);
    expect(await list()).to.deep.equal([b]);
  });

  it('are refused with wrong values', async () => {
    const name = 'a'.repeat(maxLength.viewName + 1);
    for (const [field, body] of [
      ['name', {}],
      ['name', { name: ' ' }],
      ['name', { name }],
      ['search', { name: 'a', search: 'a'.repeat(maxLength.url + 1) }],
      ['search', { name: 'a', search: 'q=ü' }],
      ['search', { name: 'a', search: ['q=a'] }],
    ] as const) {
      expect(
        errorsOf(await post(body))?.map((error) => error.field),
        JSON.stringify(body),
      ).to.deep.equal([field]);
    }
    for (const ids of [undefined, 'a', ['a'], Array.from({ length: maxLeadViews + 1 }, () => randomUUID())]) {
      expect(errorsOf(await order(ids))?.map(({ field }) => field)).to.deep.equal(['ids']);
    }
    expect(await list()).to.deep.equal([]);
  });
});

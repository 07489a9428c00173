import { randomUUID } from 'node:crypto';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { validExample } from '@dune-tide/domain/test/examples';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { expect } from 'chai';
import { impossibleIds } from './hostile-values.ts';
import { addStaff, signIn, withSession, type TestSession } from './staff-support.ts';
import {
  cancelWaiting,
  fakeProducer,
  untilWoken,
  withTestApi,
  type TestResponse,
  type ProblemBody,
  type StoredLead,
} from './support.ts';

type Item = Record<string, unknown>;

describe('work on leads', () => {
  const producer = fakeProducer(async () => undefined);
  const api = withTestApi({ producer, staffEmail: 'staff@studio.example' });
  const staff = withSession(api);
  let colleague: TestSession;
  before(async () => {
    colleague = await signIn(api(), await addStaff(api(), { name: 'Thabo Nkosi' }));
  });
  beforeEach(() => api().clear());

  const submit = async (): Promise<string> =>
    ((await api().post('/api/contact', validExample(contactForm))).json() as StoredLead).id;
  const itemOf = (response: TestResponse, status = 200): Item => {
    expect(response.status, response.text).to.equal(status);
    return response.json() as Item;
  };
  const fieldsOf = (response: TestResponse): unknown => {
    expect(response.status, response.text).to.equal(422);
    return (response.json() as ProblemBody).errors?.map(({ field }) => field);
  };
  const history = async (id: string): Promise<Item[]> =>
    itemOf(await staff().get(`/leads/${id}/history`)) as unknown as Item[];
  const kindsOf = async (id: string): Promise<unknown[]> =>
    (await history(id)).map(({ kind }) => kind).filter((kind) => kind !== 'email');
  /** Returns the actions on a lead by the account of `staff`, as the audit log has them. */
  const audited = (id: string): PromiseLike<string[]> =>
    api()
      .database('audit_log')
      .where({ subject_id: id, actor_id: staff().account.id })
      .orderBy('position')
      .pluck<string[]>('action');
  const ofOneAccount = ({ account: { id, name } }: TestSession): Item => ({ id, name });

  describe('PATCH /leads/{id}', () => {
    it('returns the changed lead with its next version, and records the change with its author', async () => {
      const id = await submit();
      const response = await staff().patch(`/leads/${id}`, { status: 'contacted', ownerId: colleague.account.id });
      const lead = itemOf(response);
      expect(lead).to.deep.include({
        id,
        status: 'contacted',
        owner: ofOneAccount(colleague),
        response: 'answered',
        version: 2,
      });
      expect(response.headers.etag).to.equal('"2"');
      expect((await staff().get(`/leads/${id}`)).json()).to.deep.equal(lead);
      const { kind, ...item } = lead;
      expect(kind).to.equal('contact');
      expect((await staff().get('/contacts')).json()).to.deep.equal([item]);
      const [status, owner] = (await history(id)).slice(-2);
      expect(status).to.deep.include({ kind: 'status', from: 'new', to: 'contacted', actor: ofOneAccount(staff()) });
      expect(owner).to.deep.include({ kind: 'owner', from: null, to: ofOneAccount(colleague) });
      expect(await audited(id)).to.deep.equal(['lead_status', 'lead_owner']);
    });

    it('removes the owner with null, and does not change fields that are not sent', async () => {
      const id = await submit();
      await staff().patch(`/leads/${id}`, { ownerId: staff().account.id });
      expect(itemOf(await staff().patch(`/leads/${id}`, { answered: true }))['owner']).to.not.equal(null);
      expect(itemOf(await staff().patch(`/leads/${id}`, { ownerId: null }))).to.include({ owner: null, version: 4 });
    });

    it('undoes a mark as answered', async () => {
      const id = await submit();
      expect(itemOf(await staff().patch(`/leads/${id}`, { answered: true }))).to.include({ response: 'answered' });
      const undone = itemOf(await colleague.patch(`/leads/${id}`, { answered: false }));
      expect(undone).to.include({ response: 'waiting', answeredAt: null });
      expect(await kindsOf(id)).to.deep.equal(['received', 'answered', 'not_answered']);
    });

    it('returns 412 for an outdated version, and the second of two members sees the first change', async () => {
      const id = await submit();
      const ifMatch = { 'If-Match': '"1"' };
      expect((await staff().patch(`/leads/${id}`, { status: 'won' }, ifMatch)).status).to.equal(200);
      const refused = await colleague.patch(`/leads/${id}`, { status: 'lost' }, ifMatch);
      expect(refused.status).to.equal(412);
      expect(itemOf(await colleague.get(`/leads/${id}`))).to.include({ status: 'won', version: 2 });
      for (const header of ['"1", "2"', '*', '"2"']) {
        const done = await colleague.patch(`/leads/${id}`, { status: 'won' }, { 'If-Match': header });
        expect(done.status, header).to.equal(200);
      }
      for (const header of ['2', 'W/"2"', '"02"', '""', '"99999999999"']) {
        const done = await colleague.patch(`/leads/${id}`, { status: 'won' }, { 'If-Match': header });
        expect(done.status, header).to.equal(412);
      }
    });

    it('returns 412 to the second of two members who change the owner or the answer', async () => {
      const ifMatch = { 'If-Match': '"1"' };
      for (const [first, second] of [
        [{ ownerId: staff().account.id }, { ownerId: colleague.account.id }],
        [{ answered: true }, { answered: true }],
      ]) {
        const id = await submit();
        const done = itemOf(await staff().patch(`/leads/${id}`, first, ifMatch));
        expect((await colleague.patch(`/leads/${id}`, second, ifMatch)).status).to.equal(412);
        expect(itemOf(await colleague.get(`/leads/${id}`))).to.deep.equal(done);
        const version = { 'If-Match': `"${String(done['version'])}"` };
        expect((await colleague.patch(`/leads/${id}`, second, version)).status).to.equal(200);
      }
    });

    it('changes nothing if the lead already has the values, or none are sent', async () => {
      const id = await submit();
      for (const body of [{}, { status: 'new' }, { ownerId: null }, { answered: false }, { id: 'x', createdAt: 1 }]) {
        expect(itemOf(await staff().patch(`/leads/${id}`, body))).to.include({ version: 1 });
      }
      expect(await audited(id)).to.deep.equal([]);
    });

    it('returns 422 for values that are not allowed', async () => {
      const id = await submit();
      const former = await addStaff(api(), { is_active: false });
      for (const [body, fields] of [
        [{ status: 'asleep' }, ['status']],
        [{ status: null }, ['status']],
        [{ status: '' }, ['status']],
        [{ answered: 'yes' }, ['answered']],
        [{ ownerId: 'me' }, ['ownerId']],
        [{ ownerId: '' }, ['ownerId']],
        [{ ownerId: 7, status: [] }, ['status', 'ownerId']],
        [{ ownerId: randomUUID() }, ['ownerId']],
        [{ ownerId: former.id }, ['ownerId']],
        [[], ['']],
      ] as const) {
        expect(fieldsOf(await staff().patch(`/leads/${id}`, body)), JSON.stringify(body)).to.deep.equal(fields);
      }
      const request = await api().post('/api/portfolio-lead', validExample(portfolioRequestForm));
      const path = `/leads/${(request.json() as StoredLead).id}`;
      expect(fieldsOf(await staff().patch(path, { status: 'won' }))).to.deep.equal(['status']);
      expect(itemOf(await staff().get(`/leads/${id}`))).to.include({ version: 1 });
    });
  });

  describe('POST /leads/bulk', () => {
    const bulk = (body: unknown, headers = {}): Promise<TestResponse> => staff().post('/leads/bulk', body, headers);
    async function stored(count: number): Promise<string[]> {
      await storeLeads(
        api().database,
        Array.from({ length: count }, () => contactMessage),
      );
      return api().database('leads').pluck<string[]>('id');
    }

    it('changes up to 500 leads, and nothing the second time', async () => {
      await storeLeads(
        api().database,
        Array.from({ length: 498 }, () => contactMessage),
      );
      const ids = await api().database('leads').pluck<string[]>('id');
      const body = { ids: [...ids, ids[0], randomUUID()], status: 'contacted', ownerId: colleague.account.id };
      expect(itemOf(await bulk(body))).to.deep.equal({ changed: 498, unchanged: 0, missing: 1 });
      expect(itemOf(await bulk(body))).to.deep.equal({ changed: 0, unchanged: 498, missing: 1 });
      expect(new Set(await api().database('leads').pluck('version'))).to.deep.equal(new Set([2]));
      expect(await api().database('lead_events')).to.have.length(2 * 498);
    });

    it('changes leads once for each Idempotency-Key, also if a colleague has changed them since', async () => {
      const ids = await stored(150);
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { ids, status: 'won' };
      const responses = await Promise.all([bulk(body, headers), bulk(body, headers), bulk(body, headers)]);
      for (const response of responses)
        expect(itemOf(response)).to.deep.equal({ changed: 150, unchanged: 0, missing: 0 });
      expect(await audited(String(ids[0]))).to.deep.equal(['lead_status']);

      await colleague.patch(`/leads/${ids[0]}`, { status: 'lost' });
      expect(itemOf(await bulk(body, headers))).to.deep.equal({ changed: 150, unchanged: 0, missing: 0 });
      expect(itemOf(await staff().get(`/leads/${ids[0]}`))).to.include({ status: 'lost' });
      expect(await api().database('lead_events')).to.have.length(151);
      expect(itemOf(await bulk({ ids: ids.slice(1), status: 'won' }))).to.include({ changed: 0 });
    });

    it('returns 422 for a used Idempotency-Key with other leads or another change, and changes nothing', async () => {
      const ids = await stored(250);
      const [first = '', ...others] = ids;
      const headers = { 'Idempotency-Key': randomUUID() };
      await colleague.patch(`/leads/${first}`, { status: 'won' });
      expect(itemOf(await bulk({ ids: [first], status: 'won' }, headers))).to.include({ changed: 0, unchanged: 1 });
      for (const body of [
        { ids: others, status: 'won' },
        { ids: [...others, first], status: 'won' },
        { ids: [first], status: 'lost' },
        { ids: [first], spam: true },
        { ids: [first], undoes: headers['Idempotency-Key'] },
      ]) {
        const refused = await bulk(body, headers);
        expect(refused.status, refused.text).to.equal(422);
        expect(refused.text).to.contain('This Idempotency-Key was already used for another request.');
      }
      expect(await api().database('lead_events')).to.have.length(1);
      expect((await colleague.post('/leads/bulk', { ids: others, status: 'won' }, headers)).status).to.equal(200);
    });

    it('leaves an Idempotency-Key free if the change was refused', async () => {
      const ids = await stored(2);
      const headers = { 'Idempotency-Key': randomUUID() };
      expect(fieldsOf(await bulk({ ids, ownerId: randomUUID() }, headers))).to.deep.equal(['ownerId']);
      expect(itemOf(await bulk({ ids, ownerId: colleague.account.id }, headers))).to.include({ changed: 2 });
    });

    it('gives each lead by an undo the status, the owner and the clock that it had', async () => {
      const ids = await stored(5);
      const [fresh, answered, reopened, owned, former] = ids as [string, string, string, string, string];
      const leaver = await addStaff(api(), { name: 'Zoë Botha' });
      await colleague.patch(`/leads/${answered}`, { answered: true });
      const { answeredAt } = itemOf(await staff().get(`/leads/${answered}`));
      await colleague.patch(`/leads/${reopened}`, { status: 'contacted' });
      await colleague.patch(`/leads/${reopened}`, { answered: false });
      await colleague.patch(`/leads/${owned}`, { ownerId: colleague.account.id });
      await colleague.patch(`/leads/${former}`, { ownerId: leaver.id });
      const leads = () => Promise.all(ids.map(async (id) => itemOf(await staff().get(`/leads/${id}`))));
      const seen = async () =>
        (await leads()).map(({ status, owner, response, answeredAt: at }) => ({ status, owner, response, at }));
      const before = await seen();
      for (const change of [
        { status: 'won', ownerId: staff().account.id },
        { status: 'new', ownerId: null },
        { status: 'lost', answered: true },
      ]) {
        const headers = { 'Idempotency-Key': randomUUID() };
        itemOf(await bulk({ ids, ...change }, headers));
        itemOf(await bulk({ ids, undoes: headers['Idempotency-Key'] }, { 'Idempotency-Key': randomUUID() }));
        expect(await seen(), JSON.stringify(change)).to.deep.equal(before);
      }
      expect(before[1]).to.include({ at: answeredAt });
      expect(itemOf(await staff().get(`/leads/${fresh}`))).to.include({ response: 'waiting' });

      const headers = { 'Idempotency-Key': randomUUID() };
      await bulk({ ids: [former], ownerId: null }, headers);
      await api().database('staff').where({ id: leaver.id }).update({ is_active: false });
      itemOf(await bulk({ ids: [former], undoes: headers['Idempotency-Key'] }));
      expect(itemOf(await staff().get(`/leads/${former}`))).to.include({ owner: null });
    });

    it('undoes an earlier change only of leads that it has changed and that have its version', async () => {
      const ids = await stored(4);
      const [untouched, changed, same, owned] = ids as [string, string, string, string];
      await colleague.patch(`/leads/${same}`, { status: 'won' });
      const key = randomUUID();
      expect(itemOf(await bulk({ ids, status: 'won' }, { 'Idempotency-Key': key }))).to.include({ changed: 3 });
      await colleague.patch(`/leads/${changed}`, { status: 'lost' });
      await colleague.patch(`/leads/${owned}`, { ownerId: colleague.account.id });

      const undo = { ids, undoes: key };
      expect((await colleague.post('/leads/bulk', undo)).json()).to.include({ changed: 0, unchanged: 4 });
      expect(itemOf(await bulk(undo))).to.deep.equal({ changed: 1, unchanged: 3, missing: 0 });
      expect(itemOf(await bulk(undo))).to.include({ changed: 0 });
      const statuses = await Promise.all(ids.map(async (id) => itemOf(await staff().get(`/leads/${id}`))['status']));
      expect(statuses).to.deep.equal(['new', 'lost', 'won', 'won']);
      expect(itemOf(await staff().get(`/leads/${untouched}`))).to.include({ response: 'waiting' });
    });

    it('records each change with its author', async () => {
      const ids = [await submit(), await submit()];
      expect(itemOf(await bulk({ ids, answered: true }))).to.include({ changed: 2 });
      for (const id of ids) {
        expect((await history(id)).at(-1)).to.deep.include({ kind: 'answered', actor: ofOneAccount(staff()) });
        expect(await audited(id)).to.deep.equal(['lead_answered']);
      }
    });

    it('runs a transaction for each 100 leads, so a failure keeps the earlier ones and can be repeated', async () => {
      await storeLeads(
        api().database,
        Array.from({ length: 150 }, () => contactMessage),
      );
      const ids = await api().database('leads').pluck<string[]>('id');
      const body = { ids, status: 'contacted' };
      await api().database.transaction(async (transaction) => {
        await transaction('leads').where({ id: ids[120] }).forUpdate().select('id');
        const changing = bulk(body);
        await cancelWaiting(api());
        expect((await changing).status).to.equal(503);
      });
      const changed = await api().database('leads').where({ status: 'contacted' }).pluck<string[]>('id');
      expect(changed).to.have.members(ids.slice(0, 100));
      expect(itemOf(await bulk(body))).to.deep.equal({ changed: 50, unchanged: 100, missing: 0 });
      expect(await api().database('lead_events')).to.have.length(150);
    });

    it('marks as spam and releases, and queues the emails of released leads', async () => {
      const ids = [await submit(), await submit()];
      expect(itemOf(await bulk({ ids, spam: true }))).to.include({ changed: 2 });
      expect(new Set(await api().database('follow_ups').pluck('state'))).to.deep.equal(new Set(['cancelled']));
      expect(itemOf(await bulk({ ids, spam: false }))).to.include({ changed: 2 });
      const rows = await api().followUps();
      expect(rows.map(({ state }) => state)).to.deep.equal(['pending', 'pending', 'pending', 'pending']);
      await untilWoken(
        producer,
        rows.map(({ id }) => id),
      );
    });

    it('returns 422 for no ids, too many, and other values', async () => {
      const ids = [await submit()];
      for (const [body, fields] of [
        [{ status: 'won' }, ['ids']],
        [{ ids: [] }, ['ids']],
        [{ ids: 'all' }, ['ids']],
        [{ ids: ['1'] }, ['ids']],
        [{ ids: Array.from({ length: 501 }, () => randomUUID()) }, ['ids']],
        [{ ids, spam: 1 }, ['spam']],
        [{ ids, undoes: 'a b' }, ['undoes']],
        [{ ids, undoes: 'key', status: 'won' }, ['undoes']],
        [{ ids, undoes: 'key', ownerId: null }, ['undoes']],
        [{ ids, status: null }, ['status']],
        [{ ids, ownerId: randomUUID() }, ['ownerId']],
      ] as const) {
        expect(fieldsOf(await bulk(body)), JSON.stringify(body).slice(0, 80)).to.deep.equal(fields);
      }
    });
  });

  describe('POST /leads/{id}/spam', () => {
    it('stops the clock and the waiting emails until the release', async () => {
      const id = await submit();
      for (let times = 0; times < 2; times++) {
        expect((await staff().post(`/leads/${id}/spam`, undefined)).status).to.equal(204);
      }
      const held = itemOf(await staff().get(`/leads/${id}`));
      expect(held).to.include({ spamSign: 'by_hand', response: 'none', dueAt: null, version: 2 });
      expect((await api().followUps()).map(({ state }) => state)).to.deep.equal(['cancelled', 'cancelled']);
      for (let times = 0; times < 2; times++) {
        expect((await staff().post(`/leads/${id}/release`, undefined)).status).to.equal(204);
      }
      expect(itemOf(await staff().get(`/leads/${id}`))).to.include({ spamSign: null, response: 'waiting', version: 3 });
      const rows = await api().followUps();
      expect(rows.map(({ state }) => state)).to.deep.equal(['pending', 'pending']);
      await untilWoken(
        producer,
        rows.map((row) => row.id),
      );
      expect(await kindsOf(id)).to.deep.equal(['received', 'spam', 'released']);
      expect(await audited(id)).to.deep.equal(['lead_spam', 'lead_released']);
    });
  });

  describe('the mark of a lead', () => {
    const markedFor = async (session: TestSession): Promise<unknown[]> =>
      (itemOf(await session.get('/leads?marked=me')) as unknown as Item[]).map(({ id }) => id);

    it('is set for its new owner and for those whom a note mentions, until they open it', async () => {
      const [given, noted, other] = [await submit(), await submit(), await submit()];
      await staff().post('/leads/bulk', { ids: [given], ownerId: colleague.account.id });
      const { username } = colleague.account;
      const note = itemOf(await staff().post(`/leads/${noted}/notes`, { text: 'Nothing' }), 201);
      await staff().patch(`/leads/${noted}/notes/${String(note['id'])}`, { text: `Ask @${username.toUpperCase()}.` });
      expect(await markedFor(colleague)).to.deep.equal([noted, given]);
      expect(await markedFor(staff())).to.deep.equal([]);
      for (const [id, left] of [
        [other, [noted, given]],
        [noted, [given]],
        [noted, [given]],
        [given, []],
      ] as const) {
        expect((await colleague.delete(`/leads/${id}/mark`)).status).to.equal(204);
        expect(await markedFor(colleague)).to.deep.equal(left);
      }
    });
  });

  describe('the notes of a lead', () => {
    const add = (id: string, text: unknown, headers = {}): Promise<TestResponse> =>
      staff().post(`/leads/${id}/notes`, { text }, headers);

    it('are added, edited and deleted by their author', async () => {
      const id = await submit();
      const added = await add(id, '  Called back.\nWants an offer.  ');
      const note = itemOf(added, 201);
      const author = ofOneAccount(staff());
      expect(note).to.deep.include({ kind: 'note', text: 'Called back.\nWants an offer.', actor: author, version: 1 });
      const path = `/leads/${id}/notes/${String(note['id'])}`;
      const edited = await staff().patch(path, { text: 'Called twice.' }, { 'If-Match': added.headers.etag ?? '' });
      expect(itemOf(edited)).to.include({ text: 'Called twice.', version: 2 });
      expect((await history(id)).at(-1)).to.deep.equal(edited.json());
      expect((await staff().delete(path)).status).to.equal(204);
      expect((await history(id)).at(-1)).to.include({ kind: 'note', text: null });
      expect(await audited(id)).to.deep.equal(['lead_note', 'lead_note_edited', 'lead_note_deleted']);
    });

    it('return 403 to other accounts, 412 for an outdated version and 404 once deleted', async () => {
      const id = await submit();
      const path = `/leads/${id}/notes/${String(itemOf(await add(id, 'Mine'), 201)['id'])}`;
      expect((await colleague.patch(path, { text: 'Yours' })).status).to.equal(403);
      expect((await colleague.delete(path)).status).to.equal(403);
      expect((await staff().patch(path, { text: 'New' }, { 'If-Match': '"2"' })).status).to.equal(412);
      expect((await staff().delete(path, { 'If-Match': '"2"' })).status).to.equal(412);
      expect((await staff().delete(path)).status).to.equal(204);
      expect((await staff().delete(path)).status).to.equal(404);
      expect((await staff().patch(path, { text: 'Back' })).status).to.equal(404);
    });

    it('are stored once for one Idempotency-Key', async () => {
      const id = await submit();
      const key = { 'Idempotency-Key': randomUUID() };
      const first = itemOf(await add(id, 'Once', key), 201);
      expect(itemOf(await add(id, 'Once', key), 201)).to.deep.equal(first);
      expect((await add(id, 'Twice', key)).status).to.equal(422);
      expect(await kindsOf(id)).to.deep.equal(['received', 'note']);
    });

    it('have 1 to 5,000 characters, and are kept as typed', async () => {
      const id = await submit();
      const kept = itemOf(await add(id, 'Kept'), 201);
      const path = `/leads/${id}/notes/${String(kept['id'])}`;
      for (const text of ['', '  ', 'x'.repeat(5_001), 7, null]) {
        expect(fieldsOf(await add(id, text)), String(text).slice(0, 9)).to.deep.equal(['text']);
        expect(fieldsOf(await staff().patch(path, { text })), String(text).slice(0, 9)).to.deep.equal(['text']);
      }
      expect((await history(id)).at(-1)).to.deep.equal(kept);
      expect((await add(id, 'nul \u0000')).status).to.equal(400);
      const text = "<b>\"Zoë\" & 'O''Neill'</b> سارة 🌙".padEnd(5_000, '☕');
      expect(itemOf(await add(id, text), 201)).to.include({ text });
    });
  });

  describe('GET /leads/{id}/history', () => {
    it('has pages with links, oldest first', async () => {
      const id = await submit();
      for (const text of ['One', 'Two', 'Three']) await staff().post(`/leads/${id}/notes`, { text });
      const all = await history(id);
      expect(all.map(({ kind }) => kind)).to.deep.equal(['received', 'email', 'email', 'note', 'note', 'note']);
      const seen: unknown[] = [];
      for (let next = `/leads/${id}/history?limit=2`; next !== '';) {
        const page = await staff().get(next);
        seen.push(...(page.json() as unknown[]));
        expect(page.headers['x-total-count']).to.equal('6');
        [, next = ''] = /^<\/api\/admin([^>]+)>/.exec(String(page.headers.link)) ?? [];
      }
      expect(seen).to.deep.equal(all);
    });

    it('returns 422 for another limit, and for a cursor that is not from this history', async () => {
      const [id, other] = [await submit(), await submit()];
      const { headers } = await staff().get(`/leads/${other}/history?limit=1`);
      const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(String(headers.link)) ?? [];
      expect(cursor).to.not.equal('');
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', `cursor=${cursor}`]) {
        expect((await staff().get(`/leads/${id}/history?${query}`)).status, query).to.equal(422);
      }
      expect((await staff().get(`/leads/${other}/history?cursor=${cursor}`)).status).to.equal(200);
    });

    it('keeps the name of a deactivated owner', async () => {
      const id = await submit();
      const leaving = await addStaff(api(), { name: 'Lerato' });
      await staff().patch(`/leads/${id}`, { ownerId: leaving.id });
      await staff().patch(`/team/${leaving.id}`, { isActive: false });
      expect(itemOf(await staff().get(`/leads/${id}`))).to.include({ owner: null });
      const from = { id: leaving.id, name: 'Lerato' };
      expect((await history(id)).at(-1)).to.deep.include({
        kind: 'owner',
        from,
        to: null,
        actor: ofOneAccount(staff()),
      });
    });
  });

  it('returns 404 for unknown and malformed ids', async () => {
    const lead = await submit();
    for (const id of [randomUUID(), ...impossibleIds]) {
      for (const response of [
        await staff().patch(`/leads/${id}`, { status: 'won' }),
        await staff().get(`/leads/${id}/history`),
        await staff().post(`/leads/${id}/notes`, { text: 'A note' }),
        await staff().post(`/leads/${id}/spam`, undefined),
        await staff().post(`/leads/${id}/release`, undefined),
        await staff().patch(`/leads/${lead}/notes/${id}`, { text: 'A note' }),
        await staff().delete(`/leads/${lead}/notes/${id}`),
      ]) {
        expect(response.status, id).to.be.oneOf([404, 405]);
      }
    }
    expect(await kindsOf(lead)).to.deep.equal(['received']);
  });
});

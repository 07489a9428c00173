import { randomUUID } from 'node:crypto';
import { formTokenKeyLife, minFormAge } from '@dune-tide/domain/limits';
import type { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import type { Json } from '@dune-tide/domain/responses/schema';
import { earlyFormToken, honeypotField, type SpamSign } from '@dune-tide/domain/spam';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { formTokens } from '../src/leads/form-tokens.ts';
import { impossibleIds } from './hostile-values.ts';
import { withSession } from './staff-support.ts';
import { fakeProducer, publicForms, untilWoken, withTestApi, type TestResponse, type StoredLead } from './support.ts';

const key = 'the key that signs, which only the tests know';
const earlierKey = 'the key that signed before, accepted as well';
const foreignKey = 'a key that a spammer made up, which is not ours';
const staffEmail = 'team@studio.example';

/** Returns a token of the given age in milliseconds. */
const tokenOf = (age: number, ...keys: readonly string[]): string =>
  formTokens(keys.length > 0 ? keys : [key], () => Date.now() - age).issue();

/** Requests and their expected spam sign. No age is near a limit, since the machine may be slow. */
const cases: readonly {
  readonly name: string;
  readonly sign: SpamSign | null;
  readonly token?: () => string;
  readonly remarks?: unknown;
}[] = [
  { name: 'no token', sign: null },
  { name: 'a token that is a minute old', sign: null, token: () => tokenOf(60_000) },
  { name: 'a token of last month', sign: null, token: () => tokenOf(30 * 86_400_000) },
  { name: 'a token of the previous key', sign: null, token: () => tokenOf(60_000, earlierKey) },
  { name: 'an old token of a deleted key', sign: null, token: () => tokenOf(formTokenKeyLife * 2, foreignKey) },
  { name: 'a token of a process whose clock is ahead', sign: null, token: () => tokenOf(-600_000) },
  { name: 'an empty honeypot', sign: null, remarks: '' },
  { name: 'a honeypot of blanks', sign: null, remarks: ' \n' },
  { name: 'a honeypot with null', sign: null, remarks: null },
  { name: 'a filled honeypot', sign: 'honeypot', remarks: 'Cheap watches' },
  { name: 'a honeypot that is not text', sign: 'honeypot', remarks: ['Cheap watches'] },
  { name: 'a filled honeypot and a good token', sign: 'honeypot', remarks: 'x', token: () => tokenOf(60_000) },
  { name: 'a token that had not arrived yet', sign: 'too_fast', token: () => earlyFormToken },
  { name: 'a token of another key', sign: 'forged_token', token: () => tokenOf(60_000, foreignKey) },
  { name: 'a token whose time was changed', sign: 'forged_token', token: () => withTime(tokenOf(0), 60_000) },
  { name: 'a truncated token', sign: 'forged_token', token: () => tokenOf(60_000).slice(0, -1) },
  { name: 'a text that is not a token', sign: 'forged_token', token: () => 'let me in' },
];

function withTime(token: string, age: number): string {
  return token.replace(/^\d+/, String(Date.now() - age));
}

describe('a form token', () => {
  const at = 1_790_000_000_000;
  const tokens = (now: number, ...keys: string[]) => formTokens(keys.length > 0 ? keys : [key], () => now);

  it('is too young below the minimum age, and accepted from then on', () => {
    const token = tokens(at).issue();
    expect(tokens(at).judge(token)).to.equal('too_fast');
    expect(tokens(at + minFormAge - 1).judge(token)).to.equal('too_fast');
    expect(tokens(at + minFormAge).judge(token)).to.equal(null);
    expect(tokens(at - 1).judge(token)).to.equal(null);
  });

  it('is signed with the first key and accepted with any', () => {
    const before = tokens(at, earlierKey).issue();
    const after = tokens(at, key, earlierKey).issue();
    const later = at + minFormAge;
    expect(after).to.equal(tokens(at, key).issue());
    expect(tokens(later, key, earlierKey).judge(before)).to.equal(null);
    expect(tokens(later, key, earlierKey).judge(after)).to.equal(null);
    expect(tokens(later, key).judge(before)).to.equal('forged_token');
    expect(tokens(at + formTokenKeyLife, key).judge(before)).to.equal(null);
  });

  it('is checked by its signature when it is no longer cached', () => {
    let time = at;
    const own = formTokens([key], () => time);
    const first = own.issue();
    for (let count = 0; count < 10_000; count++) {
      time++;
      own.issue();
    }
    time += minFormAge;
    expect(own.judge(first)).to.equal(null);
    expect(own.judge(first.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')))).to.equal('forged_token');
  });
});

describe('spam', () => {
  const producer = fakeProducer(async () => undefined);
  const api = withTestApi({ sessionKeys: [key, earlierKey], staffEmail, producer });
  const staff = withSession(api);
  /** Waits for pending wake-ups, so that the next test does not count them. */
  const clear = async (): Promise<void> => {
    const required = await api().followUps();
    await untilWoken(
      producer,
      required.map(({ id }) => id),
    );
    await api().clear();
  };
  beforeEach(() => api().clear());
  afterEach(clear);

  const contact = publicForms.find(({ path }) => path === '/api/contact');
  if (!contact) throw new Error('No contact form was found');
  const message = (): Record<string, unknown> => validExample(contact.form);

  const signs = async (): Promise<unknown[]> => api().database('leads').pluck('spam_sign');
  const idOf = (response: TestResponse): string => {
    expect(response.status, response.text).to.equal(201);
    return (response.json() as StoredLead).id;
  };
  /** Returns the headers of a response, without those that differ for every request. */
  const lasting = ({ headers }: TestResponse) =>
    Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));

  describe('GET /api/form-token', () => {
    it('returns a token that is not cached and is accepted from the minimum age on', async () => {
      const response = await api().send({ path: '/api/form-token' });
      expect(response.status).to.equal(200);
      expect(response.headers['cache-control']).to.equal('no-store');
      const { token, ...rest } = response.json() as Json<typeof formTokenResponse>;
      expect(rest).to.deep.equal({});
      expect(formTokens([key], () => Date.now() + minFormAge).judge(token)).to.equal(null);
    });
  });

  for (const { name, sign, token, remarks } of cases) {
    it(`${sign === null ? 'is not detected in' : 'is detected in'} ${name}, with the usual response`, async () => {
      const usual = await api().post('/api/contact', message());
      await clear();
      const response = await api().post(
        '/api/contact',
        { ...message(), ...(remarks === undefined ? {} : { [honeypotField]: remarks }) },
        token ? { 'Form-Token': token() } : {},
      );
      expect(await signs()).to.deep.equal([sign]);
      expect(Object.keys(response.json() as object)).to.deep.equal(Object.keys(usual.json() as object));
      expect(response.status).to.equal(usual.status);
      expect(lasting(response)).to.deep.equal(lasting(usual));
      expect(await api().followUps()).to.have.length(sign === null ? 2 : 0);
      // The honeypot must not be stored with the fields.
      expect((await api().leads())[0]?.answers).to.not.have.property(honeypotField);
    });
  }

  for (const { form, path, kind } of publicForms) {
    it(`lists a ${form.$id} (${kind}) as a lead without follow-ups or jobs`, async () => {
      const before = producer.batches.length;
      const id = idOf(await api().post(path, { ...validExample(form), [honeypotField]: 'Cheap watches' }));
      expect((await api().leads()).map((lead) => lead.id)).to.deep.equal([id]);
      expect(await api().followUps()).to.deep.equal([]);
      expect(producer.batches).to.have.length(before);
      expect((await staff().get(`/leads/${id}`)).json()).to.include({ kind, id, spamSign: 'honeypot' });
      const lists: Readonly<Record<string, string>> = {
        contact: '/contacts',
        service_inquiry: '/service-inquiries',
        career_application: '/careers',
      };
      const list = lists[kind];
      if (list === undefined) return;
      const response = await staff().get(list);
      expect(response.headers['x-total-count']).to.equal('1');
      expect((response.json() as { spamSign: unknown }[]).map(({ spamSign }) => spamSign)).to.deep.equal(['honeypot']);
    });
  }

  it('is not detected in a portfolio request by its token, because staff could not release it', async () => {
    const portfolio = publicForms.find(({ kind }) => kind === 'portfolio_request');
    if (!portfolio) expect.fail('No portfolio form was found');
    const send = (token: string) => api().post(portfolio.path, validExample(portfolio.form), { 'Form-Token': token });
    for (const token of [earlyFormToken, 'let me in']) idOf(await send(token));
    expect(await signs()).to.deep.equal([null, null]);
    expect(await api().followUps()).to.have.length(4);
  });

  it('is checked after validation: an invalid form gets the usual response', async () => {
    const body = { ...message(), email: 'noura' };
    const usual = await api().post('/api/contact', body);
    const response = await api().post('/api/contact', { ...body, [honeypotField]: 'x' }, { 'Form-Token': 'x' });
    expect(response.status).to.equal(422);
    expect(response.text).to.equal(usual.text);
  });

  it('depends on the first request with a key: a retry gets the same response and changes nothing', async () => {
    const suspect = { ...message(), [honeypotField]: 'Cheap watches' };
    const first = idOf(await api().post('/api/contact', suspect, { 'Idempotency-Key': 'suspect-first' }));
    expect(idOf(await api().post('/api/contact', message(), { 'Idempotency-Key': 'suspect-first' }))).to.equal(first);
    expect(await signs()).to.deep.equal(['honeypot']);
    expect(await api().followUps()).to.deep.equal([]);

    await clear();
    const second = idOf(await api().post('/api/contact', message(), { 'Idempotency-Key': 'person-first' }));
    expect(idOf(await api().post('/api/contact', suspect, { 'Idempotency-Key': 'person-first' }))).to.equal(second);
    expect(await signs()).to.deep.equal([null]);
    expect(await api().followUps()).to.have.length(2);
  });

  describe('POST /api/admin/leads/{id}/release', () => {
    const suspect = async (): Promise<string> =>
      idOf(await api().post('/api/contact', { ...message(), [honeypotField]: 'Cheap watches' }));
    const release = (id: string): Promise<TestResponse> => staff().post(`/leads/${id}/release`, undefined);
    const required = async () => (await api().followUps()).map(({ kind, recipient }) => ({ kind, recipient }));

    it('stores the follow-ups, queues them and removes the mark', async () => {
      const id = await suspect();
      const before = producer.batches.length;
      const response = await release(id);
      expect([response.status, response.text]).to.deep.equal([204, '']);
      expect(await required()).to.have.deep.members([
        { kind: 'acknowledgement', recipient: message()['email'] },
        { kind: 'staff_notice', recipient: staffEmail },
      ]);
      const rows = await api().followUps();
      const ids = rows.map((row) => row.id);
      await untilWoken(producer, ids);
      const woken = producer.batches.slice(before).flat();
      expect(woken.map((wakeUp) => wakeUp.id)).to.have.members(ids);
      expect((await staff().get(`/leads/${id}`)).json()).to.include({ spamSign: null });
      expect((await staff().get('/contacts')).headers['x-total-count']).to.equal('1');
    });

    it('returns 204 to repeated and concurrent calls, and stores the follow-ups once', async () => {
      const id = await suspect();
      const responses = [...(await Promise.all([release(id), release(id)])), await release(id)];
      expect(responses.map(({ status }) => status)).to.deep.equal([204, 204, 204]);
      expect(await required()).to.have.length(2);
    });

    it('does not change a lead that is not marked', async () => {
      const id = idOf(await api().post('/api/contact', message()));
      const before = await api().followUps();
      expect((await release(id)).status).to.equal(204);
      expect(await api().followUps()).to.deep.equal(before);
    });

    it('returns 404 for an unknown or malformed id', async () => {
      for (const id of [randomUUID(), ...impossibleIds]) {
        const response = await release(id);
        expect(response.status, id).to.equal(404);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
    });

    it('is recorded once in the audit log, by id only', async () => {
      const id = await suspect();
      await release(id);
      await release(id);
      const entries = await api().database<Record<string, unknown>>('audit_log').where({ subject_id: id });
      expect(entries.map(({ action }) => action)).to.deep.equal(['lead_released']);
      expect(entries[0]?.['actor_id']).to.be.a('string');
      expect(JSON.stringify(entries)).to.not.include(String(message()['email']));
    });

    it('is refused from another site', async () => {
      const id = await suspect();
      const response = await staff().post(`/leads/${id}/release`, undefined, { Origin: 'https://evil.example' });
      expect(response.status).to.equal(403);
      expect(await required()).to.deep.equal([]);
    });
  });
});

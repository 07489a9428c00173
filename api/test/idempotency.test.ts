import { contactForm } from '@dune-tide/domain/forms/contact';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { publicForms, withTestApi, type TestResponse, type StoredLead } from './support.ts';

describe('an Idempotency-Key', () => {
  const api = withTestApi({ staffEmail: 'team@studio.example' });
  const contact = (): Record<string, unknown> => validExample(contactForm);
  const post = (key: string, body: unknown = contact(), path = '/api/contact'): Promise<TestResponse> =>
    api().post(path, body, { 'Idempotency-Key': key });
  const idOf = (response: TestResponse): string => (response.json() as StoredLead).id;

  beforeEach(() => api().clear());

  it('stores one lead for concurrent posts of the same form, with equal responses', async () => {
    for (const { form, path } of publicForms) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => post(form.$id, validExample(form), path)));

      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([201]));
      const [lead, ...others] = await api().leads();
      expect(others).to.have.length(0);
      expect(new Set(responses.map(({ text }) => text))).to.deep.equal(new Set([JSON.stringify({ id: lead?.id })]));
      expect(await api().followUps()).to.have.length(2);
      await api().clear();
    }
  });

  it('returns the first response again later', async () => {
    const first = await post('later');
    const again = await post('later');

    expect(again.status).to.equal(201);
    expect(again.text).to.equal(first.text);
    expect(again.headers['content-type']).to.equal(first.headers['content-type']);
    expect(await api().leads()).to.have.length(1);
  });

  it('recognizes the same body by its values, not by its bytes', async () => {
    const first = await post('written');
    const { email, ...rest } = contact();
    const ways = [
      JSON.stringify(contact(), null, 2),
      JSON.stringify({ ...rest, email }),
      JSON.stringify({ ...contact(), firstName: '  Noura\n' }),
      JSON.stringify({ ...contact(), unknown: 'key' }),
      JSON.stringify(contact()).replace('Noura', '\\u004eoura'),
    ];

    for (const way of ways) expect(idOf(await post('written', way)), way).to.equal(idOf(first));
    expect(await api().leads()).to.have.length(1);
  });

  it('is refused with another body, without field errors and without a change to the lead', async () => {
    await post('reused');
    const other = await post('reused', { ...contact(), message: 'Quite another message.' });

    expect(other.status).to.equal(422);
    expect(other.headers['content-type']).to.match(/^application\/problem\+json/);
    expect(other.json()).to.not.have.property('errors');
    const leads = await api().leads();
    expect(leads.map(({ answers: fields }) => fields)).to.deep.equal([contact()]);
    expect((await post('reused')).status, 'the first body is still known').to.equal(201);
  });

  it('is refused for another route', async () => {
    await post('elsewhere', validExample(portfolioRequestForm), '/api/portfolio-lead');

    expect((await post('elsewhere')).status).to.equal(422);
    expect(await api().leads()).to.have.length(1);
  });

  it('accepts one of two concurrent bodies and refuses the other', async () => {
    const bodies = [contact(), { ...contact(), message: 'Quite another message.' }];
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => post('race', bodies[index % 2])));

    const [lead] = await api().leads();
    expect(await api().leads()).to.have.length(1);
    const accepted = responses.filter(({ status }) => status === 201);
    expect(accepted.map(idOf)).to.deep.equal(Array.from({ length: 20 }, () => lead?.id));
    expect(responses.filter(({ status }) => status === 422)).to.have.length(20);
  });

  it('is not used up by an invalid body', async () => {
    expect((await post('mended', { ...contact(), message: 'short' })).status).to.equal(422);
    expect((await post('mended')).status).to.equal(201);
  });

  it('may be 1 to 255 visible ASCII characters and is case-sensitive', async () => {
    const keys = [
      '!',
      '~',
      '"quoted"',
      'a:b',
      '0198c2f4-0000-7000-8000-000000000001',
      'k'.repeat(255),
      'K'.repeat(255),
    ];
    for (const key of keys) expect((await post(key)).status, key).to.equal(201);
    expect((await api().leads()).map(({ idempotency_key }) => idempotency_key)).to.have.members(keys);
  });

  it('is 400 if it is malformed, and nothing is stored', async () => {
    for (const key of ['k'.repeat(256), 'two words', 'a\tb', 'schlüssel', '\u00a0', 'a, b']) {
      const response = await post(key);
      expect(response.status, key).to.equal(400);
      expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
    }
    const twice = await api().exchange(
      `POST /api/contact HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: ${Buffer.byteLength(JSON.stringify(contact()))}\r\n\r\n` +
        Buffer.from(JSON.stringify(contact())).toString('latin1'),
    );
    expect(twice).to.match(/^HTTP\/1\.1 400 /);
    expect(await api().leads()).to.have.length(0);
  });

  it('may be empty or missing, and each post is stored', async () => {
    const ids = [idOf(await post('')), idOf(await post('')), idOf(await api().post('/api/contact', contact()))];

    expect(new Set(ids).size).to.equal(3);
    expect((await api().leads()).map(({ idempotency_key }) => idempotency_key)).to.deep.equal([null, null, null]);
    expect(await api().followUps()).to.have.length(6);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import { fakeProducer, publicForms, withTestApi, type TestResponse, type TestApi, type StoredLead } from './support.ts';

const isRequest = ({ msg }: Record<string, unknown>): boolean => msg === 'request';

/** Waits for the log line of a request. */
function lineOf(api: TestApi, requestId: unknown): Promise<Record<string, unknown>> {
  return until('the request is logged', () =>
    api.logLines().find((line) => isRequest(line) && line['requestId'] === requestId),
  );
}

describe('the log', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'site-'));
    for (const name of ['index.html', '404.html', 'careers.html', 'admin.html']) {
      await writeFile(join(directory, name), '<title>x</title>');
    }
    const routes = { 'admin.html': ['/admin', '/admin/leads', '/admin/leads/:id'] };
    await writeFile(join(directory, '.routes.json'), JSON.stringify(routes));
  });
  after(() => rm(directory, { recursive: true }));
  const api = withTestApi(() => ({
    siteDirectory: directory,
    staffEmail: 'team@studio.example',
    producer: fakeProducer(async () => {
      throw new Error('refused noura.secret@example.com');
    }),
  }));

  it('has one line for each request, with its id, method, status and time', async () => {
    const before = api().logLines().filter(isRequest).length;
    const response = await api().send({ path: '/api/form-token' });

    const line = await lineOf(api(), response.headers['x-request-id']);
    expect(line).to.deep.include({ level: 'info', method: 'GET', path: '/api/form-token', status: 200 });
    expect(line['milliseconds']).to.be.a('number').that.is.at.least(0);
    expect(line['time']).to.match(/^\d{4}-\d\d-\d\dT/);
    expect(line).to.not.have.property('leadId');
    expect(api().logLines().filter(isRequest)).to.have.length(before + 1);
  });

  it('has probes at debug level only', async () => {
    for (const [method, path, level] of [
      ['GET', '/healthz', 'debug'],
      // The queue is unavailable, which the check logs.
      ['GET', '/readyz', 'debug'],
      ['POST', '/healthz', 'info'],
    ] as const) {
      const { headers } = await api().send({ method, path });
      expect(await lineOf(api(), headers['x-request-id']), `${method} ${path}`).to.include({ level });
    }
  });

  for (const { form, path } of publicForms) {
    it(`has the id of the lead of a ${form.$id}`, async () => {
      const response = await api().post(path, validExample(form), { 'Idempotency-Key': `log-${form.$id}` });
      const again = await api().post(path, validExample(form), { 'Idempotency-Key': `log-${form.$id}` });

      const { id } = response.json() as StoredLead;
      for (const { headers } of [response, again]) {
        const line = await lineOf(api(), headers['x-request-id']);
        expect(line).to.deep.include({ method: 'POST', path, status: 201, leadId: id });
      }
    });
  }

  it('has the route of a refused request', async () => {
    for (const [status, body, headers] of [
      [400, '{', {}],
      [415, '{}', { 'Content-Type': 'text/plain' }],
      [422, '{}', {}],
      [403, '{}', { Origin: 'https://evil.example' }],
    ] as const) {
      const response = await api().post('/api/contact', body, headers);
      expect(await lineOf(api(), response.headers['x-request-id'])).to.include({ path: '/api/contact', status });
    }
  });

  it('has the page or the staff’s route, with its id but no other parameter', async () => {
    const id = '0198f3a2-7c1d-7e55-9b1a-3f2d5c6b7a80';
    for (const [path, status, logged] of [
      ['/', 200, '/'],
      ['/careers?q=zq9secret', 200, '/careers'],
      ['/Careers/', 308, '/careers'],
      ['/admin/leads', 200, '/admin/leads'],
      [`/admin/leads/${id}`, 200, `/admin/leads/${id}`],
      ['/admin/leads/zq9secret', 200, '/admin/leads/:id'],
      ['/admin/leads/zq9secret/', 308, '/admin/leads/:id'],
      ['/zq9secret', 404, undefined],
      [`/api/admin/leads/${id}`, 401, `/api/admin/leads/${id}`],
      ['/api/admin/leads/zq9secret@example.com', 401, '/api/admin/leads/:id'],
      ['/API/Admin/Leads/zq9secret', 401, '/api/admin/leads/:id'],
      [`/api/admin/follow-ups/${id}x/retry`, 401, '/api/admin/follow-ups/:id/retry'],
      ['/api/admin/queue/zq9secret', 401, '/api/admin/queue/{*rest}'],
      ['/api/admin/zq9secret', 401, undefined],
      ['/api/form-token', 200, '/api/form-token'],
    ] as const) {
      const response = await api().send({ path });
      const line = await lineOf(api(), response.headers['x-request-id']);
      expect([line['path'], line['status']], path).to.deep.equal([logged, status]);
    }
  });

  it('never has a visitor’s input, wherever it was sent', async () => {
    const secret = 'zq9secret';
    const typed = {
      ...validExample(contactForm),
      firstName: `${secret}First`,
      lastName: `${secret}Last`,
      email: `${secret}@example.com`,
      message: `${secret} is my message to you.`,
    };
    const anyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
    const ids: unknown[] = [];
    const note = ({ headers }: TestResponse): void => void ids.push(headers['x-request-id']);

    note(await api().post('/api/contact', typed));
    note(await api().post('/api/contact', { ...typed, service: secret }));
    note(await api().post('/api/contact', { ...typed, message: `${secret}\u0000` }));
    note(await api().post('/api/contact', `{"${secret}`));
    note(await api().post(`/api/contact?email=${secret}`, typed));
    note(await api().post('/api/contact', typed, { 'Idempotency-Key': secret }));
    note(await api().post('/api/contact', { ...typed, lastName: 'x' }, { 'Idempotency-Key': secret }));
    note(await api().post('/api/contact', typed, { 'Idempotency-Key': `${secret} x` }));
    note(await api().post('/api/contact', typed, { 'X-Forwarded-For': secret, 'User-Agent': secret, Referer: secret }));
    for (const path of [
      `/${secret}`,
      `/?${secret}`,
      `/api/${secret}`,
      `/api/contact/${secret}@example.com`,
      `/%${secret}`,
      `/admin/leads/${secret}@example.com`,
      `/api/admin/leads/${secret}@example.com`,
      `/api/admin/leads/${secret}/release`,
      `/api/admin/queue/${secret}`,
    ]) {
      for (const method of anyMethod) {
        note(await api().send({ method, path }));
        note(await api().send({ method, path, headers: { Origin: `https://${secret}.example` } }));
      }
    }
    await Promise.all(ids.map((id) => lineOf(api(), id)));

    const everything = JSON.stringify(api().logLines());
    expect(everything).to.not.include(secret);
    expect(everything).to.not.match(/noura|example\.com|127\.0\.0\.1/);
  });
});

describe('the log while the database is unavailable', () => {
  let port = 0;
  before(async () => {
    port = await freePort(0, '127.0.0.1');
  });
  const api = withTestApi(() => ({ databaseUrl: `postgres://studio:zq9password@127.0.0.1:${port}/none` }));

  it('has the error with the request id, without the password or the visitor’s input', async () => {
    const response = await api().post('/api/contact', validExample(contactForm));

    const requestId = response.headers['x-request-id'];
    expect(await lineOf(api(), requestId)).to.include({ status: 503, path: '/api/contact' });
    const failure = api()
      .logLines()
      .find((line) => line['msg'] === 'request failed' && line['requestId'] === requestId);
    expect(failure).to.include({ level: 'error' });
    expect(JSON.stringify(failure)).to.include('ECONNREFUSED');
    expect(JSON.stringify(api().logLines())).to.not.match(/zq9password|noura|Noura|oud perfumes/);
  });
});

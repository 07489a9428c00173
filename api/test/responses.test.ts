import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { validExample } from '@dune-tide/domain/test/examples';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import {
  publicForms,
  publicPaths,
  withTestApi,
  type TestResponse,
  type ProblemBody,
  type TestRequest,
} from './support.ts';

const contact = (): Record<string, unknown> => validExample(contactForm);
const portfolio = (): Record<string, unknown> => validExample(portfolioRequestForm);
const json = { 'Content-Type': 'application/json' };

/** Checks that a response is a problem with this status. */
function expectProblem(response: TestResponse, status: number): ProblemBody {
  expect(response.status, response.text).to.equal(status);
  expect(response.headers['content-type']).to.match(/^application\/problem\+json(;|$)/);
  const problem = response.json() as ProblemBody;
  expect(problem.status).to.equal(status);
  expect(problem.title).to.match(/\w/);
  expect(problem).to.have.any.keys('type');
  return problem;
}

/** A contact message whose body has this many bytes. */
function contactOf(bytes: number): string {
  const bare = JSON.stringify({ ...contact(), filler: '' });
  return JSON.stringify({ ...contact(), filler: 'x'.repeat(bytes - Buffer.byteLength(bare)) });
}

/** The limit of docs/PRODUCT.md, "Problems". */
const maxBodyBytes = 64 * 1024;

describe('API responses', () => {
  const api = withTestApi();
  afterEach(() => api().clear());

  it('name each invalid field with its message: 422', async () => {
    const problem = expectProblem(await api().post('/api/contact', { email: 'noura', service: 'fax' }), 422);

    expect(problem.errors).to.deep.equal([
      { field: 'firstName', message: 'First name is required' },
      { field: 'lastName', message: 'Last name is required' },
      { field: 'email', message: 'Invalid email address' },
      { field: 'service', message: 'Please select a service' },
      { field: 'message', message: 'Message must be at least 10 characters' },
    ]);
    expect(await api().leads()).to.have.length(0);
  });

  describe('to a valid body that looks malicious', () => {
    it('accept text that mentions forbidden keys', async () => {
      const message = 'What do "__proto__": 1 and {"constructor": {"prototype": 1}} do?';

      expect((await api().post('/api/contact', { ...contact(), message })).status).to.equal(201);
      expect((await api().leads())[0]?.answers['message']).to.equal(message);
    });

    it('ignore a leading byte order mark', async () => {
      expect((await api().post('/api/contact', `\ufeff${JSON.stringify(contact())}`)).status).to.equal(201);
    });
  });

  it('store nothing of a body that ends before its Content-Length', async () => {
    const body = JSON.stringify(contact());
    const head = `POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

    await new Promise<void>((resolve) => {
      const socket = connect(api().port, '127.0.0.1', () => {
        socket.end(`${head}Content-Length: ${Buffer.byteLength(body) + 10}\r\n\r\n${body}`);
      });
      socket.resume();
      socket.once('close', () => resolve());
    });

    expect((await api().post('/api/contact', contact())).status).to.equal(201);
    expect(await api().leads()).to.have.length(1);
  });

  describe('to a body that is not JSON: 415', () => {
    it('rejects a missing body', async () => {
      expectProblem(
        await api().send({ method: 'POST', path: '/api/contact', headers: { 'Content-Length': '0' } }),
        415,
      );
    });

    it('accepts JSON with a charset and with the identity encoding', async () => {
      const types = ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
      for (const type of types) {
        const headers = { 'Content-Type': type, 'Content-Encoding': 'Identity' };
        expect((await api().post('/api/contact', contact(), headers)).status).to.equal(201);
      }
    });
  });

  describe('to a body that is too long: 413', () => {
    const send = (bytes: number, isChunked: boolean): Promise<TestResponse> =>
      api().send({
        method: 'POST',
        path: '/api/contact',
        headers: { ...json, Connection: 'keep-alive' },
        body: contactOf(bytes),
        isChunked,
      });

    for (const isChunked of [false, true]) {
      const how = isChunked ? 'chunked' : 'with Content-Length';

      it(`rejects one byte more than 64 KiB on each of ten tries, ${how}`, async () => {
        for (let tries = 0; tries < 10; tries++) {
          const response = await send(maxBodyBytes + 1, isChunked);
          expectProblem(response, 413);
          // Otherwise the server would read the rest of the body, however long it is.
          expect(response.headers).to.include({ connection: 'close' });
        }
      });

      it(`accepts exactly 64 KiB, ${how}`, async () => {
        expect((await send(maxBodyBytes, isChunked)).status).to.equal(201);
      });
    }
  });

  describe('to requests from other sites: 403', () => {
    const post = (headers: Record<string, string>): Promise<TestResponse> =>
      api().post('/api/contact', contact(), headers);

    const foreign: readonly Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'http://studio.example.evil.example' },
      { Origin: 'http://studio.example:8081' },
      { Origin: 'https://studio.example' },
      { Origin: 'file://studio.example' },
      { Origin: 'ftp://studio.example' },
      { Origin: 'null' },
      { Origin: 'no address' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'http://studio.example', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ];
    for (const headers of foreign) {
      it(JSON.stringify(headers), async () => {
        expectProblem(await post(headers), 403);
        expect(await api().leads()).to.have.length(0);
      });
    }

    it('accepts requests of the site itself and of clients other than browsers', async () => {
      const own: readonly Record<string, string>[] = [
        {},
        { Origin: 'http://studio.example' },
        { Origin: `http://127.0.0.1:${api().port}` },
        { Origin: 'http://studio.example', 'Sec-Fetch-Site': 'same-origin' },
        { 'Sec-Fetch-Site': 'none' },
      ];
      for (const headers of own) expect((await post(headers)).status, JSON.stringify(headers)).to.equal(201);
    });
  });

  describe('to unknown paths and methods', () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/contact/1', '/api/contacts', '/API/nothing']) {
      it(`${path} is 404 with every method`, async () => {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
          const response = await api().send({ method, path, headers: json, body: method === 'GET' ? undefined : '{}' });
          expectProblem(response, 404);
          expect(response.headers['cache-control']).to.equal('no-store');
        }
        expect((await api().send({ method: 'HEAD', path })).status).to.equal(404);
      });
    }

    for (const path of publicPaths) {
      it(`${path} is 405 with methods other than POST`, async () => {
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
          const response = await api().send({ method, path });
          expectProblem(response, 405);
          expect(response.headers.allow).to.equal('POST');
        }
        const head = await api().send({ method: 'HEAD', path });
        expect(head.status).to.equal(405);
        expect(head.text).to.equal('');
      });
    }

    it('OPTIONS lists the methods without CORS headers', async () => {
      const response = await api().send({
        method: 'OPTIONS',
        path: '/api/contact',
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
      });

      expect(response.status).to.equal(200);
      expect(response.headers.allow).to.equal('POST');
    });
  });

  describe('of every status', () => {
    const requests: readonly (readonly [status: number, request: TestRequest])[] = [
      [201, { method: 'POST', path: '/api/contact', headers: json, body: JSON.stringify(contact()) }],
      [400, { method: 'POST', path: '/api/contact', headers: json, body: '{' }],
      [403, { method: 'POST', path: '/api/contact', headers: { Origin: 'https://evil.example' } }],
      [404, { path: '/api/nothing' }],
      [405, { path: '/api/contact' }],
      [413, { method: 'POST', path: '/api/contact', headers: json, body: contactOf(maxBodyBytes + 1) }],
      [415, { method: 'POST', path: '/api/contact', body: 'x' }],
      [422, { method: 'POST', path: '/api/contact', headers: json, body: '{}' }],
    ];
    for (const [status, request] of requests) {
      it(`${status}: are not cached and have a request id and security headers, but no CORS headers`, async () => {
        const response = await api().send({ ...request, headers: { ...request.headers } });

        expect(response.status).to.equal(status);
        expect(response.headers['cache-control']).to.equal('no-store');
        expect(response.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
        expect(response.headers['x-content-type-options']).to.equal('nosniff');
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
        expect(response.headers).to.not.have.any.keys('set-cookie', 'x-powered-by', 'server');
      });
    }

    it('never contain the visitor’s input, a stack trace or SQL', async () => {
      const marker = 'Zq9Marker';
      const planted = Object.fromEntries(Object.keys(contact()).map((field) => [field, `${marker}\u0007${field}`]));
      const responses = [
        await api().post('/api/contact', planted),
        await api().post('/api/contact', { ...contact(), message: `${marker} \u0000 of the message` }),
        await api().post('/api/contact', `{"${marker}": `),
        await api().post('/api/contact', `{"${marker}": {"__proto__": 1}}`),
        await api().post('/api/contact', contact(), { 'Content-Type': `text/${marker}` }),
        await api().post('/api/contact', contact(), { 'Content-Encoding': marker }),
        await api().post('/api/contact', contact(), { 'Idempotency-Key': `${marker} ${marker}` }),
        await api().post('/api/contact', contact(), { Origin: `https://${marker}.example` }),
        await api().post(`/api/${marker}`, contact()),
        await api().send({ method: 'DELETE', path: `/api/contact?${marker}` }),
      ];

      for (const response of responses) {
        expect(response.status).to.be.within(400, 499);
        expect(response.text).to.not.match(/Zq9Marker/i);
        expect(response.text).to.not.match(/\bat \S+ \(|node_modules|\.[jt]s:|insert into|constraint|postgres/i);
        expect(JSON.stringify(response.headers)).to.not.match(/Zq9Marker/i);
      }
    });
  });
});

describe('the limit on submissions', () => {
  const expectLimited = (response: TestResponse): void => {
    expectProblem(response, 429);
    expect(Number(response.headers['retry-after'])).to.be.within(590, 600);
  };

  describe('for one address', () => {
    const api = withTestApi({ publicPostLimit: 10 });
    const post = (path: string, from: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
      api().send({ method: 'POST', path, from, headers: { ...json, ...headers }, body: '{}' });

    it('refuses the eleventh submission of a form, with Retry-After', async () => {
      for (let count = 0; count < 10; count++) expect((await post('/api/contact', '127.0.1.1')).status).to.equal(422);
      expectLimited(await post('/api/contact', '127.0.1.1'));
    });

    it('counts each form and each address separately', async () => {
      for (let count = 0; count < 11; count++) await post('/api/careers', '127.0.1.2');

      expectLimited(await post('/api/careers', '127.0.1.2'));
      for (const path of publicPaths.filter((other) => other !== '/api/careers')) {
        expect((await post(path, '127.0.1.2')).status).to.equal(422);
      }
      expect((await post('/api/careers', '127.0.1.3')).status).to.equal(422);
    });

    it('counts the three inquiry forms together', async () => {
      const inquiries = publicForms.filter(({ path }) => path === '/api/service-inquiry');
      for (let count = 0; count < 10; count++) {
        const body = JSON.stringify(validExample(inquiries[count % 3]?.form ?? contactForm));
        await api().send({ method: 'POST', path: '/api/service-inquiry', from: '127.0.1.4', headers: json, body });
      }
      expectLimited(await post('/api/service-inquiry', '127.0.1.4'));
    });

    it('ignores X-Forwarded-For unless it comes from a trusted proxy', async () => {
      for (let count = 0; count < 10; count++) {
        await post('/api/contact', '127.0.1.5', { 'X-Forwarded-For': `203.0.113.${count}` });
      }
      expectLimited(await post('/api/contact', '127.0.1.5', { 'X-Forwarded-For': '203.0.113.99' }));
    });

    it('stores nothing of a refused submission', async () => {
      for (let count = 0; count < 10; count++) await post('/api/portfolio-lead', '127.0.1.6');
      await api().clear();
      const body = JSON.stringify(portfolio());
      expectLimited(
        await api().send({ method: 'POST', path: '/api/portfolio-lead', from: '127.0.1.6', headers: json, body }),
      );
      expect(await api().leads()).to.have.length(0);
    });
  });

  describe('behind a trusted proxy', () => {
    const api = withTestApi({ publicPostLimit: 2, trustedProxies: '127.0.0.1, 10.0.0.0/8' });
    const post = (path: string, forwardedFor: string): Promise<TestResponse> =>
      api().post(path, {}, { 'X-Forwarded-For': forwardedFor });

    it('counts by the address that the proxy adds', async () => {
      for (let count = 0; count < 2; count++) await post('/api/contact', '203.0.113.1');

      expectLimited(await post('/api/contact', '203.0.113.1:50001'));
      expectLimited(await post('/api/contact', '198.51.100.7, 203.0.113.1'));
      expectLimited(await post('/api/contact', '198.51.100.7, 203.0.113.1, 10.1.2.3'));
      expect((await post('/api/contact', '203.0.113.2')).status).to.equal(422);
    });

    it('counts an IPv6 address by its /64 network', async () => {
      await post('/api/careers', '2001:db8:1:2::1');
      await post('/api/careers', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff');

      expectLimited(await post('/api/careers', '2001:db8:1:2:a:b:c:d'));
      expect((await post('/api/careers', '2001:db8:1:3::1')).status).to.equal(422);
      expect((await post('/api/careers', '2001:db8::2:0:0:1')).status).to.equal(422);
    });

    it('counts an IPv4-mapped IPv6 address as the IPv4 address', async () => {
      await post('/api/portfolio-lead', '203.0.113.9');
      await post('/api/portfolio-lead', '::ffff:203.0.113.9');

      expectLimited(await post('/api/portfolio-lead', '::FFFF:203.0.113.9'));
      expectLimited(await post('/api/portfolio-lead', '::ffff:cb00:7109'));
      expect((await post('/api/portfolio-lead', '::ffff:203.0.113.10')).status).to.equal(422);
      expect((await post('/api/portfolio-lead', '::ffff:cb00:710b')).status).to.equal(422);
    });

    it('counts each text that is not an address separately, however long it is', async () => {
      // These are longer than an index of the database accepts.
      const nameless = Array.from({ length: 12 }, (_, index) => `${index}${randomBytes(3_000).toString('hex')}`);
      const statusOf = async (forwardedFor: string): Promise<number> =>
        (await api().post('/api/contact', contact(), { 'X-Forwarded-For': forwardedFor })).status;
      for (const forwardedFor of nameless) expect(await statusOf(forwardedFor)).to.equal(201);
      const statuses: number[] = [];
      for (let times = 0; times < 9; times++) statuses.push(await statusOf('unknown'));
      expect(statuses).to.deep.equal([...Array.from({ length: 8 }, () => 201), 429]);
    });

    it('responds with 422 or 429 to any header value', async () => {
      for (const value of [
        '',
        ',',
        'unknown',
        '"',
        '::',
        ':::::::::',
        '999.1.1.1',
        'fe80::1%eth-0',
        `${'1,'.repeat(4000)}1`,
      ]) {
        expect((await post('/api/service-inquiry', value)).status, value.slice(0, 20)).to.be.oneOf([422, 429]);
      }
    });
  });

  describe('set to 0', () => {
    const api = withTestApi({ publicPostLimit: 0 });

    it('does not limit submissions', async () => {
      const responses = await Promise.all(Array.from({ length: 30 }, () => api().post('/api/contact', {})));

      expect(responses.map(({ status }) => status)).to.deep.equal(Array.from({ length: 30 }, () => 422));
    });
  });
});

describe('while the database is unavailable', () => {
  const expectUnavailable = (response: TestResponse): void => {
    const problem = expectProblem(response, 503);
    expect(Number(response.headers['retry-after'])).to.be.above(0);
    expect(response.headers['cache-control']).to.equal('no-store');
    expect(response.text).to.not.match(/postgres|sql|connect|noura|ECONNREFUSED|\bat /i);
    expect(problem).to.not.have.property('errors');
  };

  describe('because its port is closed', () => {
    let closedPort = 0;
    before(async () => {
      closedPort = await freePort(0, '127.0.0.1');
    });
    const api = withTestApi(() => ({ databaseUrl: `postgres://studio@127.0.0.1:${closedPort}/nothing` }));

    it('every form responds with 503 and Retry-After', async () => {
      for (const { form, path } of publicForms) expectUnavailable(await api().post(path, validExample(form)));
    });

    it('still validates a form', async () => {
      expectProblem(await api().post('/api/contact', {}), 422);
    });
  });

  describe('because it accepts connections but never responds', () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket));
    before((done) => void silent.listen(0, '127.0.0.1', done));
    after((done) => {
      for (const socket of sockets) socket.destroy();
      silent.close(done);
    });
    const api = withTestApi(() => {
      const { port } = silent.address() as AddressInfo;
      return { databaseUrl: `postgres://studio@127.0.0.1:${port}/nothing`, poolSize: 2 };
    });

    it('every visitor gets 503 within five seconds, even while waiting for a connection', async () => {
      // The first response of a new process is slow, so it is not measured.
      expectProblem(await api().post('/api/contact', {}), 422);
      const started = performance.now();
      const responses = await Promise.all(
        [...publicForms, ...publicForms].map(({ form, path }) => api().post(path, validExample(form))),
      );
      expect(performance.now() - started).to.be.below(5000);
      for (const response of responses) expectUnavailable(response);
    });
  });

  describe('because its statement cannot finish', () => {
    // On a busy machine, the limits of the product could end the statement before the test does.
    const patient = { connect: 20_000, query: 20_000, statement: 20_000, lock: 20_000 };
    const api = withTestApi({ poolSize: 2, timeLimits: patient });
    const hurried = withTestApi({ poolSize: 2, timeLimits: { query: 500 } });
    const key = { 'Idempotency-Key': 'one-form' };
    afterEach(() => api().clear());

    it('responds with 503 when the connection is terminated, and stores a retry once', async () => {
      let response: Promise<TestResponse> | undefined;
      await api().database.transaction(async (transaction) => {
        await transaction.raw('lock table follow_ups in access exclusive mode');
        response = api().post('/api/contact', contact(), key);
        await until('the statement waits and is terminated', async () => {
          // Not in the transaction, which would read pg_stat_activity only once.
          const { rowCount } = await api().database.raw<{ rowCount: number }>(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
          );
          return rowCount > 0;
        });
        expectUnavailable(await response);
      });

      expect(await api().leads()).to.have.length(0);
      expect((await api().post('/api/contact', contact(), key)).status).to.equal(201);
      expect(await api().leads()).to.have.length(1);
      expect(await api().followUps()).to.have.length(1);
    });

    it('responds with 503 when the backend hangs, and stores a retry on another connection once', async () => {
      const send = () => hurried().post('/api/contact', contact(), key);
      await hurried().post('/api/contact', contact());
      const { rows } = await hurried().database.raw<{ rows: { pid: number }[] }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'api'`,
      );
      for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
      try {
        expect(rows).to.have.length(1);
        expectUnavailable(await send());
        await until('another connection has stored it', async () => (await send()).status === 201);
      } finally {
        for (const { pid } of rows) process.kill(pid, 'SIGCONT');
      }

      expect((await send()).status).to.equal(201);
      const keyed = (await hurried().leads()).filter(({ idempotency_key }) => idempotency_key === 'one-form');
      expect(keyed).to.have.length(1);
    });
  });
});

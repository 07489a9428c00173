import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { honeypotField } from '@dune-tide/domain/spam';
import { expect } from 'chai';
import { formPost } from '../src/api-client/submit-form.ts';
import {
  type Call,
  isRequestFailure,
  mayBeDone,
  type RequestFailure,
  requestBaseQuery,
} from '../src/api-client/request.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('the request behaviour that all features share', () => {
  let server: Server;
  let origin: string;
  let received: Received[];
  let respond: (response: ServerResponse) => void;

  beforeEach(async () => {
    received = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        respond(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    respond = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function send(call: Call, { timeout = 5000, signal = new AbortController().signal } = {}) {
    // The transport uses only the signal of RTK Query's context.
    const context = { signal } as Parameters<ReturnType<typeof requestBaseQuery>>[1];
    const { data, error } = await requestBaseQuery({ origin, timeout })(call, context, {});
    return error === undefined ? { data } : { error };
  }

  async function failure(call: Call, options?: Parameters<typeof send>[1]): Promise<RequestFailure> {
    const { error } = await send(call, options);
    if (!isRequestFailure(error)) throw new Error('the request was expected to fail');
    return error;
  }

  it('reads a URL', async () => {
    expect(await send({ url: '/api/admin/recipes/7' })).to.deep.equal({ data: { ok: true } });
    expect(received[0]).to.include({ method: 'GET', url: '/api/admin/recipes/7', body: '' });
  });

  it('declares the body as JSON if there is one, and only then', async () => {
    await send({ method: 'POST', url: '/api/contact', body: { firstName: 'Zoë' } });
    await send({ method: 'DELETE', url: '/api/admin/recipes/7' });
    await send({ url: '/api/admin/stats' });
    expect(received.map(({ headers }) => headers['content-type'])).to.deep.equal([
      'application/json',
      undefined,
      undefined,
    ]);
    expect(received[0]?.body).to.equal('{"firstName":"Zoë"}');
  });

  it('sends the idempotency key of a form', async () => {
    await send({ method: 'POST', url: '/api/contact', body: {}, idempotencyKey: 'a-key' });
    expect(received[0]?.headers['idempotency-key']).to.equal('a-key');
  });

  it('sends a public form with its token and the value of the honeypot', async () => {
    const fields = { email: 'noura@example.com' };
    await send(formPost('/api/contact', fields, { idempotencyKey: 'a-key', formToken: 'a-token', honeypot: 'spam' }));
    await send(formPost('/api/contact', fields, { idempotencyKey: 'a-key', formToken: undefined, honeypot: '' }));
    expect(received.map(({ headers }) => headers['form-token'])).to.deep.equal(['a-token', undefined]);
    expect(received.map(({ headers }) => headers['idempotency-key'])).to.deep.equal(['a-key', 'a-key']);
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).to.deep.equal([
      { ...fields, [honeypotField]: 'spam' },
      fields,
    ]);
  });

  it('sends the version that a change applies to', async () => {
    await send({ method: 'PATCH', url: '/api/admin/recipes/7', body: {}, version: 3 });
    await send({ method: 'PATCH', url: '/api/admin/recipes/7', body: {} });
    expect(received.map(({ headers }) => headers['if-match'])).to.deep.equal(['"3"', undefined]);
  });

  it('fails with the status and the text of the body', async () => {
    respond = (response) => response.writeHead(503).end('database away');
    expect(await failure({ url: '/api/admin/stats' })).to.deep.equal({
      code: 'refused',
      status: 503,
      message: '503: database away',
      fieldErrors: [],
    });
  });

  it('fails with the status text if the body is empty', async () => {
    respond = (response) => response.writeHead(404, 'Not Found').end();
    expect((await failure({ url: '/api/x' })).message).to.equal('404: Not Found');
  });

  it('treats a 401 as an error', async () => {
    respond = (response) => response.writeHead(401).end('sign in');
    expect((await failure({ url: '/api/admin/stats' })).message).to.equal('401: sign in');
  });

  it('returns the broken rules of a 422', async () => {
    const errors = [{ field: 'email', message: 'Invalid email address' }];
    respond = (response) =>
      response
        .writeHead(422, { 'Content-Type': 'application/problem+json' })
        .end(JSON.stringify({ title: 'x', errors: [...errors, { field: 1 }, null] }));
    expect((await failure({ method: 'POST', url: '/api/contact', body: {} })).fieldErrors).to.deep.equal(errors);
  });

  it('handles a 422 that is not JSON', async () => {
    respond = (response) => response.writeHead(422).end('<html>');
    const { fieldErrors, message } = await failure({ method: 'POST', url: '/api/contact', body: {} });
    expect({ fieldErrors, message }).to.deep.equal({ fieldErrors: [], message: '422: <html>' });
  });

  it('returns the headers of a response', async () => {
    respond = (response) => response.writeHead(200, { 'X-Total-Count': '1204' }).end('[]');
    const context = { signal: new AbortController().signal } as Parameters<ReturnType<typeof requestBaseQuery>>[1];
    const { meta } = await requestBaseQuery({ origin, timeout: 5000 })({ url: '/api/admin/careers' }, context, {});
    expect(meta?.headers.get('X-Total-Count')).to.equal('1204');
  });

  it('returns nothing for an empty response', async () => {
    respond = (response) => response.writeHead(204).end();
    expect(await send({ method: 'DELETE', url: '/api/admin/recipes/7' })).to.deep.equal({ data: null });
  });

  it('fails if a successful response is not JSON', async () => {
    respond = (response) => response.writeHead(200).end('<!doctype html>');
    expect(await failure({ url: '/api/admin/stats' })).to.include({ code: 'unreadable', status: 200 });
  });

  it('fails if the connection breaks', async () => {
    respond = (response) => response.destroy();
    expect((await failure({ url: '/api/admin/stats' })).code).to.equal('unreachable');
  });

  it('fails after its time limit', async () => {
    respond = () => {};
    expect((await failure({ url: '/api/admin/stats' }, { timeout: 50 })).code).to.equal('timeout');
  });

  it('fails if the body stops halfway', async () => {
    respond = (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{');
    };
    expect((await failure({ url: '/api/admin/stats' }, { timeout: 100 })).code).to.equal('timeout');
  });

  it('aborts with its caller', async () => {
    respond = () => {};
    const caller = new AbortController();
    const sent = failure({ url: '/api/admin/stats' }, { signal: caller.signal });
    caller.abort();
    expect((await sent).code).to.equal('unreachable');
  });

  it('reports each call without a session, and no other failure', async () => {
    let told = 0;
    const context = { signal: new AbortController().signal } as Parameters<ReturnType<typeof requestBaseQuery>>[1];
    const query = requestBaseQuery({ origin, timeout: 5000, onUnauthorized: () => void told++ });
    const calls: Call[] = [{ url: '/api/admin/stats' }, { method: 'POST', url: '/api/admin/team' }];
    for (const status of [200, 403, 500, 401]) {
      respond = (response) => response.writeHead(status).end();
      for (const call of calls) await query(call, context, {});
      expect(told, String(status)).to.equal(status === 401 ? 2 : 0);
    }
  });

  it('returns when to try again if the server states it in seconds', async () => {
    respond = (response) => response.writeHead(429, { 'Retry-After': '90' }).end();
    expect((await failure({ method: 'POST', url: '/api/admin/login' })).retryAfter).to.equal(90);
    respond = (response) => response.writeHead(503, { 'Retry-After': 'Sat, 21 Nov 2026 10:00:00 GMT' }).end();
    expect(await failure({ method: 'POST', url: '/api/admin/login' })).to.not.have.property('retryAfter');
  });
});

describe('a call that failed', () => {
  const refused = (status: number): RequestFailure => ({ code: 'refused', status, message: '', fieldErrors: [] });

  it('may have taken effect unless the server rejected it', () => {
    for (const status of [400, 401, 412, 422, 499]) expect(mayBeDone(refused(status)), `${status}`).to.equal(false);
    for (const status of [500, 503]) expect(mayBeDone(refused(status)), `${status}`).to.equal(true);
    for (const code of ['unreachable', 'timeout', 'unreadable'] as const) {
      expect(mayBeDone({ code, message: '', fieldErrors: [] }), code).to.equal(true);
    }
    expect(mayBeDone(undefined)).to.equal(true);
  });
});

import { connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { until } from '@dune-tide/testkit/until';
import { SettingsError } from '@dune-tide/platform/settings';
import { expect } from 'chai';
import Koa from 'koa';
import { listen, standardLimits, type HttpLimits } from '../src/http/server/server.ts';
import { deferred, withTestApi } from './support.ts';

const quick: HttpLimits = {
  headersTimeout: 300,
  requestTimeout: 600,
  connectionsCheckingInterval: 50,
  inactivity: 2_000,
  drain: 5_000,
  firstRequestTimeout: 250,
};
const body = JSON.stringify(validExample(contactForm));
const head = `POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<void>;
}

async function client(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, received: () => received, closed };
}

/** Writes one byte at a time until the connection ends. */
async function drip({ socket, closed }: Client, text: string): Promise<void> {
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  for (const character of text) {
    if (isClosed) return;
    socket.write(character);
    await pause(40);
  }
}

describe('the time limits of connections', () => {
  it('close a slow one within 20 s', () => {
    const { headersTimeout, requestTimeout, connectionsCheckingInterval } = standardLimits;
    expect(headersTimeout).to.equal(10_000);
    expect(requestTimeout).to.equal(15_000);
    expect(Math.max(headersTimeout, requestTimeout) + connectionsCheckingInterval).to.be.below(20_000);
  });

  it('close one that never reads within 20 s', () => {
    expect(2 * standardLimits.inactivity).to.be.below(20_000);
  });

  it('do not close one whose response takes longer', async () => {
    const [inactivity, handlingTime] = [50, 500];
    const koa = new Koa();
    koa.use(async (ctx) => {
      await pause(handlingTime);
      ctx.body = 'done';
    });
    const server = await listen(koa, '127.0.0.1', 0, { ...standardLimits, inactivity });
    try {
      const response = await fetch(`http://127.0.0.1:${server.port}/`);
      expect(await response.text()).to.equal('done');
    } finally {
      await server.close();
    }
  });

  describe('in use', () => {
    const api = withTestApi({ httpLimits: quick });

    const slow: readonly (readonly [name: string, sent: string, dripped: string])[] = [
      ['that sends nothing', '', ''],
      ['that stops in its headers', head, ''],
      ['that sends its headers byte by byte', head, `X-Slow: ${'x'.repeat(200)}`],
      ['that stops in its body', `${head}${length}\r\n${body.slice(0, 20)}`, ''],
      ['that sends its body byte by byte', `${head}${length}\r\n`, body],
      ['that stops in a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nab`, ''],
    ];
    for (const [name, sent, dripped] of slow) {
      it(`close one ${name}`, async () => {
        const started = performance.now();
        const slowOne = await client(api().port);
        slowOne.socket.write(sent);
        await Promise.all([slowOne.closed, drip(slowOne, dripped)]);

        expect(performance.now() - started).to.be.within(200, 3000);
        expect(slowOne.received()).to.not.match(/^HTTP\/1\.1 [25]/);
        expect(await api().leads()).to.have.length(0);
      });
    }

    // A hundred connections must fit into these limits on a busy machine.
    const others = withTestApi({ httpLimits: { ...quick, headersTimeout: 2_000, requestTimeout: 3_000 } });
    it('let other requests through while slow ones wait', async () => {
      const slowOnes = await Promise.all(Array.from({ length: 100 }, () => client(others().port)));
      for (const { socket } of slowOnes) socket.write(head);

      expect((await others().post('/api/contact', body)).status).to.equal(201);
      await Promise.all(slowOnes.map(({ closed }) => closed));
    });
  });
});

describe('a client that requests a large response', () => {
  const size = 32 * 1024 * 1024;

  /** Sends the request and does not read yet. */
  async function asked(inactivity: number) {
    let isServed = true;
    const koa = new Koa();
    koa.use((ctx) => {
      ctx.req.socket.once('close', () => (isServed = false));
      ctx.body = Buffer.alloc(size);
    });
    const server = await listen(koa, '127.0.0.1', 0, { ...standardLimits, inactivity, drain: 0 });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return { server, socket, isServed: () => isServed };
  }

  it('is disconnected if it never reads', async () => {
    const { server, socket, isServed } = await asked(250);
    try {
      await until('the connection is closed', () => !isServed());
    } finally {
      socket.destroy();
      await server.close();
    }
  });

  it('gets the whole response if it reads slowly', async () => {
    // On a busy machine the reader may pause, so the limit is long.
    const inactivity = 2_000;
    const { server, socket } = await asked(inactivity);
    const started = performance.now();
    let received = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.length;
      await pause(10);
    }
    await server.close();

    expect(received).to.be.above(size);
    expect(performance.now() - started).to.be.above(2 * inactivity);
  });
});

describe('pipelined requests', () => {
  const koa = new Koa();
  koa.use((ctx) => {
    ctx.body = ctx.path;
  });
  const pipelined = (count: number): string =>
    Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

  it('get their responses in order', async () => {
    const server = await listen(koa, '127.0.0.1', 0);
    const { socket, received } = await client(server.port);
    socket.write(pipelined(10));
    await until('all have a response', () => received().includes('/9'));
    expect([...received().matchAll(/\r\n\r\n(\/\d)/g)].map(([, path]) => path)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `/${index}`),
    );
    socket.destroy();
    await server.close();
  });

  it('close the connection if there are too many of them', async () => {
    let asked = 0;
    const never = new Koa();
    never.use(() => {
      asked++;
      return new Promise(() => undefined);
    });
    const server = await listen(never, '127.0.0.1', 0, { ...standardLimits, drain: 0 });
    const { socket, closed } = await client(server.port);
    socket.write(pipelined(1_500));
    await closed;
    expect(asked).to.be.within(2, 20);
    await server.close();
  });
});

describe('clients that disconnect', () => {
  const api = withTestApi();

  it('leave complete leads or none, and a working API', async () => {
    const request = `${head}${length}\r\n${body}`;
    const cuts = Array.from({ length: 60 }, (_, index) => Math.ceil((request.length * (index % 30)) / 29));
    await Promise.all(
      cuts.map(async (cut, index) => {
        const { socket, closed } = await client(api().port);
        socket.write(request.slice(0, cut), () => (index < 30 ? socket.resetAndDestroy() : socket.end()));
        await closed;
      }),
    );

    expect((await api().post('/api/contact', body)).status).to.equal(201);
    await until('every lead has its follow-up', async () => {
      const [leads, followUps] = [await api().leads(), await api().followUps()];
      return leads.length === followUps.length;
    });
    expect(
      api()
        .logLines()
        .filter(({ level }) => level === 'error' || level === 'fatal'),
    ).to.deep.equal([]);
  });
});

describe('a graceful shutdown', () => {
  /** Starts an app whose response waits for the test. */
  async function slowApp(limits: HttpLimits = standardLimits) {
    const release = deferred();
    let underWay = 0;
    const koa = new Koa();
    koa.use(async (ctx) => {
      underWay++;
      if (ctx.path === '/slow') await release.promise;
      ctx.body = 'done';
    });
    const server = await listen(koa, '127.0.0.1', 0, limits);
    return { server, release, underWay: () => underWay };
  }

  it('finishes the running request, closes its connection and refuses new ones', async () => {
    const { server, release, underWay } = await slowApp();
    const busy = await client(server.port);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the request is running', () => underWay() === 1);

    const closing = server.close();
    await until('new ones are refused', async () => {
      const late = connect(server.port, '127.0.0.1');
      const outcome = await new Promise<string | undefined>((resolve) => {
        late.once('connect', () => resolve('connected'));
        late.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
      });
      late.destroy();
      return outcome === 'ECONNREFUSED';
    });
    expect(busy.received()).to.equal('');

    release.resolve();
    await busy.closed;
    expect(busy.received()).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    expect(busy.received()).to.match(/\r\nConnection: close\r\n/i);
    expect(busy.received()).to.match(/done$/);
    await closing;
  });

  it('does not wait for idle connections, used or unused', async () => {
    const { server } = await slowApp();
    const idle = await client(server.port);
    idle.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('it has a response', () => idle.received().endsWith('done'));
    const fresh = await client(server.port);

    const started = performance.now();
    await server.close();
    expect(performance.now() - started).to.be.below(1500);
    await Promise.all([idle.closed, fresh.closed]);
  });

  it('handles the first request of a connection that was opened before', async () => {
    const { server } = await slowApp({ ...standardLimits, firstRequestTimeout: 5_000 });
    const late = await client(server.port);
    const closing = server.close();
    late.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await late.closed;
    expect(late.received()).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    expect(late.received()).to.match(/\r\nConnection: close\r\n/i);
    await closing;
  });

  it('handles connections in the backlog', async () => {
    const { server } = await slowApp();
    const responses = Array.from({ length: 20 }, async () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      return readAll(socket);
    });
    // The system has accepted the connections, but the server has not seen them yet.
    await new Promise((resolve) => process.nextTick(resolve));
    const closing = server.close();
    for (const response of await Promise.all(responses)) expect(response).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    await closing;
  });

  it('handles a request that has partly arrived, without a further delay', async () => {
    const { server } = await slowApp();
    const next = await client(server.port);
    next.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n');
    await until('the first has a response', () => next.received().endsWith('done'));

    const started = performance.now();
    const closing = server.close();
    next.socket.write('Host: x\r\n\r\n');
    await Promise.all([closing, next.closed]);
    expect(next.received().match(/HTTP\/1\.1 200 OK\r\n/g)).to.have.length(2);
    expect(performance.now() - started).to.be.below(1500);
  });

  it('waits no longer than its time limit', async () => {
    const { server, underWay } = await slowApp({ ...standardLimits, drain: 200 });
    const busy = await client(server.port);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the request is running', () => underWay() === 1);

    const started = performance.now();
    await server.close();
    await busy.closed;
    expect(performance.now() - started).to.be.within(150, 2000);
  });

  it('does not happen if the server cannot listen, and the error names the setting', async () => {
    const { server } = await slowApp();
    const refusal = (host: string) =>
      listen(new Koa(), host, server.port).then(
        () => expect.fail('It is listening'),
        (error: unknown) => error,
      );
    expect(await refusal('127.0.0.1'))
      .to.be.instanceOf(SettingsError)
      .with.property('message', `Port ${server.port} is already in use. Set PORT to a free port.`);
    // An address of TEST-NET-1 (RFC 5737), and a name that never resolves (RFC 6761).
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      expect(await refusal(host))
        .to.be.instanceOf(SettingsError)
        .with.property('message', `${host} is not an address of this machine. Change HOST.`);
    }
    await server.close();
  });
});

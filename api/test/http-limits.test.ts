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
  firstRequest: 250,
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

/** Writes a byte now and then until the connection ends. */
async function drip({ socket, closed }: Client, text: string): Promise<void> {
  let isClosed = false;
  void closed.then(() => (isClosed = true));
  for (const character of text) {
    if (isClosed) return;
    socket.write(character);
    await pause(40);
  }
}

describe('the limits on connections', () => {
  it('close a slow one within 20 s, and let no request take longer than its connection may', () => {
    const { headersTimeout, requestTimeout, connectionsCheckingInterval } = standardLimits;
    expect(headersTimeout).to.equal(10_000);
    expect(requestTimeout).to.equal(15_000);
    expect(Math.max(headersTimeout, requestTimeout) + connectionsCheckingInterval).to.be.below(20_000);
  });

  it('close one that never reads within 20 s, and none while the database may still answer', () => {
    expect(2 * standardLimits.inactivity).to.be.below(20_000);
    expect(standardLimits.inactivity).to.be.above(5_000);
  });

  describe('at work', () => {
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

    // Above what a hundred connections take on a busy machine.
    const others = withTestApi({ httpLimits: { ...quick, headersTimeout: 2_000, requestTimeout: 3_000 } });
    it('do not stand in the way of others', async () => {
      const slowOnes = await Promise.all(Array.from({ length: 100 }, () => client(others().port)));
      for (const { socket } of slowOnes) socket.write(head);

      expect((await others().post('/api/contact', body)).status).to.equal(201);
      await Promise.all(slowOnes.map(({ closed }) => closed));
    });
  });
});

describe('a visitor who asks for a large answer', () => {
  const size = 32 * 1024 * 1024;

  /** Asks, and reads nothing yet. */
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

  it('and never reads it is cut off', async () => {
    const { server, socket, isServed } = await asked(250);
    try {
      await until('the connection is closed', () => !isServed());
    } finally {
      socket.destroy();
      await server.close();
    }
  });

  it('and reads it slowly gets all of it', async () => {
    // Long enough for a busy machine, whose reader may rest unasked.
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

describe('requests that wait behind others of their connection', () => {
  const koa = new Koa();
  koa.use((ctx) => {
    ctx.body = ctx.path;
  });
  const pipelined = (count: number): string =>
    Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

  it('are answered in their order', async () => {
    const server = await listen(koa, '127.0.0.1', 0);
    const { socket, received } = await client(server.port);
    socket.write(pipelined(10));
    await until('all are answered', () => received().includes('/9'));
    expect([...received().matchAll(/\r\n\r\n(\/\d)/g)].map(([, path]) => path)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `/${index}`),
    );
    socket.destroy();
    await server.close();
  });

  it('end it when they are too many, since all their answers would be held in memory', async () => {
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

describe('visitors who hang up', () => {
  const api = withTestApi();

  it('in the middle of it leave whole leads or none, and the API as it was', async () => {
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
    await until('every lead has what it owes', async () => {
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

describe('a graceful stop', () => {
  /** An app that answers when the test lets it. */
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

  it('finishes the request under way, ends its connection and refuses new ones', async () => {
    const { server, release, underWay } = await slowApp();
    const busy = await client(server.port);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the request is under way', () => underWay() === 1);

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

  it('is quick with connections that are kept open for a next request, or for a first', async () => {
    const { server } = await slowApp();
    const idle = await client(server.port);
    idle.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('it is answered', () => idle.received().endsWith('done'));
    const fresh = await client(server.port);

    const started = performance.now();
    await server.close();
    expect(performance.now() - started).to.be.below(1500);
    await Promise.all([idle.closed, fresh.closed]);
  });

  it('answers the first request of a connection that was opened before', async () => {
    const { server } = await slowApp({ ...standardLimits, firstRequest: 5_000 });
    const late = await client(server.port);
    const closing = server.close();
    late.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await late.closed;
    expect(late.received()).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    expect(late.received()).to.match(/\r\nConnection: close\r\n/i);
    await closing;
  });

  it('answers those who wait to be let in', async () => {
    const { server } = await slowApp();
    const answers = Array.from({ length: 20 }, async () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      return readAll(socket);
    });
    // Connected by the system, and not yet seen by the server.
    await new Promise((resolve) => process.nextTick(resolve));
    const closing = server.close();
    for (const answer of await Promise.all(answers)) expect(answer).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    await closing;
  });

  it('answers a request that is on its way, and is quick then', async () => {
    const { server } = await slowApp();
    const next = await client(server.port);
    next.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n');
    await until('the first is answered', () => next.received().endsWith('done'));

    const started = performance.now();
    const closing = server.close();
    next.socket.write('Host: x\r\n\r\n');
    await Promise.all([closing, next.closed]);
    expect(next.received().match(/HTTP\/1\.1 200 OK\r\n/g)).to.have.length(2);
    expect(performance.now() - started).to.be.below(1500);
  });

  it('waits no longer than its limit', async () => {
    const { server, underWay } = await slowApp({ ...standardLimits, drain: 200 });
    const busy = await client(server.port);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the request is under way', () => underWay() === 1);

    const started = performance.now();
    await server.close();
    await busy.closed;
    expect(performance.now() - started).to.be.within(150, 2000);
  });

  it('names the setting of an address where it cannot listen', async () => {
    const { server } = await slowApp();
    const refusal = (host: string) =>
      listen(new Koa(), host, server.port).then(
        () => expect.fail('It listens'),
        (error: unknown) => error,
      );
    expect(await refusal('127.0.0.1'))
      .to.be.instanceOf(SettingsError)
      .with.property('message', `Port ${server.port} is already in use. Set PORT to a free port.`);
    // Of TEST-NET-1 (RFC 5737), and a name that never is one (RFC 6761).
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      expect(await refusal(host))
        .to.be.instanceOf(SettingsError)
        .with.property('message', `${host} is not an address of this machine. Change HOST.`);
    }
    await server.close();
  });
});

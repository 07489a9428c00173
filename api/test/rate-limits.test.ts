import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestProxy } from '@dune-tide/testkit/proxy';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import {
  LimitReached,
  openRateLimitStore,
  type RateLimiter,
  type RateLimitStore,
} from '../src/rate-limits/rate-limit-store.ts';
import { addStaff, testPassword } from './staff-support.ts';
import {
  startTestApi,
  withTestApi,
  type Answer,
  type TestApi,
  type TestApiOptions,
  type StoredLead,
} from './support.ts';

const limited = { publicPostLimit: 10, trustedProxies: '127.0.0.1' } as const satisfies TestApiOptions;

let addresses = 0;
/** Returns an address that the other tests do not use. */
const newAddress = (): string => `203.0.113.${++addresses}`;

/** Sends an empty form, which is counted but not stored. */
const submit = (api: TestApi, address: string, path = '/api/contact'): Promise<Answer> =>
  api.post(path, {}, { 'X-Forwarded-For': address });

const sendLead = (api: TestApi, address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  api.post('/api/contact', validExample(contactForm), { 'X-Forwarded-For': address, ...headers });

async function submitted(api: TestApi, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push((await submit(api, address)).status);
  return statuses;
}

const signInAs = (api: TestApi, username: string, password: string, address: string): Promise<Answer> =>
  api.post('/api/admin/login', { username, password }, { 'X-Forwarded-For': address });

/** @param window - the length in seconds of a window that has just started */
function expectRefused({ status, headers }: Answer, window: number): void {
  expect(status).to.equal(429);
  expect(Number(headers['retry-after'])).to.be.within(window - 10, window);
}

const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

describe('limits of two processes', () => {
  let database: TestDatabase;
  let first: TestApi;
  let second: TestApi;

  before(async () => {
    database = await createTestDatabase();
    [first, second] = await Promise.all([startTestApi(database, limited), startTestApi(database, limited)]);
  });
  after(async () => {
    await first.close();
    await second.close();
    await database.drop();
  });
  beforeEach(() => first.clear());

  it('count the submissions of an address on both processes', async () => {
    const address = newAddress();
    expect(await submitted(first, address, 5)).to.deep.equal(repeated(422, 5));
    expect(await submitted(second, address, 5)).to.deep.equal(repeated(422, 5));

    for (const api of [first, second]) {
      expectRefused(await submit(api, address), 600);
      expect((await submit(api, address, '/api/careers')).status).to.equal(422);
      expect((await submit(api, newAddress())).status).to.equal(422);
    }
  });

  it('count concurrent submissions to both processes', async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => submit(index % 2 === 0 ? first : second, address)),
    );
    expect(answers.filter(({ status }) => status === 422)).to.have.length(10);
  });

  it('store only the leads within the limit for concurrent requests of several addresses', async () => {
    const senders = [newAddress(), newAddress(), newAddress()];
    const answers = await Promise.all(
      Array.from({ length: 24 * 3 }, (_, index) => {
        const [address = ''] = senders.slice(index % 3);
        return sendLead(index % 2 === 0 ? first : second, address).then((answer) => ({ address, answer }));
      }),
    );
    for (const address of senders) {
      const own = answers.filter((one) => one.address === address).map(({ answer }) => answer);
      expect(own.filter(({ status }) => status === 201)).to.have.length(10);
      for (const refused of own.filter(({ status }) => status !== 201)) expectRefused(refused, 600);
    }
    const taken = answers.flatMap(({ answer }) => (answer.status === 201 ? [(answer.json() as StoredLead).id] : []));
    expect((await first.leads()).map(({ id }) => id)).to.have.members(taken);
    expect((await first.followUps()).map((row) => row.lead_id)).to.have.members(taken);
  });

  it('count leads, retries and invalid submissions together', async () => {
    const address = newAddress();
    for (const api of [first, second]) {
      expect((await sendLead(api, address)).status).to.equal(201);
      expect((await sendLead(api, address, { 'Idempotency-Key': 'again' })).status).to.equal(201);
      expect((await submit(api, address)).status).to.equal(422);
      expect((await api.post('/api/contact', '{', { 'X-Forwarded-For': address })).status).to.equal(400);
      expect((await sendLead(api, address, { 'Idempotency-Key': 'a key' })).status).to.equal(400);
    }
    for (const api of [first, second]) {
      // A retry gets the original response until the address is refused for another submission.
      expect((await sendLead(api, address, { 'Idempotency-Key': 'again' })).status).to.equal(201);
      expectRefused(await submit(api, address), 600);
      expectRefused(await sendLead(api, address), 600);
      expectRefused(await sendLead(api, address, { 'Idempotency-Key': 'again' }), 600);
    }
    expect(await first.leads()).to.have.length(3);
  });

  it('accept an address again after the window has ended', async () => {
    const address = newAddress();
    for (let count = 0; count < 10; count++) await sendLead(first, address);
    await first.database('rate_limits').update({ expire: Date.now() - 60_000 });
    expect((await sendLead(first, address)).status).to.equal(201);
    expect((await sendLead(second, address)).status).to.equal(201);
  });

  it('count failed sign-ins per name and address on both, and accept other addresses', async () => {
    const { username } = await addStaff(first);
    const address = newAddress();
    for (const api of [first, second, first, second, first]) {
      expect((await signInAs(api, username, 'not the password', address)).status).to.equal(401);
    }

    for (const api of [second, first]) {
      expectRefused(await signInAs(api, username, testPassword, address), 900);
      expect((await signInAs(api, username, testPassword, newAddress())).status).to.equal(200);
    }
  });

  it('start again on both processes after a success on one', async () => {
    const { username } = await addStaff(first);
    const address = newAddress();
    for (let round = 0; round < 2; round++) {
      for (let failure = 0; failure < 4; failure++) {
        expect((await signInAs(first, username, 'not the password', address)).status).to.equal(401);
      }
      expect((await signInAs(second, username, testPassword, address)).status).to.equal(200);
    }
  });
});

describe('the limits in the database', () => {
  const api = withTestApi(limited);
  const keys = () => api().database('rate_limits').select<{ key: string; points: number }[]>('key', 'points');

  it('are not queried again for a refused address', async () => {
    const address = newAddress();
    await submitted(api(), address, 20);
    for (let count = 0; count < 5; count++) expectRefused(await sendLead(api(), address), 600);
    expect(await keys()).to.deep.equal([{ key: `/api/contact:${address}`, points: 11 }]);
  });

  it('do not store usernames, which may be an email address or a password', async () => {
    await signInAs(api(), 'noura@example.com', 'not the password', newAddress());
    const stored = (await keys()).map(({ key }) => key);
    expect(stored.filter((key) => key.startsWith('sign-in-account:'))).to.have.length(1);
    expect(stored.join()).to.not.contain('noura');
  });
});

describe('a limiter', () => {
  let database: TestDatabase;
  let store: RateLimitStore;
  before(async () => {
    database = await createTestDatabase();
    store = openRateLimitStore(database.url, memoryLogger().logger, 20_000);
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  let limiters = 0;
  const newLimiter = () =>
    store.limiter({ name: `limiter-${++limiters}`, points: 2, windowSeconds: 60, detail: 'Later.' });
  const refusal = (limiter: RateLimiter) =>
    limiter.consume('a').then(
      () => undefined,
      (error: unknown) => error,
    );

  async function consumeAll(limiter: RateLimiter): Promise<void> {
    await limiter.consume('a');
    await limiter.consume('a');
    expect(await refusal(limiter)).to.be.instanceOf(LimitReached);
  }

  it('starts again after a reset', async () => {
    const limiter = newLimiter();
    await consumeAll(limiter);
    await limiter.reset('a');
    await consumeAll(limiter);
  });

  it('refunds points of the current window without moving its end', async () => {
    const limiter = newLimiter();
    const ends = () => database.database('rate_limits').where('key', limiter.quota('a').key).pluck('expire');
    await limiter.consume('a');
    const firstEnds = await ends();
    await limiter.refund('a');
    await consumeAll(limiter);
    expect(await ends()).to.deep.equal(firstEnds);
  });

  it('does not refund a point of another window', async () => {
    const limiter = newLimiter();
    await limiter.refund('a');
    await consumeAll(limiter);
    await database.database('rate_limits').update({ expire: Date.now() - 60_000 });
    await limiter.refund('a');
    await consumeAll(limiter);
    for (let times = 0; times < 5; times++) await limiter.refund('a');
    await consumeAll(limiter);
  });

  it('refuses for at least 1 ms, even if the window ends in the meantime', async () => {
    const limiter = newLimiter();
    await consumeAll(limiter);
    const row = () => held('rate_limits').where('key', limiter.quota('a').key);
    const held = await database.database.transaction();
    await row().forUpdate().select();
    const refused = refusal(limiter);
    const end = Date.now() + 1;
    await until('the window has ended', () => Date.now() > end);
    await row().update({ expire: end });
    await held.commit();
    expect(await refused).to.include({ milliseconds: 1 });
  });
});

/** Starts a server that accepts connections but never responds. */
async function silentServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the response above a limit', () => {
  it('has the remaining whole seconds in Retry-After, at least 1', () => {
    const told = [1, 1_000, 1_001].map((left) => new LimitReached('Later.', left).options.headers);
    expect(told).to.deep.equal([{ 'Retry-After': '1' }, { 'Retry-After': '1' }, { 'Retry-After': '2' }]);
  });
});

describe('the limits while their store is unavailable', () => {
  let silent: Awaited<ReturnType<typeof silentServer>>;
  let closedPort = 0;
  let database: TestDatabase;

  before(async () => {
    silent = await silentServer();
    closedPort = await freePort(0, '127.0.0.1');
    database = await createTestDatabase();
  });
  after(async () => {
    await database.drop();
    await silent.close();
  });

  const at = (port: number): string => `postgres://studio@127.0.0.1:${port}/nothing`;
  const absences: Readonly<Record<string, () => string>> = {
    'the port is closed': () => at(closedPort),
    'the server never responds': () => at(silent.port),
  };

  it('do not refund a point that was not counted', async () => {
    const store = openRateLimitStore(absences['the port is closed']?.() ?? '', memoryLogger().logger);
    const limiter = store.limiter({ name: 'once', points: 1, windowSeconds: 60, detail: 'Once is enough.' });
    await limiter.refund('a');
    await limiter.consume('a');
    expect(await limiter.consume('a').catch((error: unknown) => error)).to.be.instanceOf(LimitReached);
    await store.close();
  });

  for (const [absence, url] of Object.entries(absences)) {
    it(`apply per process without a delay, with one log line, if ${absence}`, async () => {
      const { logger, lines } = memoryLogger();
      const rateLimits = openRateLimitStore(url(), logger);
      const api = await startTestApi(database, { ...limited, rateLimits });
      try {
        const address = newAddress();
        const started = performance.now();
        expect(await submitted(api, address, 10)).to.deep.equal(repeated(422, 10));
        expectRefused(await submit(api, address), 600);
        expect((await submit(api, newAddress())).status).to.equal(422);
        // Without the circuit breaker, each of these requests would wait for seconds.
        expect(performance.now() - started).to.be.below(10_000);

        const { username } = await addStaff(api);
        for (let failure = 0; failure < 5; failure++) {
          expect((await signInAs(api, username, 'not the password', address)).status).to.equal(401);
        }
        expectRefused(await signInAs(api, username, testPassword, address), 900);
        expect((await signInAs(api, username, testPassword, newAddress())).status).to.equal(200);

        expect(lines().map(({ level, msg }) => ({ level, msg }))).to.deep.equal([
          { level: 'warn', msg: 'rate limits are counted per process' },
        ]);
      } finally {
        await api.close();
      }
    });
  }

  it('are shared again when the store is back, with a log line', async () => {
    const proxy = await startTestProxy(database.url);
    const { logger, lines } = memoryLogger();
    const open = () => openRateLimitStore(proxy.instead(database.url), logger, 20_000);
    const [first, second] = await Promise.all([
      startTestApi(database, { ...limited, rateLimits: open() }),
      startTestApi(database, { ...limited, rateLimits: open() }),
    ]);
    const said = () => lines().map(({ msg }) => String(msg));
    const both = async (): Promise<number[]> =>
      Promise.all([first, second].map(async (api) => (await submit(api, newAddress())).status));
    try {
      proxy.rules = { judge: () => 'drop' };
      expect(await both()).to.deep.equal([422, 422]);
      expect(said()).to.deep.equal(['rate limits are counted per process', 'rate limits are counted per process']);

      proxy.rules = {};
      await until('both count on the store again', async () => {
        await both();
        return said().filter((line) => line === 'rate limits are counted over all processes again').length === 2;
      });
      const address = newAddress();
      const statuses: number[] = [];
      for (let count = 0; count < 11; count++)
        statuses.push((await submit(count % 2 === 0 ? first : second, address)).status);
      expect(statuses).to.deep.equal([...repeated(422, 10), 429]);
    } finally {
      await first.close();
      await second.close();
      await proxy.close();
    }
  });
});

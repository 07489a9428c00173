import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestProxy, type TestProxy } from '@dune-tide/testkit/proxy';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { projectInquiryForm } from '@dune-tide/domain/forms/project-inquiry';
import { maxLength } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { idTokens } from '@dune-tide/platform/id-tokens';
import { expect } from 'chai';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import type { Quota } from '@dune-tide/db/rate-limits';
import {
  LimitReached,
  openRateLimitStore,
  type RateLimitStore,
  type TakenPoints,
} from '../src/rate-limits/rate-limit-store.ts';
import { signInLimits } from '../src/rate-limits/sign-in-limits.ts';
import { addStaff, sessionOf, signIn, testPassword } from './staff-support.ts';
import {
  startTestApi,
  withTestApi,
  type TestResponse,
  type TestApi,
  type TestApiOptions,
  type StoredLead,
} from './support.ts';

const limited = { publicPostLimit: 10, trustedProxies: '127.0.0.1' } as const satisfies TestApiOptions;

let addresses = 0;
/** Returns an address in a network that the other tests do not use. */
const newAddress = (): string => `203.0.${++addresses}.7`;

/** Sends an empty form, which is counted but not stored. */
const submit = (api: TestApi, address: string, path = '/api/contact'): Promise<TestResponse> =>
  api.post(path, {}, { 'X-Forwarded-For': address });

const sendLead = (
  api: TestApi,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  api.post('/api/contact', validExample(contactForm), { 'X-Forwarded-For': address, ...headers });

async function submitted(api: TestApi, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push((await submit(api, address)).status);
  return statuses;
}

const signInAs = (api: TestApi, username: string, password: string, address: string): Promise<TestResponse> =>
  api.post('/api/admin/login', { username, password }, { 'X-Forwarded-For': address });

/** @param window - the length in seconds of a window that has just started */
function expectRefused({ status, headers }: TestResponse, window: number): void {
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
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, index) => submit(index % 2 === 0 ? first : second, address)),
    );
    expect(responses.filter(({ status }) => status === 422)).to.have.length(10);
  });

  it('store only the leads within the limit for concurrent requests of several addresses', async () => {
    const senders = [newAddress(), newAddress(), newAddress()];
    const responses = await Promise.all(
      Array.from({ length: 24 * 3 }, (_, index) => {
        const [address = ''] = senders.slice(index % 3);
        return sendLead(index % 2 === 0 ? first : second, address).then((response) => ({ address, response }));
      }),
    );
    for (const address of senders) {
      const own = responses.filter((one) => one.address === address).map(({ response }) => response);
      expect(own.filter(({ status }) => status === 201)).to.have.length(10);
      for (const refused of own.filter(({ status }) => status !== 201)) expectRefused(refused, 600);
    }
    const taken = responses.flatMap(({ response }) =>
      response.status === 201 ? [(response.json() as StoredLead).id] : [],
    );
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
      expectRefused(await submit(api, address), 600);
      expectRefused(await sendLead(api, address), 600);
      expectRefused(await sendLead(api, address, { 'Idempotency-Key': 'another' }), 600);
      // A retry gets the original response, whatever else was refused.
      expect((await sendLead(api, address, { 'Idempotency-Key': 'again' })).status).to.equal(201);
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

describe('the limits of networks', () => {
  const api = withTestApi(limited);

  for (const [name, key, addressOf, limit] of [
    ['a /24 of IPv4', '198.51.100.0/24', (index: number) => `198.51.100.${index}`, 40],
    ['a /56 of IPv6', '2001:db8:a:100/56', (index: number) => `2001:db8:a:10${index}::1`, 20],
    ['a /48 of IPv6', '2001:db8:b/48', (index: number) => `2001:db8:b:${index * 100}::1`, 40],
  ] as const) {
    it(`store ${limit} leads of ${name} in 10 minutes, and count rejected submissions too`, async () => {
      expect((await submit(api(), addressOf(1))).status).to.equal(422);
      const counted = api()
        .database('rate_limits')
        .where({ key: `/api/contact:${key}` });
      expect(await counted.update({ points: limit - 1 })).to.equal(1);
      expect((await sendLead(api(), addressOf(2))).status).to.equal(201);
      expectRefused(await sendLead(api(), addressOf(3)), 600);
    });
  }

  it('do not count the refused submissions of one address against its network', async () => {
    const statuses = await submitted(api(), '198.51.102.1', 60);
    expect(statuses.filter((status) => status === 422)).to.have.length(10);
    expect((await submit(api(), '198.51.102.2')).status).to.equal(422);
  });
});

describe('the limit on retries of a stored lead', () => {
  const api = withTestApi(limited);

  it('is twice that of submissions', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let times = 0; times < 45; times++) {
      statuses.push((await sendLead(api(), address, { 'Idempotency-Key': 'one-lead' })).status);
    }
    expect(statuses).to.deep.equal([...repeated(201, 20), ...repeated(429, 25)]);
    expect(await api().leads()).to.have.length(1);
    const [counted] = await api()
      .database('rate_limits')
      .where('key', 'like', `%:${address}`)
      .pluck<number[]>('points');
    expect(counted, 'then refused without a query').to.be.below(35);
  });
});

describe('the storage budget of a day', () => {
  // So high that only the size is limited.
  const api = withTestApi({ ...limited, publicPostLimit: 1_000 });
  /** A lead of 60 KB. */
  const large = {
    ...validExample(projectInquiryForm),
    ...Object.fromEntries(
      Object.entries(projectInquiryForm.properties).flatMap(([field, rules]) =>
        'maxLength' in rules && rules.maxLength === maxLength.text ? [[field, 'د'.repeat(maxLength.text)]] : [],
      ),
    ),
  };
  const send = (address: string, body: unknown = large): Promise<TestResponse> =>
    api().post('/api/service-inquiry', body, { 'X-Forwarded-For': address });
  const storedBytes = async (): Promise<number> =>
    (await api().leads()).reduce((sum, { answers: fields }) => sum + Buffer.byteLength(JSON.stringify(fields)), 0);
  afterEach(() => api().clear());

  it('is 4 MiB for the large leads of one /48', async () => {
    const addressOf = (index: number) => `2001:db8:c:${(index * 256).toString(16)}::1`;
    expect((await send(addressOf(1))).status).to.equal(201);
    const counted = () => api().database('rate_limits').where({ key: 'storage:2001:db8:c/48' });
    const [size = 0] = await counted().pluck<number[]>('points');
    expect(await counted().update({ points: 4 * 1024 - size })).to.equal(1);
    expect([(await send(addressOf(2))).status, (await send(addressOf(3))).status]).to.deep.equal([201, 429]);
  });

  it('is 1 MiB for the large leads of one address, over all forms', async () => {
    const address = newAddress();
    let last = await send(address);
    expect(last.status).to.equal(201);
    for (let times = 0; times < 30 && last.status === 201; times++) last = await send(address);
    expect(last.status).to.equal(429);
    expect(Number(last.headers['retry-after'])).to.be.within(86_300, 86_400);
    expect(await storedBytes()).to.be.within(0.9 * 2 ** 20, 1.1 * 2 ** 20);
    const message = 'د'.repeat(maxLength.text);
    const longMessage = { ...validExample(contactForm), message };
    const sendLarge = (from: string) => api().post('/api/contact', longMessage, { 'X-Forwarded-For': from });
    expect((await sendLarge(address)).status).to.equal(429);
    expect((await sendLarge(newAddress())).status).to.equal(201);
    // A usual lead does not count against the budget.
    expect((await sendLead(api(), address)).status).to.equal(201);
  });
});

describe('the limits in the database', () => {
  const api = withTestApi(limited);
  const keys = () => api().database('rate_limits').select<{ key: string; points: number }[]>('key', 'points');

  it('are not queried again for a refused address', async () => {
    const address = newAddress();
    await submitted(api(), address, 20);
    for (let count = 0; count < 5; count++) expectRefused(await sendLead(api(), address), 600);
    const network = address.replace(/7$/, '0/24');
    expect(await keys()).to.have.deep.members([
      { key: `/api/contact:${address}`, points: 10 },
      { key: `/api/contact:${network}`, points: 10 },
    ]);
  });

  it('do not store usernames, which may be an email address or a password', async () => {
    await signInAs(api(), 'noura@example.com', 'not the password', newAddress());
    const stored = (await keys()).map(({ key }) => key);
    for (const name of ['account', 'username']) {
      expect(stored.filter((key) => key.startsWith(`sign-in-${name}:`))).to.have.length(1);
    }
    expect(stored.join()).to.not.contain('noura');
  });
});

describe('the store of the limits', () => {
  let database: TestDatabase;
  let store: RateLimitStore;
  before(async () => {
    database = await createTestDatabase();
    store = openRateLimitStore(database.appUrl, memoryLogger().logger, 20_000);
  });
  after(async () => {
    await store.close();
    await database.drop();
  });

  let keys = 0;
  const newQuota = (limit = 2): Quota => ({ key: `quota-${++keys}`, limit, milliseconds: 60_000 });
  const take = (...quotas: readonly Quota[]): Promise<TakenPoints> => store.take(quotas, 'Later.');
  const refusal = (...quotas: readonly Quota[]): Promise<unknown> =>
    take(...quotas).then(
      () => undefined,
      (error: unknown) => error,
    );
  const rowOf = ({ key }: Quota) => database.database('rate_limits').where({ key });
  const pointsOf = async (quota: Quota): Promise<number | undefined> =>
    (await rowOf(quota).first<{ points: number } | undefined>('points'))?.points;

  it('takes one point of each quota, and none if one of them is exhausted', async () => {
    const [narrow, wide] = [newQuota(2), newQuota(5)];
    await take(narrow, wide);
    await take(wide, narrow);
    const refused = await refusal(narrow, wide);
    expect(refused).to.be.instanceOf(LimitReached);
    expect((refused as LimitReached).exhausted.key).to.equal(narrow.key);
    expect([await pointsOf(narrow), await pointsOf(wide)]).to.deep.equal([2, 2]);
  });

  it('names the quota that stays exhausted for the longest time', async () => {
    const [short, long] = [newQuota(1), { ...newQuota(1), milliseconds: 900_000 }];
    await take(short, long);
    expect(await refusal(short, long)).to.have.nested.property('exhausted.key', long.key);
  });

  it('never gives concurrent attempts more points than there are, and counts no refused attempt', async () => {
    const [narrow, wide] = [newQuota(10), newQuota(100)];
    const refused = await Promise.all(Array.from({ length: 40 }, () => refusal(narrow, wide)));
    expect(refused.filter((error) => error === undefined)).to.have.length(10);
    expect(await pointsOf(wide)).to.equal(10);
  });

  it('returns points without moving the end of the window, and clears the points of a key', async () => {
    const [own, shared] = [newQuota(2), newQuota(5)];
    await take(own, shared);
    const [end] = await rowOf(own).pluck('expire');
    const taken = await take(own, shared);
    await taken.release([own.key]);
    expect([await pointsOf(own), await pointsOf(shared)]).to.deep.equal([0, 1]);
    expect(await rowOf(own).pluck('expire')).to.deep.equal([end]);
  });

  it('does not return a point of another window', async () => {
    const quota = newQuota(2);
    const earlier = await take(quota);
    await rowOf(quota).update({ expire: Date.now() - 60_000 });
    await earlier.release();
    await take(quota);
    await take(quota);
    expect(await refusal(quota)).to.be.instanceOf(LimitReached);
    for (let times = 0; times < 5; times++) await earlier.release();
    expect(await pointsOf(quota)).to.equal(0);
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
    const told = [1, 1_000, 1_001].map(
      (milliseconds) => new LimitReached('Later.', { key: 'a', milliseconds }).options.headers,
    );
    expect(told).to.deep.equal([{ 'Retry-After': '1' }, { 'Retry-After': '1' }, { 'Retry-After': '2' }]);
  });
});

describe('limits in an outage', () => {
  const sessionKeys = ['a key that signs the links of the emails'];
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

  function expectUnavailable({ status, headers }: TestResponse): void {
    expect(status).to.equal(503);
    expect(headers['retry-after']).to.equal('5');
  }

  for (const [absence, url] of Object.entries(absences)) {
    it(`refuse each sign-in with 503 after at most 2 s if ${absence}`, async () => {
      const api = await startTestApi(database, {
        ...limited,
        rateLimits: openRateLimitStore(url(), memoryLogger().logger),
      });
      try {
        const { username } = await addStaff(api);
        const started = performance.now();
        const address = newAddress();
        const responses = await Promise.all(
          Array.from({ length: 10 }, () => signInAs(api, username, testPassword, address)),
        );
        for (const response of responses) expectUnavailable(response);
        // A busy machine adds to the 2 s. One after another, ten attempts would take longer.
        expect(performance.now() - started).to.be.below(4_000);
      } finally {
        await api.close();
      }
    });

    it(`check no secret if ${absence}`, async () => {
      const store = openRateLimitStore(url(), memoryLogger().logger, 200);
      const tried = {
        networks: [{ key: newAddress(), factor: 1 }],
        foldedUsername: 'noura',
        knownDevice: undefined,
      } as const;
      try {
        const { logger } = memoryLogger();
        for (const secret of ['sign-in', 'own-password', 'second-factor'] as const) {
          let isChecked = false;
          const attempt = signInLimits({ rateLimits: store, database: database.database, logger }, secret).attempt(
            tried,
            async () => (isChecked = true),
          );
          expect(await attempt.catch((error: unknown) => error), secret).to.be.instanceOf(DatabaseUnavailableError);
          expect(isChecked, secret).to.equal(false);
        }
      } finally {
        await store.close();
      }
    });

    it(`let forms and the pages of links respond as usual if ${absence}`, async () => {
      const { logger, lines } = memoryLogger();
      const api = await startTestApi(database, {
        ...limited,
        sessionKeys,
        rateLimits: openRateLimitStore(url(), logger, 200),
      });
      try {
        const address = newAddress();
        expect((await sendLead(api, address)).status).to.equal(201);
        expect((await submit(api, address)).status).to.equal(422);
        const followUp = (await api.followUps()).find(({ kind }) => kind === 'acknowledgement');
        const path = `/unsubscribe/${idTokens(sessionKeys, 'unsubscribe-token').issue(followUp?.id ?? '')}`;
        expect((await api.send({ method: 'GET', path })).status).to.equal(200);
        expect((await api.send({ method: 'POST', path })).status).to.equal(200);
        expect(lines().map(({ level, msg }) => ({ level, msg }))).to.deep.equal(
          Array.from({ length: 3 }, () => ({ level: 'warn', msg: 'rate limit not counted' })),
        );
      } finally {
        await api.close();
      }
    });
  }

  for (const [outage, disturb] of Object.entries({
    'breaks connections': async (proxy: TestProxy, work: () => Promise<void>) => {
      proxy.rules = { judge: () => 'drop' };
      await work();
      proxy.rules = {};
    },
    'does not count in time': (_proxy: TestProxy, work: () => Promise<void>) =>
      database.database.transaction(async (holder) => {
        await holder.raw('lock table rate_limits in access exclusive mode');
        let isOver = false;
        const working = work().finally(() => (isOver = true));
        await until('each count is cancelled, as by its time limit', async () => {
          // Not in the transaction, which would read pg_stat_activity only once.
          await database.database.raw(
            `select pg_cancel_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'rate-limits' and wait_event_type = 'Lock'`,
          );
          return isOver;
        });
        await working;
      }),
  })) {
    it(`keep an account locked on two processes: the database ${outage}`, async () => {
      const proxy = await startTestProxy(database.appUrl);
      const open = () => openRateLimitStore(proxy.instead(database.appUrl), memoryLogger().logger, 20_000);
      const apis = await Promise.all([
        startTestApi(database, { ...limited, rateLimits: open() }),
        startTestApi(database, { ...limited, rateLimits: open() }),
      ]);
      const [first, second] = apis;
      try {
        const signedIn = await signIn(first);
        // Without the cookie of its device, whose failures are counted by another connection.
        const own = sessionOf(first, signedIn.account, signedIn.cookie.replace(/device-[^;]*/, ''));
        const { username } = await addStaff(first);
        const address = newAddress();
        for (const api of [first, second, first, second, first]) {
          expect((await signInAs(api, username, 'not the password', address)).status).to.equal(401);
        }
        await disturb(proxy, async () => {
          for (const api of apis) expectUnavailable(await signInAs(api, username, testPassword, address));
          const change = { currentPassword: testPassword, password: 'another horse, another battery' };
          expectUnavailable(await own.post('/account/password', change));
        });
        for (const api of apis) {
          expect((await signInAs(api, username, testPassword, address)).status).to.equal(429);
          expect((await signInAs(api, username, testPassword, newAddress())).status).to.equal(200);
        }
      } finally {
        for (const api of apis) await api.close();
        await proxy.close();
      }
    });
  }
});

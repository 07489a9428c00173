import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@dune-tide/e2e/support/database';
import { memoryLogger } from '@dune-tide/e2e/support/log';
import { startTestRedis, type TestRedis } from '@dune-tide/e2e/support/redis';
import { until } from '@dune-tide/e2e/support/until';
import { freePort } from '@dune-tide/local/ports';
import type { QueueSettings } from '@dune-tide/platform/queue';
import { expect } from 'chai';
import { openRateLimitStore } from '../src/http/rate-limit-store.ts';
import { addStaff, testPassword } from './staff-support.ts';
import { startTestApi, withTestApi, type Answer, type TestApi, type TestApiOptions } from './support.ts';

const limited = { publicPostLimit: 10, trustedProxies: '127.0.0.1' } as const satisfies TestApiOptions;

let addresses = 0;
/** A visitor that no other test knows. */
const newAddress = (): string => `203.0.113.${++addresses}`;

const submit = (api: TestApi, address: string, path = '/api/contact'): Promise<Answer> =>
  api.post(path, {}, { 'X-Forwarded-For': address });

async function submitted(api: TestApi, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push((await submit(api, address)).status);
  return statuses;
}

const signInAs = (api: TestApi, username: string, password: string, address: string): Promise<Answer> =>
  api.post('/api/admin/login', { username, password }, { 'X-Forwarded-For': address });

function expectRefused({ status, headers }: Answer, seconds: number): void {
  expect(status).to.equal(429);
  expect(Number(headers['retry-after'])).to.be.within(1, seconds);
}

const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

for (const store of ['PostgreSQL', 'Redis'] as const) {
  describe(`limits of two processes that share ${store}`, () => {
    let database: TestDatabase;
    let redis: TestRedis | undefined;
    let first: TestApi;
    let second: TestApi;

    before(async () => {
      database = await createTestDatabase();
      redis = store === 'Redis' ? await startTestRedis() : undefined;
      const options = { ...limited, ...(redis && { redisUrl: redis.url }) };
      [first, second] = await Promise.all([startTestApi(database, options), startTestApi(database, options)]);
    });
    after(async () => {
      await first.close();
      await second.close();
      await redis?.stop();
      await database.drop();
    });

    it('count the submissions of an address to both', async () => {
      const address = newAddress();
      expect(await submitted(first, address, 5)).to.deep.equal(repeated(422, 5));
      expect(await submitted(second, address, 5)).to.deep.equal(repeated(422, 5));

      for (const api of [first, second]) {
        expectRefused(await submit(api, address), 600);
        expect((await submit(api, address, '/api/careers')).status).to.equal(422);
        expect((await submit(api, newAddress())).status).to.equal(422);
      }
    });

    it('count submissions to both at once', async () => {
      const address = newAddress();
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) => submit(index % 2 === 0 ? first : second, address)),
      );
      expect(answers.filter(({ status }) => status === 422)).to.have.length(10);
    });

    it('count the failed sign-ins of a name and address to both, and let it in from elsewhere', async () => {
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

    it('begin anew on both after a success on one', async () => {
      const { username } = await addStaff(first);
      const address = newAddress();
      for (let round = 0; round < 2; round++) {
        for (let failure = 0; failure < 4; failure++) {
          expect((await signInAs(first, username, 'not the password', address)).status).to.equal(401);
        }
        expect((await signInAs(second, username, testPassword, address)).status).to.equal(200);
      }
    });

    it(`are kept there alone`, async () => {
      await submit(first, newAddress());
      const rows = await database.database('rate_limits').select('key');
      if (store === 'Redis') expect(rows).to.have.length(0);
      else expect(rows).to.have.length.above(0);
    });
  });
}

describe('the limits in the database', () => {
  const api = withTestApi(limited);
  const keys = () => api().database('rate_limits').select<{ key: string; points: number }[]>('key', 'points');

  it('are not asked again for an address that they refused', async () => {
    const address = newAddress();
    await submitted(api(), address, 20);
    expect(await keys()).to.deep.equal([{ key: `/api/contact:${address}`, points: 10 }]);
  });

  it('hold no username, which may be an e-mail address or a password', async () => {
    await signInAs(api(), 'noura@example.com', 'not the password', newAddress());
    const stored = (await keys()).map(({ key }) => key);
    expect(stored.filter((key) => key.startsWith('sign-in-account:'))).to.have.length(1);
    expect(stored.join()).to.not.contain('noura');
  });
});

/** Takes connections and says nothing. */
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

describe('the limits while their store is away', () => {
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

  const onPostgres = (port: number): QueueSettings => ({ databaseUrl: `postgres://nobody@127.0.0.1:${port}/nothing` });
  const onRedis = (port: number): QueueSettings => ({
    ...onPostgres(closedPort),
    redisUrl: `redis://127.0.0.1:${port}`,
  });
  const absences: Readonly<Record<string, () => QueueSettings>> = {
    'PostgreSQL, where nobody listens': () => onPostgres(closedPort),
    'PostgreSQL, which takes connections and says nothing': () => onPostgres(silent.port),
    'Redis, where nobody listens': () => onRedis(closedPort),
    'Redis, which takes connections and says nothing': () => onRedis(silent.port),
  };

  for (const [absence, settings] of Object.entries(absences)) {
    it(`hold in one process, quickly, and say so once: ${absence}`, async () => {
      const { logger, lines } = memoryLogger();
      const rateLimits = openRateLimitStore(settings(), logger);
      const api = await startTestApi(database, { ...limited, rateLimits });
      try {
        const address = newAddress();
        const started = performance.now();
        expect(await submitted(api, address, 10)).to.deep.equal(repeated(422, 10));
        expectRefused(await submit(api, address), 600);
        expect((await submit(api, newAddress())).status).to.equal(422);
        // Patient as the test is: unbridged, each of these would wait for seconds.
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

  it('are shared again when it is back, and say so', async () => {
    let redis = await startTestRedis();
    const { logger, lines } = memoryLogger();
    const open = () => openRateLimitStore({ ...onPostgres(closedPort), redisUrl: redis.url }, logger, 20_000);
    const [first, second] = await Promise.all([
      startTestApi(database, { ...limited, rateLimits: open() }),
      startTestApi(database, { ...limited, rateLimits: open() }),
    ]);
    const said = () => lines().map(({ msg }) => String(msg));
    const both = async (): Promise<number[]> =>
      Promise.all([first, second].map(async (api) => (await submit(api, newAddress())).status));
    try {
      await redis.kill();
      expect(await both()).to.deep.equal([422, 422]);
      expect(said()).to.deep.equal(['rate limits are counted per process', 'rate limits are counted per process']);

      redis = await startTestRedis(redis.port);
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
      await redis.stop();
    }
  });
});

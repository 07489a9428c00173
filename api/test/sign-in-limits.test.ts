import { createTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { knownDevices } from '../src/auth/known-devices.ts';
import type { Context } from '../src/http/context.ts';
import { addStaff, cookieOf, sessionOf, testPassword, watchedPasswords, type TestAccount } from './staff-support.ts';
import { deferred, fakeProducer, startTestApi, withTestApi, type TestResponse, type TestApi } from './support.ts';

const login = '/api/admin/login';
const behindProxy = { trustedProxies: '127.0.0.1', producer: fakeProducer(async () => undefined) };
const devicePattern =
  /^device-[\da-f]{12}=(\d{13}\.[\w-]{22}\.[\w-]{43}); path=\/; expires=([^;]+); samesite=strict; httponly$/;

interface Sender {
  readonly from: string;
  /** The Cookie header. */
  readonly cookie?: string;
}

const signInAs = (api: TestApi, username: string, password: string, { from, cookie }: Sender): Promise<TestResponse> =>
  api.post(
    login,
    { username, password },
    { 'X-Forwarded-For': from, ...(cookie === undefined ? {} : { Cookie: cookie }) },
  );

const rightly = (api: TestApi, { username }: TestAccount, sender: Sender): Promise<TestResponse> =>
  signInAs(api, username, testPassword, sender);

const wrongly = (api: TestApi, username: string, sender: Sender): Promise<TestResponse> =>
  signInAs(api, username, 'not the password', sender);

/** Returns name and value of the device cookie, without the other cookies that a sign-in sets. */
function deviceCookieOf(response: TestResponse): string {
  const cookie = cookieOf(response)
    .split('; ')
    .find((pair) => pair.startsWith('device-') || pair.startsWith('__Host-device-'));
  if (cookie === undefined) throw new Error('The response sets no device cookie');
  return cookie;
}

/** Ways in which an attacker spreads attempts over addresses. */
const spreads: Readonly<Record<string, (index: number) => string>> = {
  'one /48 of IPv6, five for each /64': (index) => `2001:db8:1:${Math.floor(index / 5).toString(16)}::${index}`,
  'many /48 of IPv6': (index) => `2001:db8:${(0x1000 + index).toString(16)}::1`,
  '20 addresses of one /24 of IPv4': (index) => `198.51.100.${1 + (index % 20)}`,
  'many networks of IPv4': (index) => `100.64.${index}.1`,
};

describe('40 guesses at one account', () => {
  const { passwords, compared } = watchedPasswords();
  const api = withTestApi({ ...behindProxy, passwords });

  for (const [spread, addressOf] of Object.entries(spreads)) {
    for (const kind of ['an account', 'an unknown username'] as const) {
      it(`from ${spread}, allow 20 checks for ${kind}`, async () => {
        const account = await addStaff(api());
        const username = kind === 'an account' ? account.username : `no-${account.username}`;
        const owner = {
          from: '192.0.2.1',
          cookie: deviceCookieOf(await rightly(api(), account, { from: '192.0.2.1' })),
        };
        compared.length = 0;
        for (let index = 0; index < 40; index++) {
          const { status, headers } = await wrongly(api(), username, { from: addressOf(index) });
          expect(status).to.equal(index < 20 ? 401 : 429);
          if (status === 429) expect(Number(headers['retry-after'])).to.be.within(1, 900);
        }
        expect(compared).to.have.length(20);
        // The owner signs in from another network with the known device.
        expect((await rightly(api(), account, { ...owner, from: '192.0.2.99' })).status).to.equal(200);
        const stranger = await signInAs(api(), username, testPassword, { from: '192.0.2.200' });
        expect(stranger.status, 'the right password from an unknown device').to.equal(429);
      });
    }
  }
});

describe('the limit on failed sign-ins of a network', () => {
  const api = withTestApi(behindProxy);
  /** Raises the failures that are counted for a network. */
  const countFailures = (network: string, points: number): Promise<number> =>
    api()
      .database('rate_limits')
      .where({ key: `sign-in-address:${network}` })
      .update({ points });

  for (const [network, limit, key, addressOf] of [
    ['/24 of IPv4', 200, '198.51.100.0/24', (index: number) => `198.51.100.${index}`],
    ['/64 of IPv6', 50, '2001:db8:2:1', (index: number) => `2001:db8:2:1::${index}`],
    ['/56 of IPv6', 100, '2001:db8:3:0/56', (index: number) => `2001:db8:3:${index.toString(16)}::1`],
    ['/48 of IPv6', 200, '2001:db8:4/48', (index: number) => `2001:db8:4:${(index * 256).toString(16)}::1`],
  ] as const) {
    it(`is ${limit} for a ${network} over all usernames`, async () => {
      const failAs = async (index: number): Promise<number> =>
        (await wrongly(api(), `${network} ${index}`, { from: addressOf(index) })).status;
      expect(await failAs(0)).to.equal(401);
      expect(await countFailures(key, limit - 1)).to.equal(1);
      expect([await failAs(1), await failAs(2)]).to.deep.equal([401, 429]);
    });
  }

  it('does not apply to a known device', async () => {
    const account = await addStaff(api());
    const cookie = deviceCookieOf(await rightly(api(), account, { from: '203.0.113.1' }));
    await wrongly(api(), 'a colleague', { from: '203.0.113.1' });
    await countFailures('203.0.113.1', 50);
    expect((await rightly(api(), account, { from: '203.0.113.1' })).status).to.equal(429);
    expect((await rightly(api(), account, { from: '203.0.113.1', cookie })).status).to.equal(200);
  });
});

describe('a known device', () => {
  const api = withTestApi(behindProxy);
  const known = async (account: TestAccount): Promise<string> =>
    deviceCookieOf(await rightly(api(), account, { from: '192.0.2.1' }));

  it('gets a cookie for 180 days that scripts and other sites cannot use, and keeps its id', async () => {
    const account = await addStaff(api());
    const response = await rightly(api(), account, { from: '192.0.2.1' });
    const line = (response.headers['set-cookie'] ?? []).find((each) => each.startsWith('device-')) ?? '';
    const [, value = '', expires = ''] = devicePattern.exec(line) ?? [];
    expect((Date.parse(expires) - Date.now()) / 86_400_000).to.be.within(179.9, 180);
    const again = deviceCookieOf(
      await rightly(api(), account, { from: '192.0.2.1', cookie: deviceCookieOf(response) }),
    );
    expect(again.split('.')[1]).to.equal(value.split('.')[1]);
  });

  it('gets no cookie for a wrong password', async () => {
    const { username } = await addStaff(api());
    const response = await wrongly(api(), username, { from: '192.0.2.2' });
    expect(response.headers).to.not.have.property('set-cookie');
  });

  it('stays known after its account got a new password', async () => {
    const account = await addStaff(api());
    const response = await rightly(api(), account, { from: '192.0.2.5' });
    const password = 'another horse, another staple';
    const changed = await sessionOf(api(), account, cookieOf(response)).post('/account/password', {
      currentPassword: testPassword,
      password,
    });
    expect(changed.status).to.equal(204);
    for (let index = 0; index < 20; index++) await wrongly(api(), account.username, { from: `203.0.${index}.5` });
    const from = '203.0.113.5';
    const cookie = deviceCookieOf(response);
    expect((await signInAs(api(), account.username, password, { from })).status).to.equal(429);
    expect((await signInAs(api(), account.username, password, { from, cookie })).status).to.equal(200);
  });

  it('has no access by its cookie alone', async () => {
    const account = await addStaff(api());
    const response = await rightly(api(), account, { from: '192.0.2.6' });
    expect((await sessionOf(api(), account, cookieOf(response)).get('/session')).status).to.equal(200);
    expect((await sessionOf(api(), account, deviceCookieOf(response)).get('/session')).status).to.equal(401);
  });

  it('has a separate limit of five failures', async () => {
    const account = await addStaff(api());
    const [cookie, other] = [await known(account), await known(account)];
    for (let failure = 0; failure < 5; failure++) {
      const sender = { from: `203.0.${failure}.1`, cookie };
      expect((await wrongly(api(), account.username, sender)).status).to.equal(401);
    }
    expect((await rightly(api(), account, { from: '203.0.9.1', cookie })).status).to.equal(429);
    expect((await rightly(api(), account, { from: '203.0.9.1', cookie: other })).status).to.equal(200);
    expect((await rightly(api(), account, { from: '203.0.9.1' })).status).to.equal(200);
  });

  it('is known for its own account only, and several members can share it', async () => {
    const [first, second] = [await addStaff(api()), await addStaff(api())];
    const cookies = [await known(first), await known(second)];
    for (const { username } of [first, second]) {
      for (let index = 0; index < 20; index++) await wrongly(api(), username, { from: `203.0.${index}.2` });
    }
    const cookie = cookies.join('; ');
    expect((await rightly(api(), first, { from: '203.0.113.2', cookie })).status).to.equal(200);
    expect((await rightly(api(), second, { from: '203.0.113.2', cookie })).status).to.equal(200);
    // A cookie with the name of one and the value of the other.
    const [name] = (cookies[0] ?? '').split('=');
    const swapped = `${name}=${(cookies[1] ?? '').split('=')[1]}`;
    expect((await rightly(api(), first, { from: '203.0.113.2', cookie: swapped })).status).to.equal(429);
  });

  it('is unknown with a changed or a malformed cookie', async () => {
    const account = await addStaff(api());
    const cookie = await known(account);
    const [name = '', value = ''] = cookie.split('=');
    const [issued = '', id = '', signature = ''] = value.split('.');
    for (let index = 0; index < 20; index++) await wrongly(api(), account.username, { from: `203.0.${index}.3` });
    for (const forged of [
      `${Number(issued) + 1}.${id}.${signature}`,
      `${issued}.${'A'.repeat(22)}.${signature}`,
      `${issued}.${id}.${'A'.repeat(43)}`,
      `${issued}.${id}`,
      '%',
    ]) {
      const response = await rightly(api(), account, { from: '203.0.113.3', cookie: `${name}=${forged}` });
      expect(response.status, forged).to.equal(429);
    }
    expect((await rightly(api(), account, { from: '203.0.113.3', cookie })).status).to.equal(200);
  });

  it('is unknown 180 days after its last sign-in', () => {
    let time = Date.parse('2026-11-25T12:00:00Z');
    const devices = knownDevices(['a key that only the tests know, for a while'], 'http://studio.example', () => time);
    const stored = new Map<string, string>();
    const cookies = {
      get: (name: string) => stored.get(name),
      set: (name: string, value: string) => void stored.set(name, value),
    };
    const ctx = { cookies } as unknown as Context;
    devices.remember(ctx, 'an account');
    const id = devices.find(ctx, 'an account');
    expect(id).to.match(/^[\w-]{22}$/);
    time += 180 * 86_400_000;
    expect(devices.find(ctx, 'an account')).to.equal(id);
    time += 1;
    expect(devices.find(ctx, 'an account')).to.equal(undefined);
  });

  it('stays known when keys rotate, and is bound to the host on https', async () => {
    const [first, second] = ['a key that signs cookies until today', 'a key that signs cookies from today'];
    const database = await createTestDatabase();
    const options = { ...behindProxy, publicUrl: 'https://studio.example' };
    const old = await startTestApi(database, { ...options, sessionKeys: [first] });
    const rotated = await startTestApi(database, { ...options, sessionKeys: [second, first] });
    const later = await startTestApi(database, { ...options, sessionKeys: [second] });
    try {
      const account = await addStaff(old);
      const response = await rightly(old, account, { from: '192.0.2.1' });
      const line = (response.headers['set-cookie'] ?? []).find((each) => each.startsWith('__Host-device-'));
      expect(line).to.match(/; path=\/; expires=[^;]+; samesite=strict; secure; httponly$/);
      for (let index = 0; index < 20; index++) await wrongly(old, account.username, { from: `203.0.${index}.4` });
      const cookie = deviceCookieOf(response);
      expect((await rightly(later, account, { from: '203.0.113.4', cookie })).status).to.equal(429);
      const renewed = await rightly(rotated, account, { from: '203.0.113.4', cookie });
      expect(renewed.status).to.equal(200);
      const own = deviceCookieOf(renewed);
      expect((await rightly(later, account, { from: '203.0.113.4', cookie: own })).status).to.equal(200);
    } finally {
      await Promise.all([old, rotated, later].map((each) => each.close()));
      await database.drop();
    }
  });
});

describe('a flood of wrong sign-ins', () => {
  let gate = Promise.resolve();
  const { passwords } = watchedPasswords(() => gate);
  const api = withTestApi({ ...behindProxy, passwords });

  it('keeps out neither known devices nor other networks', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => addStaff(api())));
    const senders: Sender[] = [];
    for (const [index, account] of accounts.entries()) {
      const from = `192.0.${index}.1`;
      const cookie = deviceCookieOf(await rightly(api(), account, { from }));
      // Every second one is an unknown device.
      senders.push(index % 2 === 0 ? { from, cookie } : { from });
    }
    const flooded = deferred();
    gate = flooded.promise;
    let refused = 0;
    // More attempts than the queue has places. They come from 120 addresses in twelve networks.
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const from = `198.51.${index % 12}.${1 + (index % 10)}`;
      const { status } = await wrongly(api(), `no-account-${index}`, { from });
      if (status === 503) refused++;
    });
    try {
      await until('the queue is full', () => refused === 18);
      const owners = accounts.map((account, index) => rightly(api(), account, senders[index] ?? expect.fail()));
      // Each unknown device takes a place of the flood.
      await until('the owners wait', () => refused === 21);
      flooded.resolve();
      expect((await Promise.all(owners)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
    } finally {
      flooded.resolve();
      await Promise.all(flood);
    }
  });
});

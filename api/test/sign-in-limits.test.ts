import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { secondFactors } from '@dune-tide/db/accounts';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import {
  addStaff,
  cookieOf,
  sessionOf,
  signIn,
  testPassword,
  watchedPasswords,
  type TestAccount,
} from './staff-support.ts';
import { deferred, fakeProducer, startTestApi, withTestApi, type TestResponse, type TestApi } from './support.ts';

const login = '/api/admin/login';
const behindProxy = { trustedProxies: '127.0.0.1', producer: fakeProducer(async () => undefined) };
const devicePattern = /^device-[\da-f]{12}=([\w-]{22}); path=\/; expires=([^;]+); samesite=strict; httponly$/;

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

const randomToken = (): string => randomBytes(16).toString('base64url');

const deviceCookieName = ({ id }: TestAccount): string =>
  `device-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;

/** Returns the value of a device cookie as 0.3.0 signed it. */
function formerCookie({ id }: TestAccount, token: string, sessionKey: string, issuedAt = new Date()): string {
  const key = Buffer.from(hkdfSync('sha256', sessionKey, '', 'device-cookie', 32));
  const content = `${issuedAt.getTime()}.${token}`;
  return `${content}.${createHmac('sha256', key).update(`${content}.${id}`).digest('base64url')}`;
}

const sessionKey = 'a key that signed the cookies of 0.3.0';

describe('a known device', () => {
  const api = withTestApi({ ...behindProxy, sessionKeys: [sessionKey] });
  const devicesOf = ({ id }: TestAccount): Promise<string[]> =>
    api().database('known_devices').where({ staff_id: id, ended_at: null }).pluck<string[]>('id');
  /** Uses up the limit of the account for devices that it does not know. */
  const lockUnknownDevices = async ({ username }: TestAccount): Promise<void> => {
    const key = `sign-in-username:${createHash('sha256').update(username).digest('hex')}`;
    await api()
      .database('rate_limits')
      .insert({ key, points: 20, expire: Date.now() + 900_000 })
      .onConflict('key')
      .merge();
  };
  const eventsTo = (recipient: string): Promise<string[]> =>
    api()
      .database('follow_ups')
      .join('account_notices', 'account_notices.id', 'follow_ups.id')
      .where({ recipient })
      .orderBy('follow_ups.created_at')
      .pluck<string[]>('event');
  const known = async (account: TestAccount): Promise<string> =>
    deviceCookieOf(await rightly(api(), account, { from: '192.0.2.1' }));

  it('gets a cookie for 180 days that scripts and other sites cannot use, and keeps its id', async () => {
    const account = await addStaff(api());
    const response = await rightly(api(), account, { from: '192.0.2.1' });
    const line = (response.headers['set-cookie'] ?? []).find((each) => each.startsWith('device-')) ?? '';
    const [, value = '', expires = ''] = devicePattern.exec(line) ?? [];
    expect((Date.parse(expires) - Date.now()) / 86_400_000).to.be.within(179.9, 180);
    const again = await rightly(api(), account, { from: '192.0.2.1', cookie: deviceCookieOf(response) });
    expect(deviceCookieOf(again)).to.match(new RegExp(`=${value}$`));
    expect(await api().database('known_devices').where({ staff_id: account.id })).to.have.length(1);
  });

  it('gets no cookie for a wrong password', async () => {
    const { username } = await addStaff(api());
    const response = await wrongly(api(), username, { from: '192.0.2.2' });
    expect(response.headers).to.not.have.property('set-cookie');
  });

  it('stays known when it changes the password, which ends all others', async () => {
    const account = await addStaff(api());
    const response = await rightly(api(), account, { from: '192.0.2.5' });
    const other = await known(account);
    const password = 'another horse, another staple';
    const changed = await sessionOf(api(), account, cookieOf(response)).post('/account/password', {
      currentPassword: testPassword,
      password,
    });
    expect(changed.status).to.equal(204);
    await lockUnknownDevices(account);
    const from = '203.0.113.5';
    for (const cookie of [undefined, other]) {
      const { status } = await signInAs(
        api(),
        account.username,
        password,
        cookie === undefined ? { from } : { from, cookie },
      );
      expect(status, cookie).to.equal(429);
    }
    const cookie = deviceCookieOf(response);
    expect((await signInAs(api(), account.username, password, { from, cookie })).status).to.equal(200);
  });

  it('ends when its account gets a password or loses a factor by another person, or is deactivated', async () => {
    const admin = await signIn(api());
    for (const change of [
      (id: string) => admin.patch(`/team/${id}`, { password: 'set by another person' }),
      (id: string) => admin.patch(`/team/${id}`, { isActive: false }),
    ]) {
      const account = await addStaff(api());
      await known(account);
      expect((await change(account.id)).status).to.equal(200);
      expect(await devicesOf(account)).to.deep.equal([]);
    }
    const account = await addStaff(api());
    await known(account);
    await api()
      .database('passkeys')
      .insert({
        staff_id: account.id,
        credential_id: account.id,
        public_key: Buffer.from('key'),
        counter: 0,
        transports: [],
        name: 'Laptop',
      });
    expect(await secondFactors(api().database).removeByOperator(account.id)).to.equal(true);
    expect(await devicesOf(account)).to.deep.equal([]);
  });

  it('ends with all others when its account signs out everywhere', async () => {
    const account = await addStaff(api());
    const response = await rightly(api(), account, { from: '192.0.2.8' });
    await known(account);
    expect((await sessionOf(api(), account, cookieOf(response)).delete('/account/sessions')).status).to.equal(204);
    expect(await devicesOf(account)).to.deep.equal([]);
    await lockUnknownDevices(account);
    const cookie = deviceCookieOf(response);
    expect((await rightly(api(), account, { from: '203.0.113.8', cookie })).status).to.equal(429);
  });

  it('is replaced by the eleventh, unless it signed in later', async () => {
    const account = await addStaff(api());
    const cookies: string[] = [];
    for (let device = 0; device < 10; device++) cookies.push(await known(account));
    const [first = '', second = ''] = cookies;
    await rightly(api(), account, { from: '192.0.2.1', cookie: first });
    await known(account);
    expect(await devicesOf(account)).to.have.length(10);
    await lockUnknownDevices(account);
    expect((await rightly(api(), account, { from: '203.0.113.9', cookie: first })).status).to.equal(200);
    expect((await rightly(api(), account, { from: '203.0.113.9', cookie: second })).status).to.equal(429);
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
    const [name = '', token = ''] = cookie.split('=');
    await lockUnknownDevices(account);
    for (const forged of [
      'A'.repeat(22),
      token.slice(1),
      `${token}A`,
      '%',
      formerCookie(account, token, 'a forged key'),
    ]) {
      const response = await rightly(api(), account, { from: '203.0.113.3', cookie: `${name}=${forged}` });
      expect(response.status, forged).to.equal(429);
    }
    expect((await rightly(api(), account, { from: '203.0.113.3', cookie })).status).to.equal(200);
  });

  it('is unknown 180 days after its last sign-in', async () => {
    const account = await addStaff(api());
    const cookie = await known(account);
    await lockUnknownDevices(account);
    const pass = (time: string) =>
      api()
        .database('known_devices')
        .where({ staff_id: account.id })
        .update({ last_used_at: api().database.raw(`last_used_at - interval '${time}'`) });
    await pass('179 days 23 hours');
    const again = await rightly(api(), account, { from: '203.0.113.4', cookie });
    expect(again.status).to.equal(200);
    await pass('180 days');
    expect((await rightly(api(), account, { from: '203.0.113.4', cookie })).status).to.equal(429);
  });

  it('has a cookie that is bound to the host on https and outlives the session keys', async () => {
    const database = await createTestDatabase();
    const options = { ...behindProxy, publicUrl: 'https://studio.example' };
    const old = await startTestApi(database, { ...options, sessionKeys: ['a key that signs cookies until today'] });
    const later = await startTestApi(database, { ...options, sessionKeys: ['a key that signs cookies from today'] });
    try {
      const account = await addStaff(old);
      const response = await rightly(old, account, { from: '192.0.2.1' });
      const line = (response.headers['set-cookie'] ?? []).find((each) => each.startsWith('__Host-device-'));
      expect(line).to.match(/; path=\/; expires=[^;]+; samesite=strict; secure; httponly$/);
      for (let index = 0; index < 20; index++) await wrongly(old, account.username, { from: `203.0.${index}.4` });
      const cookie = deviceCookieOf(response);
      expect((await rightly(later, account, { from: '203.0.113.4', cookie })).status).to.equal(200);
    } finally {
      await Promise.all([old, later].map((each) => each.close()));
      await database.drop();
    }
  });

  describe('with a signed cookie of 0.3.0', () => {
    const cookieFor = (account: TestAccount, issuedAt = new Date(), token = randomToken()): string =>
      `${deviceCookieName(account)}=${formerCookie(account, token, sessionKey, issuedAt)}`;

    it('is known from its first use on, without an email, and gets a cookie that is not signed', async () => {
      const account = await addStaff(api(), { email: 'former@studio.example', last_sign_in_at: new Date() });
      await lockUnknownDevices(account);
      const cookie = cookieFor(account);
      const from = '203.0.113.10';
      expect((await wrongly(api(), account.username, { from, cookie })).status).to.equal(401);
      expect(await devicesOf(account)).to.have.length(1);
      const response = await rightly(api(), account, { from, cookie });
      expect(response.status).to.equal(200);
      expect(deviceCookieOf(response)).to.match(/=[\w-]{22}$/);
      const renewed = await rightly(api(), account, { from, cookie: deviceCookieOf(response) });
      expect(renewed.status).to.equal(200);
      expect(await devicesOf(account)).to.have.length(1);
      expect(await eventsTo('former@studio.example')).to.deep.equal([]);
    });

    it('is taken once for each device, and never after its account has ended its devices', async () => {
      const account = await addStaff(api(), { last_sign_in_at: new Date() });
      const [cookie, unused] = [cookieFor(account), cookieFor(account)];
      const from = '203.0.113.11';
      const session = sessionOf(api(), account, cookieOf(await rightly(api(), account, { from, cookie })));
      expect((await session.delete('/account/sessions')).status).to.equal(204);
      await lockUnknownDevices(account);
      for (const each of [cookie, unused]) {
        expect((await rightly(api(), account, { from, cookie: each })).status).to.equal(429);
      }
      expect((await rightly(api(), account, { from, cookie: cookieFor(account) })).status).to.equal(200);
    });

    it('is unknown if the password or a factor changed after the cookie was issued', async () => {
      for (const action of ['password_changed', 'password_set', 'second_factor_added', 'second_factor_removed']) {
        const account = await addStaff(api(), { last_sign_in_at: new Date() });
        await lockUnknownDevices(account);
        const cookie = cookieFor(account, new Date(Date.now() - 60_000));
        await api().database('audit_log').insert({ actor: 'operator', action, subject_id: account.id });
        expect((await rightly(api(), account, { from: '203.0.113.12', cookie })).status, action).to.equal(429);
      }
    });

    it('is unknown if the cookie was issued 180 days ago, or a week after the upgrade', async () => {
      const account = await addStaff(api(), { last_sign_in_at: new Date() });
      await lockUnknownDevices(account);
      const from = '203.0.113.13';
      const day = 86_400_000;
      for (const [days, status] of [
        [-181, 429],
        [8, 429],
        [-179, 200],
      ] as const) {
        const cookie = cookieFor(account, new Date(Date.now() + days * day));
        expect((await rightly(api(), account, { from, cookie })).status, `${days} days`).to.equal(status);
      }
    });

    it('counts as one of ten, however many cookies were issued', async () => {
      const account = await addStaff(api(), { last_sign_in_at: new Date() });
      const issuedAt = Date.now() - 60_000;
      for (let device = 0; device < 12; device++) {
        const cookie = cookieFor(account, new Date(issuedAt + device));
        await wrongly(api(), account.username, { from: '203.0.113.14', cookie });
      }
      expect(await devicesOf(account)).to.have.length(10);
    });
  });
});

describe('known devices of one account', () => {
  const api = withTestApi(behindProxy);

  it('have 50 failures an hour together, then one try in fifteen minutes each', async () => {
    const account = await addStaff(api());
    const cookies: string[] = [];
    for (let device = 0; device < 15; device++) {
      cookies.push(deviceCookieOf(await rightly(api(), account, { from: '192.0.2.1' })));
    }
    const live = cookies.slice(-10);
    // 15 cookies of a thief who knew the password allow the guesses of ten; the others are those of unknown devices.
    const statuses: number[] = [];
    for (const cookie of cookies) {
      for (let guess = 0; guess < 5; guess++) {
        const from = `203.0.${statuses.length}.1`;
        statuses.push((await wrongly(api(), account.username, { from, cookie })).status);
      }
    }
    const known = statuses.slice(-50);
    expect(known.every((status) => status === 401)).to.equal(true);
    expect(statuses.slice(0, -50).filter((status) => status === 401)).to.have.length(20);

    const moveFailures = (time: string) =>
      api()
        .database('device_failures')
        .where({ staff_id: account.id })
        .update({ at: api().database.raw(`at - interval '${time}'`) });
    const from = '203.0.113.20';
    for (const cookie of live) expect((await rightly(api(), account, { from, cookie })).status).to.equal(429);
    await moveFailures('15 minutes');
    for (const cookie of live.slice(1)) {
      expect((await wrongly(api(), account.username, { from, cookie })).status).to.equal(401);
      const refused = await rightly(api(), account, { from, cookie });
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers['retry-after'])).to.be.within(800, 900);
    }
    // Its owner mistypes nothing.
    const [own = ''] = live;
    expect((await rightly(api(), account, { from, cookie: own })).status).to.equal(200);
    expect((await rightly(api(), account, { from, cookie: own })).status).to.equal(200);
    await moveFailures('1 hour');
    for (let guess = 0; guess < 5; guess++) {
      expect((await wrongly(api(), account.username, { from, cookie: own })).status).to.equal(401);
    }
  });

  it('are counted over all processes, also if their guesses are concurrent', async () => {
    const database = await createTestDatabase();
    const processes = [await startTestApi(database, behindProxy), await startTestApi(database, behindProxy)] as const;
    try {
      const account = await addStaff(processes[0]);
      const cookie = deviceCookieOf(await rightly(processes[0], account, { from: '192.0.2.1' }));
      const guesses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          wrongly(index % 2 === 0 ? processes[0] : processes[1], account.username, { from: '203.0.113.21', cookie }),
        ),
      );
      expect(guesses.filter(({ status }) => status === 401)).to.have.length(5);
    } finally {
      await Promise.all(processes.map((each) => each.close()));
      await database.drop();
    }
  });

  it('are reset by a success, which does not reset those of the account', async () => {
    const account = await addStaff(api());
    const sender = { from: '192.0.2.1', cookie: deviceCookieOf(await rightly(api(), account, { from: '192.0.2.1' })) };
    for (let round = 0; round < 2; round++) {
      for (let guess = 0; guess < 4; guess++) await wrongly(api(), account.username, sender);
      expect((await rightly(api(), account, sender)).status).to.equal(200);
    }
    expect(await api().database('device_failures').where({ staff_id: account.id, is_forgiven: true })).to.have.length(
      8,
    );
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

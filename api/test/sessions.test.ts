import { createHash } from 'node:crypto';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { freePort } from '@dune-tide/local/ports';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { hashPassword } from '@dune-tide/platform/accounts/password';
import { routes } from './declared-responses.ts';
import {
  addStaff,
  cookieOf,
  sessionOf,
  signIn,
  testPassword,
  watchedPasswords,
  type TestAccount,
  type TestSession,
} from './staff-support.ts';
import {
  deferred,
  fakeProducer,
  jsonRequest,
  startTestApi,
  withTestApi,
  type TestResponse,
  type TestApi,
} from './support.ts';

const login = '/api/admin/login';
/** Returns the response of the API for a signed-in account. */
const presentedOf = ({ id, username, name }: TestAccount) => {
  return {
    id,
    username,
    name,
    role: 'owner',
    hasEmail: false,
    needs: null,
    replies: 'simulated',
    timeZone: 'Asia/Riyadh',
  };
};
const someId = '019ab0de-0000-7000-8000-000000000000';

const guarded = routes.filter(({ access }) => access === 'member' || access === 'owner');
const sentTo = (path: string): string => path.replaceAll(/:\w+/g, someId).replace('{*rest}', 'api/queues');

/** Every call that needs a session, and unknown paths and methods of the staff area. */
const guardedCalls: readonly (readonly [method: string, path: string])[] = [
  ...guarded.map(({ method, path }) => [method, sentTo(path)] as const),
  ['PATCH', '/api/admin/team/abc'],
  ['PATCH', '/api/admin/team/%00'],
  ['DELETE', '/api/admin/team'],
  ['OPTIONS', '/api/admin/team'],
  ['HEAD', '/api/admin/session'],
  ['GET', '/api/admin'],
  ['GET', '/api/admin/'],
  ['GET', '/api/admin/nothing'],
  ['GET', '/API/Admin/Team'],
  ['GET', '/api/admin/login/more'],
];

/** The calls with a body. */
const callsWithBody = guarded
  .filter(({ body }) => body !== undefined)
  .map(({ method, path }) => [method, sentTo(path)] as const);

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex');

async function isSignedIn(session: TestSession): Promise<boolean> {
  const { status } = await session.send({ path: '/api/admin/session' });
  expect(status).to.be.oneOf([200, 401]);
  return status === 200;
}

const wrongly = (api: TestApi, username: string, from?: string): Promise<TestResponse> =>
  api.send({
    method: 'POST',
    path: login,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: 'not the password' }),
    ...(from === undefined ? {} : { from }),
  });

describe('a sign-in', () => {
  const { passwords, compared } = watchedPasswords();
  const api = withTestApi({ passwords });

  it('returns the account and sets a signed cookie that scripts and other sites cannot use', async () => {
    const account = await addStaff(api());
    const response = await api().post(login, { username: account.username, password: testPassword, more: 1 });

    expect(response.status).to.equal(200);
    expect(response.json()).to.deep.equal(presentedOf(account));
    expect(response.headers['cache-control']).to.equal('no-store');
    const [first = '', second = '', device = ''] = response.headers['set-cookie'] ?? [];
    const lines = [first, second];
    expect(lines.map((line) => line.split('=')[0])).to.deep.equal(['session', 'session.sig']);
    expect(device).to.match(/^device-/);
    for (const line of lines) expect(line).to.match(/^[\w.]+=[\w-]{20,}; path=\/; samesite=strict; httponly$/);
  });

  it('accepts the username in any case and with surrounding blanks', async () => {
    const { username } = await addStaff(api(), { username: 'Thabo.Éclair' });
    const response = await api().post(login, { username: ' tHABO.éCLAIR ', password: testPassword });
    expect(response.json()).to.include({ username });
  });

  it('accepts the username in any Unicode form, and prefers an exact match', async () => {
    const inOne = await addStaff(api(), { username: 'jos\u00e9' });
    const inTwo = await addStaff(api(), { username: 'ren\u0065\u0301' });
    const both = await addStaff(api(), { username: 'jose\u0301' });
    for (const [typed, { id }] of [
      ['jos\u00e9', inOne],
      ['\uff2aos\u00e9', inOne],
      ['JOSE\u0301', both],
      ['rene\u0301', inTwo],
    ] as const) {
      const response = await api().post(login, { username: typed, password: testPassword });
      expect(response.json(), typed).to.include({ id });
    }
  });

  it('accepts the password in any Unicode form, even if an earlier release hashed it as typed', async () => {
    const [normal, typed] = ['caf\u00e9 au lait', 'cafe\u0301\u00a0au lait'];
    const account = await addStaff(api(), {
      password_hash:
        '$argon2id$v=19$m=19456,t=2,p=1$PzJzEP32hUxwBsGu4rQUdg$egvUjkqJyXMI+iXc0Gy/WyPz0MmDCsv5DKSnyOYVAk4',
    });
    const statusOf = async (password: string): Promise<number> =>
      (await api().post(login, { username: account.username, password })).status;
    expect(await statusOf(normal)).to.equal(401);
    const before = await signedIn(await api().post(login, { username: account.username, password: typed }));
    expect(await statusOf(normal)).to.equal(200);
    expect(await statusOf(typed)).to.equal(200);
    expect(await statusOf('cafe au lait')).to.equal(401);
    expect((await before.send({ path: '/api/admin/session' })).status).to.equal(200);

    async function signedIn(response: TestResponse): Promise<TestSession> {
      expect(response.status).to.equal(200);
      return sessionOf(api(), account, cookieOf(response));
    }
  });

  it('stores the time of the sign-in, and only a hash of the session id', async () => {
    const session = await signIn(api());
    const id = /session=([^;]+)/.exec(session.cookie)?.[1] ?? '';
    const rows = await api().database('sessions').where({ staff_id: session.account.id });
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ id_hash: hashOf(id) });
    expect(JSON.stringify(rows)).to.not.include(id);
    const account = await api().database('staff').where({ id: session.account.id }).first('last_sign_in_at');
    expect(account.last_sign_in_at).to.deep.equal(rows[0].created_at);
  });

  it('deletes ended sessions', async () => {
    const { account } = await signIn(api());
    await api()
      .database('sessions')
      .where({ staff_id: account.id })
      .update({ expires_at: new Date(0) });
    await signIn(api());
    expect(await api().database('sessions').where({ staff_id: account.id })).to.deep.equal([]);
  });

  it('is refused equally for an unknown name, a wrong password and a deactivated account', async () => {
    const active = await addStaff(api());
    const left = await addStaff(api(), { is_active: false });
    const responses = [
      await api().post(login, { username: 'no-account-of-this-name', password: testPassword }),
      await api().post(login, { username: active.username, password: `${testPassword} ` }),
      await api().post(login, { username: left.username, password: testPassword }),
    ];
    for (const { status, text, headers } of responses) {
      expect(status).to.equal(401);
      expect(text).to.equal(responses[0]?.text);
      expect(headers).to.not.have.property('set-cookie');
      expect(Object.keys(headers)).to.deep.equal(Object.keys(responses[0]?.headers ?? {}));
    }
  });

  it('checks one password for an unknown name too, so that it takes as long', async () => {
    const { username } = await addStaff(api());
    for (const name of ['no-account-of-this-name', username]) {
      compared.length = 0;
      expect((await wrongly(api(), name)).status).to.equal(401);
      expect(compared, name).to.have.length(1);
    }
  });

  it('is refused before hashing for a password of 60,000 characters, and supports POST only', async () => {
    compared.length = 0;
    const long = await api().post(login, { username: 'noura', password: 'x'.repeat(60_000) });
    expect([long.status, compared]).to.deep.equal([422, []]);
    const other = await api().send({ path: login });
    expect([other.status, other.headers['allow']]).to.deep.equal([405, 'POST']);
  });

  it('never sends CORS headers', async () => {
    const response = await api().send({ method: 'OPTIONS', path: login, headers: { Origin: 'https://evil.example' } });
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });

  it('is recorded in the audit log, with ids and nothing else', async () => {
    const session = await signIn(api());
    await wrongly(api(), session.account.username);
    await wrongly(api(), 'no-account-of-this-name');
    await session.send({ method: 'POST', path: '/api/admin/logout' });
    const { id } = session.account;
    expect(
      await api()
        .database('audit_log')
        .where({ subject_id: id })
        .orderBy('position')
        .select('action', 'actor', 'actor_id'),
    ).to.deep.equal([
      { action: 'signed_in', actor: 'staff', actor_id: id },
      { action: 'sign_in_refused', actor: 'unknown', actor_id: null },
      { action: 'signed_out', actor: 'staff', actor_id: id },
    ]);
    const unknown = await api().database('audit_log').where({ action: 'sign_in_refused', subject_id: null });
    expect(unknown).to.not.deep.equal([]);
    const log = JSON.stringify([api().logLines(), await api().database('audit_log')]);
    for (const typed of [session.account.username, testPassword, 'not the password', 'no-account-of-this-name']) {
      expect(log).to.not.include(typed);
    }
  });
});

describe('the limit on sign-ins', () => {
  const api = withTestApi();

  it('refuses the sixth failure of a name and address, and then even the right password', async () => {
    const account = await addStaff(api());
    for (let failure = 1; failure <= 5; failure++) {
      expect((await wrongly(api(), account.username)).status).to.equal(401);
    }
    const refused = await wrongly(api(), account.username.toUpperCase().replace('S', '\uff33'));
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.within(890, 900);
    const right = { username: account.username, password: testPassword };
    expect((await api().post(login, right)).status).to.equal(429);

    const elsewhere = await api().send({
      method: 'POST',
      path: login,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(right),
      from: '127.0.0.2',
    });
    expect(elsewhere.status).to.equal(200);
    expect(await isSignedIn(await signIn(api()))).to.equal(true);
  });

  it('counts concurrent tries', async () => {
    const { username } = await addStaff(api());
    const responses = await Promise.all(Array.from({ length: 12 }, () => wrongly(api(), username, '127.0.0.3')));
    expect(responses.filter(({ status }) => status === 401)).to.have.length(5);
    expect(responses.filter(({ status }) => status === 429)).to.have.length(7);
  });

  it('does not refuse concurrent sign-ins with the right password', async () => {
    const account = await addStaff(api());
    const sessions = await Promise.all(Array.from({ length: 20 }, () => signIn(api(), account)));
    for (const session of sessions) expect(await isSignedIn(session)).to.equal(true);
  });

  it('applies to unknown names too, so that it does not reveal which exist', async () => {
    for (let failure = 1; failure <= 5; failure++) await wrongly(api(), 'no-such-name', '127.0.0.4');
    expect((await wrongly(api(), 'No-Such-Name', '127.0.0.4')).status).to.equal(429);
  });

  it('starts again after a success', async () => {
    const account = await addStaff(api());
    for (let round = 0; round < 2; round++) {
      for (let failure = 1; failure <= 4; failure++) await wrongly(api(), account.username);
      await signIn(api(), account);
    }
  });

  it('allows 50 failures per address over all names', async () => {
    const fail = async (name: string) => (await wrongly(api(), name, '127.0.0.5')).status;
    expect(await fail('first')).to.equal(401);
    const counted = api().database('rate_limits').where({ key: 'sign-in-address:127.0.0.5' });
    expect(await counted.update({ points: 49 })).to.equal(1);
    expect([await fail('fiftieth'), await fail('another')]).to.deep.equal([401, 429]);
  });

  it('does not count refused attempts for one name against other names of its address', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 60; attempt++) {
      statuses.push((await wrongly(api(), 'stuck-browser', '127.0.0.6')).status);
    }
    expect(statuses.filter((status) => status === 429)).to.have.length(55);
    expect((await wrongly(api(), 'colleague', '127.0.0.6')).status).to.equal(401);
  });
});

describe('100 concurrent sign-ins', () => {
  const gate = deferred();
  const { passwords, compared } = watchedPasswords(() => gate.promise);
  const api = withTestApi({ passwords, producer: fakeProducer(async () => undefined) });

  it('are checked two at a time, cause no errors except 503, and do not delay the public forms', async () => {
    const accounts = await Promise.all(Array.from({ length: 100 }, () => addStaff(api())));
    const storm = Promise.all(
      accounts.map(({ username }, index) =>
        api().send({
          ...jsonRequest('POST', login, { username, password: testPassword }),
          from: `127.0.1.${1 + (index % 10)}`,
        }),
      ),
    );
    const refusals = () =>
      api()
        .logLines()
        .filter(({ msg }) => msg === 'request refused');
    await until('the others wait', () => refusals().length === 58);
    expect(compared).to.have.length(2);
    expect((await api().post('/api/contact', validExample(contactForm))).status).to.equal(201);
    gate.resolve();
    const responses = await storm;
    expect(responses.filter(({ status }) => status === 200)).to.have.length(42);
    for (const { status, headers } of responses.filter((each) => each.status !== 200)) {
      expect(status).to.equal(503);
      expect(headers).to.have.property('retry-after');
    }
    for (const refusal of refusals())
      expect(refusal).to.include({ level: 'warn', status: 503 }).and.not.have.property('error');
  });
});

describe('without a session', () => {
  const api = withTestApi();

  for (const [method, path] of guardedCalls) {
    it(`${method} ${path.replaceAll(someId, '{id}')} returns 401 first`, async () => {
      // Another check that ran first would respond with 403, 413 or 415.
      const headers = { 'Content-Type': 'text/plain', Origin: 'https://evil.example' };
      const body = method === 'HEAD' ? undefined : 'x'.repeat(70_000);
      const response = await api().send({ method, path, headers, body });
      expect(response.status).to.equal(401);
      expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      expect(response.headers['cache-control']).to.equal('no-store');
    });
  }
});

describe('a session', () => {
  const api = withTestApi();
  const rowOf = ({ account }: TestSession) => api().database('sessions').where({ staff_id: account.id });

  it('returns the signed-in account without a change or a cookie', async () => {
    const session = await signIn(api());
    const before = await rowOf(session);
    const response = await session.send({ path: '/api/admin/session' });
    expect(response.status).to.equal(200);
    expect(response.json()).to.deep.equal(presentedOf(session.account));
    expect(response.headers).to.not.have.property('set-cookie');
    expect(await rowOf(session)).to.deep.equal(before);
  });

  it('gets 404 for unknown paths and 405 for wrong methods', async () => {
    const session = await signIn(api());
    expect((await session.send({ path: '/api/admin/nothing' })).status).to.equal(404);
    expect((await session.send({ path: '/api/admin/login/more' })).status).to.equal(404);
    const wrong = await session.send({ method: 'DELETE', path: '/api/admin/team' });
    expect([wrong.status, wrong.headers['allow']]).to.deep.equal([405, 'HEAD, GET, POST']);
    expect(wrong.headers['content-type']).to.match(/^application\/problem\+json/);
  });

  it('refuses every change from another site', async () => {
    const session = await signIn(api());
    const changes = guardedCalls.filter(([method]) => ['POST', 'PATCH', 'DELETE'].includes(method));
    expect(changes.length).to.be.above(20);
    for (const [method, path] of changes) {
      for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'same-site' }]) {
        expect((await session.send({ method, path, headers })).status, `${method} ${path}`).to.equal(403);
      }
    }
    expect(await isSignedIn(session)).to.equal(true);
  });

  it('is invalid with a changed cookie or signature', async () => {
    const { account, cookie } = await signIn(api());
    const [id = '', signature = ''] = cookie.split('; ');
    const other = (await signIn(api())).cookie.split('; ');
    const flip = (pair: string): string => `${pair.slice(0, -2)}${pair.at(-2) === 'A' ? 'B' : 'A'}${pair.at(-1)}`;
    for (const changed of [
      id,
      signature,
      `${flip(id)}; ${signature}`,
      `${id}; ${flip(signature)}`,
      `${id}; ${other[1]}`,
      `${id}; session.sig=`,
      `session=; ${signature}`,
      'session=null; session.sig=null',
      'session=eyJzdGFmZiI6e319',
      `session=${'x'.repeat(5000)}; ${signature}`,
    ]) {
      expect(await isSignedIn(sessionOf(api(), account, changed)), changed.slice(0, 80)).to.equal(false);
    }
    expect(await isSignedIn(sessionOf(api(), account, cookie))).to.equal(true);
  });

  it('gets a new id at each sign-in, which ends the session of the old id', async () => {
    const planted = await signIn(api());
    const victim = await addStaff(api());
    const response = await planted.sendJson('POST', login, { username: victim.username, password: testPassword });
    expect(response.status).to.equal(200);
    const renewed = sessionOf(api(), victim, cookieOf(response));
    expect(renewed.cookie).to.not.equal(planted.cookie);
    expect(await isSignedIn(renewed)).to.equal(true);
    expect(await isSignedIn(planted)).to.equal(false);
    expect(await rowOf(planted)).to.deep.equal([]);
  });

  it('remains after a failed sign-in', async () => {
    const session = await signIn(api());
    await session.sendJson('POST', login, { username: session.account.username, password: 'wrong' });
    expect(await isSignedIn(session)).to.equal(true);
  });

  it('ends with the sign-out, while other sessions of the account remain', async () => {
    const session = await signIn(api());
    const other = await signIn(api(), session.account);
    const response = await session.send({ method: 'POST', path: '/api/admin/logout' });
    expect([response.status, response.text]).to.deep.equal([204, '']);
    for (const line of response.headers['set-cookie'] ?? []) expect(line).to.include('expires=Thu, 01 Jan 1970');
    expect(response.headers['clear-site-data']).to.equal('"storage"');
    expect(await isSignedIn(session)).to.equal(false);
    expect((await session.send({ method: 'POST', path: '/api/admin/logout' })).status).to.equal(401);
    expect(await isSignedIn(other)).to.equal(true);
  });

  it('is not restored by requests that race the sign-out', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await signIn(api());
      // The session is due for an extension, so that each request would write.
      await rowOf(session).update({ expires_at: api().database.raw(`now() + interval '10 minutes'`) });
      await Promise.all([
        ...Array.from({ length: 5 }, () => session.send({ path: '/api/admin/team' })),
        session.send({ method: 'POST', path: '/api/admin/logout' }),
        ...Array.from({ length: 5 }, () => session.send({ path: '/api/admin/session' })),
      ]);
      expect(await rowOf(session)).to.deep.equal([]);
      expect(await isSignedIn(session)).to.equal(false);
    }
  });

  it('gets 401 if it ends between the headers and the body of a call', async () => {
    expect(callsWithBody).to.have.length.above(4);
    for (const [method, path] of callsWithBody) {
      const session = await signIn(api());
      // The session is due for an extension, which shows when the headers have been read.
      await rowOf(session).update({ expires_at: api().database.raw(`now() + interval '10 minutes'`) });
      const body = deferred();
      const headers = { 'Content-Type': 'application/json' };
      const responding = session.send({ method, path, headers, body: 'no JSON', untilBody: body.promise });
      await until('the session was found', async () => {
        const [row] = await rowOf(session);
        return row.expires_at.getTime() > Date.now() + 20 * 60_000;
      });
      await session.send({ method: 'POST', path: '/api/admin/logout' });
      body.resolve();
      expect([method, path, (await responding).status]).to.deep.equal([method, path, 401]);
    }
  });

  it('expires after 30 minutes without use, and each use extends it', async () => {
    const session = await signIn(api());
    const minutesLeft = async (): Promise<number> => {
      const { rows } = await api().database.raw<{ rows: { minutes: number }[] }>(
        `select extract(epoch from expires_at - now())::float / 60 as minutes from sessions where staff_id = ?`,
        [session.account.id],
      );
      return rows[0]?.minutes ?? 0;
    };
    expect(await minutesLeft()).to.be.within(29, 30);
    await rowOf(session).update({ expires_at: api().database.raw(`now() + interval '2 minutes'`) });
    expect(await isSignedIn(session)).to.equal(true);
    expect(await minutesLeft()).to.be.within(29, 30);
    await rowOf(session).update({ expires_at: api().database.raw(`now() - interval '1 second'`) });
    expect(await isSignedIn(session)).to.equal(false);
  });

  it('expires after eight hours even if it is used', async () => {
    const session = await signIn(api());
    await rowOf(session).update({
      created_at: api().database.raw(`now() - interval '7 hours 50 minutes'`),
      expires_at: api().database.raw(`now() + interval '1 minute'`),
    });
    expect(await isSignedIn(session)).to.equal(true);
    const [row] = await rowOf(session);
    expect(row.expires_at.getTime() - row.created_at.getTime()).to.equal(8 * 3_600_000);
  });

  it('ends immediately when its account is deactivated directly in the database', async () => {
    const session = await signIn(api());
    await api().database('staff').where({ id: session.account.id }).update({ is_active: false });
    expect(await isSignedIn(session)).to.equal(false);
  });

  it('does not start if the account gets a new password while the old one is checked', async () => {
    const account = await addStaff(api());
    const transaction = await api().database.transaction();
    await transaction('staff')
      .where({ id: account.id })
      .update({ password_hash: await hashPassword('another password') });
    const signingIn = api().post(login, { username: account.username, password: testPassword });
    await until('the sign-in has checked the password and waits for the account', async () => {
      const { rows } = await api().database.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await transaction.commit();
    const response = await signingIn;
    expect(response.status).to.equal(401);
    expect(response.headers).to.not.have.property('set-cookie');
    expect(await api().database('sessions').where({ staff_id: account.id })).to.deep.equal([]);
  });
});

describe('the session cookie of an HTTPS site', () => {
  const first = 'the first key, of more than 32 characters';
  const second = 'the second key, of more than 32 characters';

  it('is Secure and bound to the host, and remains valid when a new key is added', async () => {
    const database = await createTestDatabase();
    const options = { publicUrl: 'https://studio.example', producer: fakeProducer(async () => undefined) };
    const old = await startTestApi(database, { ...options, sessionKeys: [first] });
    const rotated = await startTestApi(database, { ...options, sessionKeys: [second, first] });
    const later = await startTestApi(database, { ...options, sessionKeys: [second] });
    try {
      const account = await addStaff(old);
      const response = await old.post(login, { username: account.username, password: testPassword });
      const { cookie } = sessionOf(old, account, cookieOf(response));
      for (const line of (response.headers['set-cookie'] ?? []).slice(0, 2)) {
        expect(line).to.match(/^__Host-session(\.sig)?=[\w-]+; path=\/; samesite=strict; secure; httponly$/);
      }
      const removed = await sessionOf(later, account, cookie).send({ path: '/api/admin/session' });
      expect(removed.status).to.equal(401);
      expect(removed.headers['set-cookie']).to.deep.equal([
        '__Host-session.sig=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=strict; secure; httponly',
      ]);

      const renewed = await sessionOf(rotated, account, cookie).send({ path: '/api/admin/session' });
      expect(renewed.status).to.equal(200);
      const [line, ...others] = renewed.headers['set-cookie'] ?? [];
      expect(others).to.deep.equal([]);
      expect(line).to.match(/^__Host-session\.sig=[\w-]+; path=\/; samesite=strict; secure; httponly$/);
      const signedAnew = `${cookie.split('; ')[0]}; ${line?.split(';')[0]}`;
      expect(await isSignedIn(sessionOf(later, account, signedAnew))).to.equal(true);
    } finally {
      await Promise.all([old, rotated, later].map((each) => each.close()));
      await database.drop();
    }
  });
});

describe('an unavailable session store', () => {
  it('makes staff calls 503 and does not affect visitors', async () => {
    const database = await createTestDatabase();
    const api = await startTestApi(database, { producer: fakeProducer(async () => undefined) });
    try {
      const session = await signIn(api);
      await database.database.raw('alter table sessions rename to gone');
      const response = await session.send({ path: '/api/admin/team' });
      expect(response.status).to.equal(503);
      expect(response.headers).to.have.property('retry-after');
      const headers = { Cookie: session.cookie };
      expect((await api.post('/api/contact', validExample(contactForm), headers)).status).to.equal(201);
      const right = { username: session.account.username, password: testPassword };
      expect((await api.post(login, right)).status).to.equal(503);
      // Without a session cookie, the store is not needed.
      expect((await api.send({ path: '/api/admin/team' })).status).to.equal(401);
    } finally {
      await api.close();
      await database.drop();
    }
  });

  it('makes a sign-in 503 without counting it, if the database does not respond', async () => {
    const database = await createTestDatabase();
    const port = await freePort(0, '127.0.0.1');
    const api = await startTestApi(database, {
      databaseUrl: `postgres://studio@127.0.0.1:${port}/studio`,
      producer: fakeProducer(async () => undefined),
    });
    try {
      for (let tries = 0; tries < 7; tries++) {
        const response = await api.post(login, { username: 'noura', password: testPassword });
        expect([response.status, 'retry-after' in response.headers]).to.deep.equal([503, true]);
      }
    } finally {
      await api.close();
      await database.drop();
    }
  });
});

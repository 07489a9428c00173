import { createHash } from 'node:crypto';
import { secondFactors } from '@dune-tide/db/accounts';
import { clockMessage, wrongCodeMessage } from '@dune-tide/domain/forms/second-factor';
import { expect } from 'chai';
import {
  addStaff,
  codeAt,
  cookieOf,
  sessionOf,
  signIn,
  testPassword,
  type TestAccount,
  type TestSession,
} from './staff-support.ts';
import { jsonRequest, withTestApi, type TestResponse, type ProblemBody, type TestApi } from './support.ts';

/** An account with an authenticator app. */
interface Guarded {
  readonly session: TestSession;
  readonly account: TestAccount;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /**
   * Returns the code that the app shows after `steps` steps of 30 seconds: by default the next one, which is accepted
   * already, and for long enough even on a busy machine.
   */
  readonly code: (steps?: number) => Promise<string>;
}

async function setUp(api: TestApi, overrides: Record<string, unknown> = {}): Promise<Guarded> {
  const session = await signIn(api, await addStaff(api, overrides));
  const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
  const confirmed = await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) });
  expect(confirmed.status).to.equal(200);
  const { codes } = confirmed.json() as { codes: string[] };
  return {
    session,
    account: session.account,
    secret,
    recoveryCodes: codes,
    code: (steps = 1) => codeAt(secret, steps),
  };
}

describe('the second factor', () => {
  const api = withTestApi();
  const login = (account: TestAccount, password = testPassword): Promise<TestResponse> =>
    api().post('/api/admin/login', { username: account.username, password });
  const enter = (cookie: string, code: string): Promise<TestResponse> => {
    const request = jsonRequest('POST', '/api/admin/login/code', { code });
    return api().send({ ...request, headers: { ...request.headers, Cookie: cookie } });
  };
  /** Enters the password. @returns the cookie of the waiting sign-in */
  const begin = async (account: TestAccount): Promise<string> => {
    const response = await login(account);
    expect(response.status).to.equal(202);
    return cookieOf(response);
  };
  const fieldOf = (response: TestResponse): unknown => (response.json() as ProblemBody).errors?.[0]?.field;

  it('is asked for only after a code of the app has confirmed it', async () => {
    const session = await signIn(api());
    const setup = await session.post('/account/totp', undefined);
    expect(setup.status).to.equal(201);
    const { secret } = setup.json() as { secret: string };
    expect((await login(session.account)).status).to.equal(200);
    expect(fieldOf(await session.post('/account/totp/confirm', { code: '000000' }))).to.equal('code');
    const misplaced = await session.post('/account/totp/confirm', { code: await codeAt(secret, 9) });
    expect((misplaced.json() as ProblemBody).errors?.[0]?.message).to.equal(clockMessage);
    expect((await login(session.account)).status).to.equal(200);
    const confirmed = await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) });
    expect(confirmed.status).to.equal(200);
    const { codes } = confirmed.json() as { codes: string[] };
    expect(codes).to.have.length(10);
    expect((await session.get('/account')).json()).to.include({ hasTotp: true, recoveryCodesLeft: 10 });
    expect((await login(session.account)).status).to.equal(202);
    expect((await session.post('/account/totp', undefined)).status, 'there is one already').to.equal(409);
  });

  it('is stored without its secret and its recovery codes, and never logged', async () => {
    const { account, secret, recoveryCodes } = await setUp(api());
    const stored = JSON.stringify([
      await api().database('totp_factors').where({ staff_id: account.id }),
      await api().database('recovery_codes').where({ staff_id: account.id }),
      api().logLines(),
    ]);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).to.not.include(text);
    }
  });

  it('completes a sign-in, which gives no access before', async () => {
    const { account, code } = await setUp(api());
    const password = await login(account);
    expect([password.status, password.json()]).to.deep.equal([202, { secondFactors: ['code'] }]);
    const waiting = cookieOf(password);
    expect(waiting).to.match(/^pending-sign-in=[\w-]{43}$/);
    const passkey = jsonRequest('POST', '/api/admin/login/passkey/options', undefined);
    const none = await api().send({ ...passkey, headers: { ...passkey.headers, Cookie: waiting } });
    expect(none.status, 'the account has no passkey').to.equal(409);
    expect(String(password.headers['set-cookie']))
      .to.match(/httponly/i)
      .and.match(/samesite=strict/i);
    expect((await sessionOf(api(), account, waiting).get('/session')).status).to.equal(401);
    expect(fieldOf(await enter(waiting, '000000'))).to.equal('code');
    const arabicDigits = (await code()).replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    const done = await enter(waiting, ` ${arabicDigits.slice(0, 3)} ${arabicDigits.slice(3)}`);
    expect(done.status).to.equal(200);
    expect(done.json()).to.include({ id: account.id, needs: null });
    const session = sessionOf(api(), account, cookieOf(done));
    expect((await session.get('/leads')).status).to.equal(200);
    expect((await enter(waiting, await code(1))).status, 'a sign-in completes once').to.equal(401);
    expect((await enter('', await code(1))).status).to.equal(401);
    expect((await enter(`pending-sign-in=${'x'.repeat(43)}`, await code(1))).status).to.equal(401);
  });

  it('is named in the audit log, for a sign-in and for a refusal', async () => {
    const { account, code, recoveryCodes } = await setUp(api());
    await enter(await begin(account), '000000');
    await enter(await begin(account), await code());
    await enter(await begin(account), recoveryCodes[0] ?? '');
    const entries = await api()
      .database('audit_log')
      .where({ subject_id: account.id })
      .whereIn('action', ['signed_in', 'second_factor_refused'])
      .orderBy('position')
      .select<{ action: string; details: { factor: string } }[]>('action', 'details');
    expect(entries.map(({ action, details }) => [action, details.factor])).to.deep.equal([
      ['signed_in', 'none'],
      ['second_factor_refused', 'code'],
      ['signed_in', 'code'],
      ['signed_in', 'recovery_code'],
    ]);
  });

  it('is not revealed to a caller without the password', async () => {
    const { account } = await setUp(api());
    const plain = await signIn(api());
    const responses = await Promise.all([account, plain.account].map((each) => login(each, 'not the password')));
    expect(responses[0]?.text).to.equal(responses[1]?.text);
    expect(responses.map(({ status, headers }) => [status, headers['set-cookie']])).to.deep.equal([
      [401, undefined],
      [401, undefined],
    ]);
  });

  it('accepts no code twice, not even in concurrent sign-ins', async () => {
    const { account, code } = await setUp(api());
    // So that three codes are accepted one after the other.
    await api().database('totp_factors').where({ staff_id: account.id }).decrement('last_step');
    const cookies = [await begin(account), await begin(account), await begin(account)];
    const current = await code(0);
    const responses = await Promise.all(cookies.map((cookie) => enter(cookie, current)));
    expect(responses.map(({ status }) => status)).to.have.members([200, 422, 422]);
    const again = await begin(account);
    expect((await enter(again, current)).status).to.equal(422);
    expect((await enter(again, await code(-1))).status, 'an older code').to.equal(422);
    expect((await enter(again, await code(1))).status).to.equal(200);
  });

  it('says that the clock is off for a code of up to ten minutes away, which never signs in', async () => {
    const { account, code } = await setUp(api());
    const factor = api().database('totp_factors').where({ staff_id: account.id });
    await factor.clone().update({ last_step: 0 });
    const messageOf = async (typed: string) => {
      const refused = await enter(await begin(account), typed);
      expect(refused.status).to.equal(422);
      return (refused.json() as ProblemBody).errors?.[0]?.message;
    };
    for (const steps of [-19, 19]) expect(await messageOf(await code(steps))).to.equal(clockMessage);
    expect(await messageOf(await code(-22))).to.equal(wrongCodeMessage);
    const keys = await api()
      .database('rate_limits')
      .whereLike('key', `totp-step:${account.id}%`)
      .pluck<string[]>('key');
    expect(keys).to.have.length(2);
    // The time of a told code comes.
    const told = Math.max(...keys.map((key) => Number(key.split(' ')[1])));
    const soon = `totp-step:${account.id} ${told - 18}`;
    await api()
      .database('rate_limits')
      .where({ key: `totp-step:${account.id} ${told}` })
      .update({ key: soon });
    expect(await messageOf(await code(1))).to.equal(wrongCodeMessage);
    expect((await factor.first('last_step'))?.last_step, 'no sign-in').to.equal('0');
  });

  it('can be a recovery code, which works once and in any spelling', async () => {
    const { account, recoveryCodes, session } = await setUp(api());
    const [first = '', second = ''] = recoveryCodes;
    const fullWidth = first
      .toUpperCase()
      .replaceAll(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
    expect((await enter(await begin(account), fullWidth)).status).to.equal(200);
    expect((await session.get('/account')).json()).to.include({ recoveryCodesLeft: 9 });
    expect((await enter(await begin(account), first)).status).to.equal(422);
    const other = await setUp(api());
    expect((await enter(await begin(other.account), second)).status, 'a code of another account').to.equal(422);
    const replaced = await session.post('/account/recovery-codes', undefined);
    expect(replaced.status).to.equal(201);
    const { codes } = replaced.json() as { codes: string[] };
    expect((await enter(await begin(account), second)).status, 'a replaced code').to.equal(422);
    expect((await enter(await begin(account), codes[0] ?? '')).status).to.equal(200);
    const ofEarlierRelease = 'abcdefghjkmnpqrs';
    await api()
      .database('recovery_codes')
      .insert({
        staff_id: account.id,
        code_hash: createHash('sha256').update(`${account.id} ${ofEarlierRelease}`).digest('hex'),
      });
    expect((await enter(await begin(account), 'abcd-efgh-jkmn-pqrs')).status, 'a code of 0.3.0').to.equal(200);
    const actions = await api().database('audit_log').where({ subject_id: account.id }).pluck<string[]>('action');
    expect(actions).to.include.members(['second_factor_added', 'recovery_code_used', 'recovery_codes_replaced']);
    expect(actions).to.include('second_factor_refused');
  });

  it('has recovery codes of 26 characters, 128 random bits, in groups that can be read', async () => {
    const { recoveryCodes } = await setUp(api());
    expect(new Set(recoveryCodes)).to.have.length(10);
    for (const code of recoveryCodes) expect(code).to.match(/^([a-hjkmnp-z2-9]{5}-){4}[a-hjkmnp-z2-9]{6}$/);
    expect(26 * Math.log2('abcdefghjkmnpqrstuvwxyz23456789'.length)).to.be.above(128);
  });

  it('uses up one recovery code in a sign-in, not even several in concurrent requests', async () => {
    const { account, recoveryCodes } = await setUp(api());
    const waiting = await begin(account);
    const responses = await Promise.all(recoveryCodes.slice(0, 4).map((code) => enter(waiting, code)));
    expect(responses.map(({ status }) => status)).to.have.members([200, 401, 401, 401]);
    expect(await api().database('recovery_codes').where({ staff_id: account.id })).to.have.length(9);
    // One code in several sign-ins.
    const cookies = [await begin(account), await begin(account), await begin(account)];
    const again = await Promise.all(cookies.map((cookie) => enter(cookie, recoveryCodes.at(-1) ?? '')));
    expect(again.filter(({ status }) => status === 200)).to.have.length(1);
    expect(await api().database('recovery_codes').where({ staff_id: account.id })).to.have.length(8);
  });

  it('ends the other sessions and devices when it is added, replaced or removed', async () => {
    const session = await signIn(api());
    const { account } = session;
    const devices = () => api().database('known_devices').where({ staff_id: account.id, ended_at: null });
    const expectAlone = async (other: TestSession): Promise<void> => {
      expect((await other.get('/session')).status).to.equal(401);
      expect((await session.get('/session')).status).to.equal(200);
      expect(await devices()).to.have.length(1);
    };
    let other = await signIn(api(), account);
    const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
    expect((await other.get('/session')).status, 'an app that is not confirmed').to.equal(200);
    const confirmed = await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) });
    await expectAlone(other);
    const [code = ''] = (confirmed.json() as { codes: string[] }).codes;
    other = sessionOf(api(), account, cookieOf(await enter(await begin(account), code)));
    const waiting = await begin(account);
    expect((await session.post('/account/recovery-codes', undefined)).status).to.equal(201);
    await expectAlone(other);
    expect((await enter(waiting, await codeAt(secret, 1))).status, 'a sign-in that waited').to.equal(401);
    other = sessionOf(api(), account, cookieOf(await enter(await begin(account), await codeAt(secret, 1))));
    expect((await session.delete('/account/totp')).status).to.equal(204);
    await expectAlone(other);
  });

  it('has the limits of passwords, which the right password does not reset', async () => {
    const { account, code } = await setUp(api());
    let waiting = await begin(account);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await enter(waiting, '000000')).status).to.equal(422);
      waiting = await begin(account);
    }
    const refused = await enter(waiting, await code());
    expect(refused.status).to.equal(429);
    expect(refused.headers).to.have.property('retry-after');
  });

  it('does not complete a sign-in after a new password, a deactivation or ten minutes', async () => {
    for (const change of [
      { password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA' },
      { is_active: false },
    ]) {
      const { account, code } = await setUp(api());
      const waiting = await begin(account);
      await api().database('staff').where({ id: account.id }).update(change);
      expect((await enter(waiting, await code())).status).to.equal(401);
    }
    const { account, code } = await setUp(api());
    const waiting = await begin(account);
    await api()
      .database('pending_sign_ins')
      .where({ staff_id: account.id })
      .update({ expires_at: api().database.raw('now()') });
    expect((await enter(waiting, await code())).status).to.equal(401);
    await begin(account);
    expect(await api().database('pending_sign_ins').where({ staff_id: account.id })).to.have.length(1);
  });

  it('is set up, replaced and removed only with a fresh password', async () => {
    const { session, account } = await setUp(api(), { email: 'guarded@studio.example' });
    const stale = () =>
      api()
        .database('sessions')
        .where({ staff_id: account.id })
        .update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
    await stale();
    for (const response of [
      await session.delete('/account/totp'),
      await session.post('/account/totp', undefined),
      await session.post('/account/totp/confirm', { code: '000000' }),
      await session.post('/account/recovery-codes', undefined),
    ]) {
      expect([response.status, (response.json() as { type: string }).type]).to.deep.equal([
        403,
        'urn:problem-type:password-needed',
      ]);
    }
    expect((await session.post('/account/confirm', { password: testPassword })).status).to.equal(204);
    expect((await session.delete('/account/totp')).status).to.equal(204);
    expect((await login(account)).status).to.equal(200);
    expect((await session.get('/account')).json()).to.include({ hasTotp: false, recoveryCodesLeft: 0 });
    expect((await session.post('/account/recovery-codes', undefined)).status).to.equal(409);
    expect(
      await api()
        .database('follow_ups')
        .join('account_notices', 'account_notices.id', 'follow_ups.id')
        .where({ recipient: 'guarded@studio.example' })
        .orderBy('follow_ups.created_at')
        .pluck('event'),
    ).to.deep.equal(['second_factor_added', 'second_factor_removed', 'new_device']);
  });

  it('is optional with REQUIRE_SECOND_FACTOR=off, whatever the column of the oldest account', async () => {
    const session = await signIn(
      api(),
      await addStaff(api(), { created_at: '2026-01-01', requires_second_factor: true }),
    );
    expect((await session.get('/session')).json()).to.include({ needs: null });
    expect((await session.get('/leads')).status).to.equal(200);
  });

  it('can be removed by an operator, which is audited', async () => {
    const { account } = await setUp(api());
    const factors = secondFactors(api().database);
    expect(await factors.removeByOperator(account.id)).to.equal(true);
    expect(await factors.removeByOperator(account.id)).to.equal(false);
    expect((await login(account)).status).to.equal(200);
    expect(
      await api()
        .database('audit_log')
        .where({ subject_id: account.id, action: 'second_factor_removed' })
        .select('actor', 'actor_id'),
    ).to.deep.equal([{ actor: 'operator', actor_id: null }]);
  });
});

describe('a required second factor', () => {
  const api = withTestApi({ requiresSecondFactor: true });

  it('is set up before anything else', async () => {
    const session = await signIn(api());
    expect((await session.get('/session')).json()).to.include({ needs: 'second_factor' });
    for (const path of ['/leads', '/team', '/account', '/account/sessions', '/events']) {
      const response = await session.get(path);
      expect([response.status, (response.json() as { type: string }).type], path).to.deep.equal([
        403,
        'urn:problem-type:second-factor-needed',
      ]);
    }
    const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
    expect((await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) })).status).to.equal(200);
    expect((await session.get('/session')).json()).to.include({ needs: null });
    expect((await session.get('/leads')).status).to.equal(200);
    expect((await session.delete('/account/totp')).status).to.equal(204);
    expect((await session.get('/leads')).status).to.equal(403);
  });

  it('comes after a password that another person has set', async () => {
    const session = await signIn(api(), await addStaff(api(), { must_change_password: true }));
    expect((await session.get('/session')).json()).to.include({ needs: 'new_password' });
    expect((await session.post('/account/totp', undefined)).status).to.equal(403);
    const body = { currentPassword: testPassword, password: 'another horse, another staple' };
    expect((await session.post('/account/password', body)).status).to.equal(204);
    expect((await session.get('/session')).json()).to.include({ needs: 'second_factor' });
  });
});

describe('without REQUIRE_SECOND_FACTOR', () => {
  const api = withTestApi({ requiresSecondFactor: undefined });
  const setOldest = (isRequired: boolean) =>
    api().database('staff').where({ username: 'oldest' }).update({ requires_second_factor: isRequired });
  before(() => addStaff(api(), { username: 'oldest', created_at: '2026-01-01', is_active: false }));

  it('the oldest account, even an inactive one, decides whether all accounts need a second factor', async () => {
    const session = await signIn(api());
    const state = async () => [
      ((await session.get('/session')).json() as { readonly needs: unknown }).needs,
      (await session.get('/leads')).status,
    ];
    expect(await state()).to.deep.equal([null, 200]);
    await setOldest(true);
    expect(await state()).to.deep.equal(['second_factor', 403]);
    await setOldest(false);
    expect(await state()).to.deep.equal([null, 200]);
  });

  it('the response of each step of a sign-in names what the account needs', async () => {
    await setOldest(true);
    const login = async (username: string) => {
      const response = await api().post('/api/admin/login', { username, password: testPassword });
      return (response.json() as { readonly needs: unknown }).needs;
    };
    expect(await login((await addStaff(api())).username)).to.equal('second_factor');
    const { username } = await addStaff(api(), { must_change_password: true });
    expect(await login(username)).to.equal('new_password');
    const { account, code } = await setUp(api());
    const waiting = await api().post('/api/admin/login', { username: account.username, password: testPassword });
    const entered = jsonRequest('POST', '/api/admin/login/code', { code: await code() }, { Cookie: cookieOf(waiting) });
    expect((await api().send(entered)).json()).to.include({ needs: null });
  });
});

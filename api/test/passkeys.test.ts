import { secondFactors } from '@dune-tide/db/accounts';
import type { ownAccountResponse, passkeyCreationResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { passkeyRequestResponse } from '@dune-tide/domain/responses/session';
import { expect } from 'chai';
import { certifiedAttestation, createPasskey, type SoftwarePasskey } from './software-authenticator.ts';
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

type CreationOptions = Json<typeof passkeyCreationResponse>;
type RequestOptions = Json<typeof passkeyRequestResponse>;

/** An account with a passkey. */
interface Guarded {
  readonly session: TestSession;
  readonly account: TestAccount;
  readonly passkey: SoftwarePasskey;
  readonly recoveryCodes: readonly string[];
}

const beginCreation = async (session: TestSession): Promise<CreationOptions> => {
  const response = await session.post('/account/passkeys/options', undefined);
  expect(response.status).to.equal(200);
  return response.json() as CreationOptions;
};

/** Adds a passkey to the account of a session. */
async function add(api: TestApi, session: TestSession, name = 'Work laptop') {
  const { passkey, created } = createPasskey(await beginCreation(session), api.publicUrl);
  const response = await session.post('/account/passkeys', { name, ...created });
  expect(response.status).to.equal(201);
  return { passkey, codes: (response.json() as { codes: string[] }).codes };
}

async function addTotp(session: TestSession): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
  const confirmed = await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) });
  expect(confirmed.status).to.equal(200);
  return { secret, ...(confirmed.json() as { codes: string[] }) };
}

async function setUp(api: TestApi, overrides: Record<string, unknown> = {}): Promise<Guarded> {
  const session = await signIn(api, await addStaff(api, overrides));
  const { passkey, codes } = await add(api, session);
  return { session, account: session.account, passkey, recoveryCodes: codes };
}

const ownAccount = async (session: TestSession): Promise<Json<typeof ownAccountResponse>> =>
  (await session.get('/account')).json() as Json<typeof ownAccountResponse>;

describe('passkeys', () => {
  const api = withTestApi();
  const login = (account: TestAccount): Promise<TestResponse> =>
    api().post('/api/admin/login', { username: account.username, password: testPassword });
  const sendWaiting = (cookie: string, path: string, body?: unknown): Promise<TestResponse> => {
    const request = jsonRequest('POST', `/api/admin/login/${path}`, body);
    return api().send({ ...request, headers: { ...request.headers, Cookie: cookie } });
  };
  /** Enters the password. @returns the cookie of the waiting sign-in */
  const begin = async (account: TestAccount): Promise<string> => {
    const response = await login(account);
    expect(response.status).to.equal(202);
    return cookieOf(response);
  };
  const ask = async (cookie: string): Promise<RequestOptions> => {
    const response = await sendWaiting(cookie, 'passkey/options');
    expect(response.status).to.equal(200);
    return response.json() as RequestOptions;
  };
  const fieldOf = (response: TestResponse): unknown => (response.json() as ProblemBody).errors?.[0]?.field;
  const expire = (table: string, account: TestAccount): Promise<unknown> =>
    api()
      .database(table)
      .where({ staff_id: account.id })
      .update({ passkey_challenge_expires_at: api().database.raw('now()') });

  it('are created for the account and the site, without an attestation', async () => {
    const session = await signIn(api());
    const options = await beginCreation(session);
    expect(options.rp).to.deep.equal({ id: 'studio.example', name: 'Dune & Tide' });
    expect(options.user).to.deep.equal({
      id: Buffer.from(session.account.id.replaceAll('-', ''), 'hex').toString('base64url'),
      name: session.account.username,
      displayName: session.account.name,
    });
    expect(options).to.deep.include({ attestation: 'none', excludeCredentials: [] });
    expect(options.authenticatorSelection).to.deep.equal({ residentKey: 'preferred', userVerification: 'preferred' });
    expect(Buffer.from(options.challenge, 'base64url')).to.have.length(32);
    expect((await beginCreation(session)).challenge).to.not.equal(options.challenge);
  });

  it('complete a sign-in, which is none before', async () => {
    const { account, passkey, recoveryCodes } = await setUp(api());
    expect(recoveryCodes).to.have.length(10);
    const password = await login(account);
    expect([password.status, password.json()]).to.deep.equal([202, { secondFactors: ['passkey'] }]);
    const waiting = cookieOf(password);
    expect((await sessionOf(api(), account, waiting).get('/session')).status).to.equal(401);
    const request = await ask(waiting);
    expect(request).to.include({ rpId: 'studio.example', userVerification: 'preferred' });
    expect(request.allowCredentials).to.deep.equal([{ id: passkey.id, type: 'public-key', transports: ['internal'] }]);
    const done = await sendWaiting(waiting, 'passkey', passkey.use(request));
    expect(done.status).to.equal(200);
    expect(done.json()).to.include({ id: account.id, needs: null });
    const session = sessionOf(api(), account, cookieOf(done));
    const entry = await api()
      .database('audit_log')
      .where({ subject_id: account.id, action: 'signed_in' })
      .orderBy('position', 'desc')
      .first<{ details: Record<string, unknown> }>('details');
    expect(entry.details).to.include({ factor: 'passkey' });
    expect((await session.get('/leads')).status).to.equal(200);
    const [own] = (await ownAccount(session)).passkeys;
    expect(own).to.include({ name: 'Work laptop' });
    expect(own?.lastUsedAt).to.match(/^\d{4}-/);
    expect((await sendWaiting(waiting, 'passkey/options')).status, 'a sign-in completes once').to.equal(401);
    expect((await sendWaiting('', 'passkey/options')).status).to.equal(401);
    expect((await sendWaiting('', 'passkey', passkey.use(request))).status).to.equal(401);
  });

  it('accept each challenge once, also in concurrent calls', async () => {
    const { account, passkey } = await setUp(api());
    const waiting = await begin(account);
    const signature = passkey.use(await ask(waiting));
    const responses = await Promise.all([1, 2, 3].map(() => sendWaiting(waiting, 'passkey', signature)));
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).to.have.length(1);
  });

  it('are refused without the newest challenge of their own sign-in', async () => {
    const { account, passkey } = await setUp(api());
    const other = passkey.use(await ask(await begin(account)));
    const waiting = await begin(account);
    expect(fieldOf(await sendWaiting(waiting, 'passkey', other)), 'no challenge').to.equal('id');
    await ask(waiting);
    expect(fieldOf(await sendWaiting(waiting, 'passkey', other)), 'the challenge of another sign-in').to.equal('id');
    const first = await ask(waiting);
    const second = await ask(waiting);
    expect(fieldOf(await sendWaiting(waiting, 'passkey', passkey.use(first))), 'a replaced challenge').to.equal('id');
    expect(fieldOf(await sendWaiting(waiting, 'passkey', passkey.use(second))), 'a used challenge').to.equal('id');
    expect((await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting)))).status).to.equal(200);
  });

  it('are refused after five minutes', async () => {
    const { account, passkey, session } = await setUp(api());
    const waiting = await begin(account);
    const signature = passkey.use(await ask(waiting));
    await expire('pending_sign_ins', account);
    expect(fieldOf(await sendWaiting(waiting, 'passkey', signature))).to.equal('id');
    const { created } = createPasskey(await beginCreation(session), api().publicUrl);
    await expire('sessions', account);
    expect(fieldOf(await session.post('/account/passkeys', { name: 'Late', ...created }))).to.equal('id');
  });

  it('of another account or of none are refused', async () => {
    const { account } = await setUp(api());
    const other = await setUp(api());
    const waiting = await begin(account);
    expect(fieldOf(await sendWaiting(waiting, 'passkey', other.passkey.use(await ask(waiting))))).to.equal('id');
    const stranger = createPasskey(await beginCreation(other.session), api().publicUrl).passkey;
    expect(fieldOf(await sendWaiting(waiting, 'passkey', stranger.use(await ask(waiting))))).to.equal('id');
    // The id of the account's own passkey with the signature of another one.
    const own = (await ask(waiting)).allowCredentials[0]?.id;
    const forged = { ...other.passkey.use(await ask(waiting)), id: own };
    expect(fieldOf(await sendWaiting(waiting, 'passkey', forged))).to.equal('id');
    expect(
      await api().database('audit_log').where({ subject_id: account.id, action: 'second_factor_refused' }),
    ).to.have.length(3);
  });

  it('are refused from another origin, for another site, with another type and without a press', async () => {
    const { account, passkey, session } = await setUp(api());
    const faults = [
      { origin: 'https://studio.example' },
      { origin: 'http://studio.example:8080' },
      { origin: 'http://studio.example.evil.example' },
      { rpId: 'evil.example' },
      { type: 'webauthn.other' },
      { isPresent: false },
    ];
    for (const fault of faults) {
      const { created } = createPasskey(await beginCreation(session), api().publicUrl, fault);
      const added = await session.post('/account/passkeys', { name: 'Wrong', ...created });
      expect(fieldOf(added), JSON.stringify(fault)).to.equal('id');
      const waiting = await begin(account);
      const used = await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting), fault));
      expect(fieldOf(used), JSON.stringify(fault)).to.equal('id');
      // Each right one resets the limit of wrong ones.
      expect((await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting)))).status).to.equal(200);
    }
    expect((await ownAccount(session)).passkeys).to.have.length(1);
    expect(
      api()
        .logLines()
        .map(({ msg }) => msg),
    ).to.include('passkey refused');
  });

  it('are not created with certificates, whose checks would send requests to addresses in them', async () => {
    const session = await signIn(api());
    const { created } = createPasskey(await beginCreation(session), api().publicUrl, {
      attestation: certifiedAttestation,
    });
    expect(fieldOf(await session.post('/account/passkeys', { name: 'Certified', ...created }))).to.equal('id');
    const { error } = api()
      .logLines()
      .findLast(({ msg }) => msg === 'passkey refused') as { error: { name: string } };
    expect(error.name).to.equal('UnrequestedAttestationError');
  });

  it('whose counter does not grow are refused', async () => {
    const { account, passkey } = await setUp(api());
    const use = async (counter: number): Promise<number> => {
      passkey.counter = counter;
      const waiting = await begin(account);
      return (await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting)))).status;
    };
    expect(await use(0)).to.equal(200);
    expect(await use(0), 'without a counter').to.equal(200);
    expect(await use(2 ** 32 - 2)).to.equal(200);
    expect(await use(2 ** 32 - 2)).to.equal(422);
    expect(await use(7)).to.equal(422);
    expect(await use(0)).to.equal(422);
    expect(await use(2 ** 32 - 1)).to.equal(200);
  });

  it('are stored with the public key only, and their parts are not logged', async () => {
    const { account, passkey, session } = await setUp(api());
    const { created } = createPasskey(await beginCreation(session), api().publicUrl, { origin: 'http://evil.example' });
    await session.post('/account/passkeys', { name: 'Wrong', ...created });
    const logged = JSON.stringify(api().logLines());
    for (const text of [passkey.id, String(created['id']), String(created['clientDataJSON'])]) {
      expect(logged).to.not.include(text);
    }
    const [row] = await api()
      .database<{ public_key: Buffer; staff_id: string }>('passkeys')
      .where({ staff_id: account.id });
    expect(row?.public_key).to.have.length(77);
  });

  it('can be several with a name each, are added once, and are removed one by one', async () => {
    const { session, account, passkey } = await setUp(api(), { email: 'guarded@studio.example' });
    const { codes } = await add(api(), session, 'Phone');
    expect(codes, 'recovery codes come with the first').to.deep.equal([]);
    expect((await beginCreation(session)).excludeCredentials).to.have.length(2);
    const again = createPasskey(await beginCreation(session), api().publicUrl);
    const body = { name: 'Again', ...again.created };
    expect((await session.post('/account/passkeys', body)).status).to.equal(201);
    expect(fieldOf(await session.post('/account/passkeys', body)), 'the challenge was used').to.equal('id');
    const { passkeys, recoveryCodesLeft } = await ownAccount(session);
    expect(passkeys.map(({ name }) => name)).to.deep.equal(['Work laptop', 'Phone', 'Again']);
    expect(recoveryCodesLeft).to.equal(10);
    const [first, ...others] = passkeys;
    const stranger = await signIn(api());
    expect((await stranger.delete(`/account/passkeys/${first?.id}`)).status, 'of another account').to.equal(404);
    expect((await session.delete(`/account/passkeys/${first?.id}`)).status).to.equal(204);
    expect((await session.delete(`/account/passkeys/${first?.id}`)).status).to.equal(404);
    expect((await ownAccount(session)).recoveryCodesLeft, 'the others stay').to.equal(10);
    const waiting = await begin(account);
    expect(fieldOf(await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting))))).to.equal('id');
    for (const { id } of others) expect((await session.delete(`/account/passkeys/${id}`)).status).to.equal(204);
    expect(await ownAccount(session)).to.deep.include({ passkeys: [], recoveryCodesLeft: 0, hasTotp: false });
    expect((await sendWaiting(waiting, 'passkey/options')).status, 'the sign-in ended').to.equal(401);
    expect((await login(account)).status).to.equal(200);
    const events = await api()
      .database('follow_ups')
      .join('account_notices', 'account_notices.id', 'follow_ups.id')
      .where({ recipient: 'guarded@studio.example' })
      .orderBy('follow_ups.created_at')
      .pluck<string[]>('event');
    expect(events).to.deep.equal([
      ...Array(3).fill('second_factor_added'),
      ...Array(3).fill('second_factor_removed'),
      'new_device',
    ]);
    const actions = await api().database('audit_log').where({ subject_id: account.id }).pluck<string[]>('action');
    expect(actions.filter((action) => action === 'second_factor_added')).to.have.length(3);
    expect(actions.filter((action) => action === 'second_factor_removed')).to.have.length(3);
  });

  it('of one authenticator are refused for a second account, and an account has at most 20', async () => {
    const { account, session } = await setUp(api());
    const shared = createPasskey(await beginCreation(session), api().publicUrl);
    expect((await session.post('/account/passkeys', { name: 'Key', ...shared.created })).status).to.equal(201);
    const rows = Array.from({ length: 18 }, (_, index) => ({
      staff_id: account.id,
      credential_id: `${account.id}-${index}`,
      public_key: Buffer.from([1]),
      counter: 0,
      transports: [],
      name: `Key ${index}`,
    }));
    await api().database('passkeys').insert(rows);
    const { created } = createPasskey(await beginCreation(session), api().publicUrl);
    expect((await session.post('/account/passkeys', { name: 'One more', ...created })).status).to.equal(409);
    const other = await signIn(api());
    const copied = createPasskey(await beginCreation(other), api().publicUrl, {});
    await api()
      .database('passkeys')
      .where({ credential_id: `${account.id}-0` })
      .update({ credential_id: copied.passkey.id });
    expect((await other.post('/account/passkeys', { name: 'Copied', ...copied.created })).status).to.equal(409);
    expect((await login(other.account)).status).to.equal(200);
  });

  it('work beside an app: either completes a sign-in, and removing one leaves the other and the codes', async () => {
    const { session, account, passkey, recoveryCodes } = await setUp(api());
    const { secret, codes } = await addTotp(session);
    expect(codes, 'the codes came with the passkey').to.deep.equal([]);
    expect((await login(account)).json()).to.deep.equal({ secondFactors: ['passkey', 'code'] });
    // The next code, since the current one has confirmed the app.
    const code = await codeAt(secret, 1);
    expect((await sendWaiting(await begin(account), 'code', { code })).status).to.equal(200);
    expect((await session.delete('/account/totp')).status).to.equal(204);
    expect(await ownAccount(session)).to.include({ hasTotp: false, recoveryCodesLeft: 10 });
    expect((await login(account)).json()).to.deep.equal({ secondFactors: ['passkey'] });
    const [recoveryCode = ''] = recoveryCodes;
    expect((await sendWaiting(await begin(account), 'code', { code: recoveryCode })).status).to.equal(200);
    const waiting = await begin(account);
    expect((await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting)))).status).to.equal(200);
    const replaced = await session.post('/account/recovery-codes', undefined);
    expect((replaced.json() as { codes: string[] }).codes).to.have.length(10);

    const other = await signIn(api());
    expect((await addTotp(other)).codes).to.have.length(10);
    expect((await add(api(), other)).codes, 'the codes came with the app').to.deep.equal([]);
    const [own] = (await ownAccount(other)).passkeys;
    expect((await other.delete(`/account/passkeys/${own?.id}`)).status).to.equal(204);
    expect((await login(other.account)).json()).to.deep.equal({ secondFactors: ['code'] });
  });

  it('have the limit of codes, which both share', async () => {
    const { account, passkey } = await setUp(api());
    const waiting = await begin(account);
    const wrong = { origin: 'http://evil.example' };
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting), wrong))).status).to.equal(422);
    }
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await sendWaiting(waiting, 'code', { code: '000000' })).status).to.equal(422);
    }
    const refused = await sendWaiting(waiting, 'passkey', passkey.use(await ask(waiting)));
    expect(refused.status).to.equal(429);
    expect(refused.headers).to.have.property('retry-after');
  });

  it('do not complete a sign-in after a new password or a deactivation', async () => {
    for (const change of [
      { password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA' },
      { is_active: false },
    ]) {
      const { account, passkey } = await setUp(api());
      const waiting = await begin(account);
      const signature = passkey.use(await ask(waiting));
      await api().database('staff').where({ id: account.id }).update(change);
      expect((await sendWaiting(waiting, 'passkey', signature)).status).to.equal(401);
      expect((await sendWaiting(waiting, 'passkey/options')).status).to.equal(401);
    }
  });

  it('are added and removed only with a fresh password', async () => {
    const { session, account } = await setUp(api());
    const { created } = createPasskey(await beginCreation(session), api().publicUrl);
    const [own] = (await ownAccount(session)).passkeys;
    await api()
      .database('sessions')
      .where({ staff_id: account.id })
      .update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
    for (const response of [
      await session.post('/account/passkeys/options', undefined),
      await session.post('/account/passkeys', { name: 'Later', ...created }),
      await session.delete(`/account/passkeys/${own?.id}`),
    ]) {
      expect([response.status, (response.json() as { type: string }).type]).to.deep.equal([
        403,
        'urn:problem-type:password-needed',
      ]);
    }
    expect((await session.post('/account/confirm', { password: testPassword })).status).to.equal(204);
    expect((await session.post('/account/passkeys', { name: 'Later', ...created })).status).to.equal(201);
  });

  it('can be removed by an operator, together with an app', async () => {
    const { session, account } = await setUp(api());
    await addTotp(session);
    await add(api(), session, 'Phone');
    const factors = secondFactors(api().database);
    expect(await factors.removeByOperator(account.id)).to.equal(true);
    expect(await factors.removeByOperator(account.id)).to.equal(false);
    expect((await login(account)).status).to.equal(200);
    expect((await session.get('/session')).status, 'the account is signed out').to.equal(401);
    expect(await factors.of(account.id)).to.deep.equal({ passkeys: [], hasTotp: false, recoveryCodesLeft: 0 });
    expect(
      await api()
        .database('audit_log')
        .where({ subject_id: account.id, action: 'second_factor_removed' })
        .select('actor', 'actor_id'),
    ).to.deep.equal([{ actor: 'operator', actor_id: null }]);
  });
});

describe('a required second factor that is a passkey', () => {
  const api = withTestApi({ requiresSecondFactor: true });

  it('is accepted', async () => {
    const session = await signIn(api());
    expect((await session.get('/session')).json()).to.include({ needs: 'second_factor' });
    expect((await add(api(), session)).codes).to.have.length(10);
    expect((await session.get('/session')).json()).to.include({ needs: null });
    expect((await session.get('/leads')).status).to.equal(200);
  });
});

describe('passkeys of a local site', () => {
  const api = withTestApi({ publicUrl: 'http://localhost:8123' });

  it('are bound to localhost, and the origin includes the port', async () => {
    const session = await signIn(api());
    expect((await beginCreation(session)).rp.id).to.equal('localhost');
    const wrong = createPasskey(await beginCreation(session), 'http://localhost:8124');
    expect((await session.post('/account/passkeys', { name: 'Wrong', ...wrong.created })).status).to.equal(422);
    await add(api(), session);
  });
});

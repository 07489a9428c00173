import { idTokens } from '@dune-tide/platform/id-tokens';
import { expect } from 'chai';
import { describeDevice } from '../src/auth/session-origin.ts';
import {
  addStaff,
  cookieOf,
  sessionOf,
  signIn,
  testPassword,
  type TestAccount,
  type TestSession,
} from './staff-support.ts';
import { withTestApi, type TestResponse, type ProblemBody } from './support.ts';

const testKeys = ['a key of the tests of accounts, which signs links'];
const newPassword = 'another horse, another staple';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('one’s own account', () => {
  const api = withTestApi({ sessionKeys: testKeys });
  const login = (account: TestAccount, password: string): Promise<TestResponse> =>
    api().post('/api/admin/login', { username: account.username, password });
  const errorsOf = (response: TestResponse): unknown => (response.json() as ProblemBody).errors;
  const typeOf = (response: TestResponse): unknown => (response.json() as { type: unknown }).type;
  const actionsOf = ({ account }: TestSession): Promise<string[]> =>
    api().database('audit_log').where({ subject_id: account.id }).orderBy('position').pluck<string[]>('action');
  const noticesTo = (recipient: string): Promise<unknown[]> =>
    api()
      .database('follow_ups')
      .join('account_notices', 'account_notices.id', 'follow_ups.id')
      .where({ recipient })
      .orderBy('follow_ups.created_at')
      .select('event', 'actor_id as actorId', 'state');

  describe('choice of emails about leads', () => {
    it('is hourly at first, and one of the three after a change', async () => {
      const own = await signIn(api());
      const chosen = async (): Promise<unknown> =>
        ((await own.get('/account')).json() as { leadEmails: unknown }).leadEmails;
      expect(await chosen()).to.equal('hourly');
      for (const leadEmails of ['never', 'immediate', 'hourly']) {
        expect((await own.patch('/account/lead-emails', { leadEmails })).status).to.equal(204);
        expect(await chosen()).to.equal(leadEmails);
      }
      expect((await own.patch('/account/lead-emails', { leadEmails: 'daily' })).status).to.equal(422);
      expect((await own.patch('/account/lead-emails', {})).status).to.equal(422);
      expect(await chosen()).to.equal('hourly');
    });
  });

  describe('password', () => {
    it('changes with the current one, which ends the other sessions', async () => {
      const own = await signIn(api(), await addStaff(api(), { email: 'changes@studio.example' }));
      const other = await signIn(api(), own.account);
      const response = await own.post('/account/password', { currentPassword: testPassword, password: newPassword });
      expect(response.status).to.equal(204);
      expect((await own.get('/session')).status).to.equal(200);
      expect((await other.get('/session')).status).to.equal(401);
      expect(await actionsOf(own)).to.include('password_changed');
      const actorId = own.account.id;
      expect(await noticesTo('changes@studio.example')).to.deep.equal([
        { event: 'new_device', actorId, state: 'pending' },
        { event: 'password_changed', actorId, state: 'pending' },
      ]);
      expect((await login(own.account, testPassword)).status).to.equal(401);
      expect((await login(own.account, newPassword)).status).to.equal(200);
    });

    it('stays if the current one is wrong, or the new one is the same or easy to guess', async () => {
      const own = await signIn(api());
      for (const [currentPassword, password, field] of [
        ['a wrong password', newPassword, 'currentPassword'],
        [testPassword, testPassword, 'password'],
        [testPassword, 'password', 'password'],
      ] as const) {
        const response = await own.post('/account/password', { currentPassword, password });
        expect(response.status).to.equal(422);
        expect(errorsOf(response)).to.have.length(1).and.have.nested.property('[0].field', field);
      }
      expect((await login(own.account, testPassword)).status).to.equal(200);
      expect(await actionsOf(own))
        .to.include('password_refused')
        .and.not.include('password_changed');
    });

    it('cannot be guessed without limit in a stolen session', async () => {
      const own = await signIn(api());
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await own.post('/account/confirm', { password: `guess ${attempt}` })).status).to.equal(422);
      }
      for (const [path, body] of [
        ['/account/confirm', { password: testPassword }],
        ['/account/password', { currentPassword: testPassword, password: newPassword }],
      ] as const) {
        const response = await own.post(path, body);
        expect(response.status).to.equal(429);
        expect(response.headers).to.have.property('retry-after');
      }
      expect((await login(own.account, testPassword)).status, 'the sign-in is counted separately').to.equal(200);
    });

    it('must be changed before anything else if another person has set it', async () => {
      const admin = await signIn(api());
      const account = await addStaff(api());
      const set = 'set by an admin';
      expect((await admin.patch(`/team/${account.id}`, { password: set })).status).to.equal(200);
      const signedIn = await login(account, set);
      expect(signedIn.json()).to.include({ needs: 'new_password' });
      const own = sessionOf(api(), account, cookieOf(signedIn));
      expect((await own.get('/session')).json()).to.include({ needs: 'new_password' });
      for (const [method, path] of [
        ['GET', '/api/admin/leads'],
        ['GET', '/api/admin/account'],
        ['GET', '/api/admin/account/sessions'],
        ['GET', '/api/admin/events'],
        ['GET', '/api/admin/leads.csv'],
        ['GET', '/api/admin/queue'],
        ['GET', '/API/ADMIN/leads'],
        ['GET', '/api/admin/session/'],
        ['POST', '/api/admin/account/confirm'],
        ['POST', '/api/admin/team'],
        ['PATCH', `/api/admin/team/${account.id}`],
      ] as const) {
        const response = await own.sendJson(method, path, method === 'GET' ? undefined : {});
        expect([response.status, typeOf(response)], path).to.deep.equal([403, 'urn:problem-type:new-password-needed']);
      }
      const body = { currentPassword: set, password: newPassword };
      expect((await own.post('/account/password', body)).status).to.equal(204);
      expect((await own.get('/session')).json()).to.include({ needs: null });
      expect((await own.get('/leads')).status).to.equal(200);
      expect((await login(account, newPassword)).json()).to.include({ needs: null });
    });
  });

  it('cannot be taken over by the newest member unseen', async () => {
    const owner = await addStaff(api(), { username: 'owner', email: 'owner@studio.example' });
    const newest = await signIn(api());
    // The session was left open: its password was entered long ago.
    await api()
      .database('sessions')
      .where({ staff_id: newest.account.id })
      .update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
    const attack = [{ email: 'newest@attacker.example' }, { password: 'taken over by me' }, { isActive: false }];
    for (const body of attack) expect((await newest.patch(`/team/${owner.id}`, body)).status).to.equal(403);
    expect((await login(owner, testPassword)).status).to.equal(200);

    expect((await newest.post('/account/confirm', { password: testPassword })).status).to.equal(204);
    for (const body of attack) expect((await newest.patch(`/team/${owner.id}`, body)).status).to.equal(200);
    const actorId = newest.account.id;
    // The new address gets a link, and nothing else goes to it.
    expect(await noticesTo('newest@attacker.example')).to.deep.equal([
      { event: 'email_to_confirm', actorId, state: 'pending' },
    ]);
    expect(await noticesTo('owner@studio.example')).to.deep.equal([
      { event: 'password_set', actorId, state: 'pending' },
      { event: 'deactivated', actorId, state: 'pending' },
    ]);
    expect(
      await api()
        .database('audit_log')
        .where({ subject_id: owner.id, actor_id: actorId })
        .orderBy('position')
        .pluck('action'),
    ).to.deep.equal(['email_entered', 'password_set', 'member_deactivated']);
  });

  describe('name and email address', () => {
    const linkTo = async (recipient: string): Promise<string> => {
      const [id = ''] = await api()
        .database('follow_ups')
        .where({ recipient })
        .orderBy('created_at', 'desc')
        .pluck<string[]>('id');
      return `/confirm-email/${idTokens(testKeys, 'email-token').issue(id)}`;
    };
    const open = (path: string, method = 'GET') => api().send({ method, path });

    it('are returned and changed; a new address counts when its owner has confirmed it', async () => {
      const own = await signIn(api(), await addStaff(api(), { email: 'before@studio.example' }));
      const { id, username } = own.account;
      const changed = await own.patch('/account', { name: ' Noura \u202eSaleh ', email: 'after@studio.example' });
      expect(changed.status).to.equal(200);
      const expected = {
        id,
        username,
        name: 'Noura Saleh',
        email: 'before@studio.example',
        pendingEmail: 'after@studio.example',
        leadEmails: 'hourly',
        hasTotp: false,
        passkeys: [],
        recoveryCodesLeft: 0,
      };
      expect(changed.json()).to.deep.equal(expected);
      expect((await own.get('/account')).json()).to.deep.equal(expected);
      expect((await own.get('/session')).json()).to.include({ name: 'Noura Saleh' });
      expect(await noticesTo('before@studio.example')).to.deep.equal([]);

      const link = await linkTo('after@studio.example');
      for (const method of ['GET', 'HEAD', 'GET']) expect((await open(link, method)).status).to.equal(200);
      expect((await own.get('/account')).json(), 'scanners of mail confirm nothing').to.deep.equal(expected);
      const confirmations = await Promise.all([open(link, 'POST'), open(link, 'POST')]);
      expect(confirmations.map(({ status }) => status)).to.have.members([200, 404]);
      const confirmed = { email: 'after@studio.example', pendingEmail: null };
      expect((await own.get('/account')).json()).to.include(confirmed);
      expect(await noticesTo('before@studio.example')).to.deep.equal([
        { event: 'email_changed', actorId: id, state: 'pending' },
      ]);
      await own.patch('/account', { name: 'Noura Saleh', email: 'after@studio.example' });
      expect((await own.get('/account')).json()).to.include(confirmed);
      expect(await actionsOf(own)).to.deep.equal(['signed_in', 'name_set', 'email_entered', 'email_set']);
      expect((await own.patch('/account', { name: 'Noura Saleh', email: null })).json()).to.include({ email: null });
    });

    it('stay as they are after a link that was replaced, is too old, or has another key', async () => {
      const own = await signIn(api(), await addStaff(api(), { email: 'first@studio.example' }));
      const ask = (email: string) => own.patch('/account', { name: 'Noura', email });
      const { database } = api();
      await ask('replaced@studio.example');
      const replaced = await linkTo('replaced@studio.example');
      await ask('old@studio.example');
      const old = await linkTo('old@studio.example');
      expect((await open(replaced, 'POST')).status).to.equal(404);
      await database('pending_emails').update({ created_at: database.raw(`now() - interval '25 hours'`) });
      expect((await open(old)).status).to.equal(404);
      expect((await open(old, 'POST')).status).to.equal(404);
      expect((await own.get('/account')).json()).to.include({ email: 'first@studio.example', pendingEmail: null });

      await ask('dropped@studio.example');
      const dropped = await linkTo('dropped@studio.example');
      expect((await open(`${dropped.slice(0, -1)}${dropped.endsWith('A') ? 'B' : 'A'}`, 'POST')).status).to.equal(404);
      await own.post('/account/password', { currentPassword: testPassword, password: newPassword });
      expect((await open(dropped, 'POST')).status).to.equal(404);
      expect((await own.get('/account')).json()).to.include({ email: 'first@studio.example', pendingEmail: null });
    });

    it('need a password that was entered within ten minutes, as does the end of a session', async () => {
      const own = await signIn(api());
      await api()
        .database('sessions')
        .where({ staff_id: own.account.id })
        .update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
      expect((await own.patch('/account', { name: 'Noura', email: 'thief@attacker.example' })).status).to.equal(403);
      expect(await noticesTo('thief@attacker.example')).to.deep.equal([]);
    });

    it('follow the rules of the form', async () => {
      const own = await signIn(api());
      for (const [body, field] of [
        [{ name: '' }, 'name'],
        [{ name: '\u202e' }, 'name'],
        [{ name: 'Noura', email: 'no address' }, 'email'],
        [{ email: null }, 'name'],
      ] as const) {
        const response = await own.patch('/account', body);
        expect([response.status, errorsOf(response)], field).to.have.deep.nested.property('[1][0].field', field);
      }
    });
  });

  describe('sessions', () => {
    interface Listed {
      readonly id: string;
      readonly isCurrent: boolean;
    }
    const listOf = async (session: TestSession): Promise<Listed[]> =>
      (await session.get('/account/sessions')).json() as Listed[];

    it('are listed with device, address and last use, and nothing else', async () => {
      const own = await signIn(api());
      const second = await api().send({
        method: 'POST',
        path: '/api/admin/login',
        headers: { 'Content-Type': 'application/json', 'User-Agent': firefox },
        body: JSON.stringify({ username: own.account.username, password: testPassword }),
      });
      expect(second.status).to.equal(200);
      await signIn(api());
      await api()
        .database('sessions')
        .where({ staff_id: own.account.id, device: 'Firefox on Windows' })
        .update({ last_used_at: '2026-02-03T04:05:00Z' });
      const listed = await listOf(own);
      expect(listed).to.have.length(2);
      for (const each of listed)
        expect(Object.keys(each)).to.have.members(['id', 'device', 'address', 'lastUsedAt', 'isCurrent']);
      expect(listed[0]).to.include({ device: null, address: '127.0.0.1', isCurrent: true });
      expect(listed[1]).to.include({
        device: 'Firefox on Windows',
        address: '127.0.0.1',
        lastUsedAt: '2026-02-03T04:05:00.000Z',
        isCurrent: false,
      });
    });

    it('end one or all others, and a member cannot end those of another', async () => {
      const own = await signIn(api());
      const [second, third, stranger] = [
        await signIn(api(), own.account),
        await signIn(api(), own.account),
        await signIn(api()),
      ];
      const listed = (await listOf(second)).find(({ isCurrent }) => isCurrent);
      const path = `/account/sessions/${listed?.id}`;
      expect((await stranger.delete(path)).status).to.equal(404);
      expect((await second.get('/session')).status).to.equal(200);
      expect((await own.delete(path)).status).to.equal(204);
      expect((await second.get('/session')).status).to.equal(401);
      expect((await own.delete(path)).status).to.equal(404);
      expect((await own.delete('/account/sessions')).status).to.equal(204);
      expect((await third.get('/session')).status).to.equal(401);
      expect((await own.get('/session')).status).to.equal(200);
      expect((await stranger.get('/session')).status).to.equal(200);
      expect((await actionsOf(own)).filter((action) => action === 'session_ended')).to.have.length(2);
    });
  });

  it('names common devices, and none for a text that is not one', () => {
    for (const [userAgent, device] of [
      [firefox, 'Firefox on Windows'],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
        'Safari on iOS',
      ],
      [
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
        'Chrome on Android',
      ],
      ['', null],
    ] as const) {
      expect(describeDevice(userAgent)).to.equal(device);
    }
    expect(describeDevice('x'.repeat(5_000))?.length ?? 0).to.be.at.most(100);
  });
});

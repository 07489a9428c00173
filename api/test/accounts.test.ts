import { randomUUID } from 'node:crypto';
import { newAccountForm } from '@dune-tide/domain/forms/account';
import type { accountResponse } from '@dune-tide/domain/responses/account';
import type { Json } from '@dune-tide/domain/responses/schema';
import { validExample } from '@dune-tide/domain/test/examples';
import { until } from '@dune-tide/testkit/until';
import { verify } from '@node-rs/argon2';
import { expect } from 'chai';
import { addStaff, signIn, testPassword, type TestSession } from './staff-support.ts';
import { withTestApi, type TestResponse, type ProblemBody } from './support.ts';

const team = '/api/admin/team';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Malformed ids, and a valid one without an account. */
const strangeIds = [
  '0',
  '-1',
  'abc',
  '1.5',
  '2147483648',
  '%00',
  '..%2f',
  '%2e%2e',
  '%',
  '%ff',
  "'",
  'null',
  'a'.repeat(3000),
  '019ab0de-0000-7000-8000-00000000000',
  '{019ab0de-0000-7000-8000-000000000000}',
  '019ab0de000070008000000000000000',
  '019ab0de-0000-7000-8000-000000000000',
];

type TestAccount = Json<typeof accountResponse>;

describe('staff accounts', () => {
  const api = withTestApi();
  let session: TestSession;
  before(async () => {
    session = await signIn(api());
  });

  const accountOf = (response: TestResponse): TestAccount => response.json() as TestAccount;
  const errorsOf = (response: TestResponse): unknown => (response.json() as ProblemBody).errors;
  const add = (changes: Record<string, unknown> = {}): Promise<TestResponse> =>
    session.sendJson('POST', team, { ...validExample(newAccountForm), ...changes });
  const change = (id: string, body: unknown): Promise<TestResponse> => session.sendJson('PATCH', `${team}/${id}`, body);
  const hashOf = async (id: string): Promise<string> => {
    const row = await api().database('staff').where({ id }).first<{ password_hash: string }>('password_hash');
    return row.password_hash;
  };
  const sessionsOf = (id: string) => api().database('sessions').where({ staff_id: id });
  const numberOfAccounts = async (): Promise<number> => (await api().database('staff').select('id')).length;

  it('are listed by name, active or not, without passwords', async () => {
    await addStaff(api(), { name: 'zodwa', username: 'zodwa' });
    await addStaff(api(), { name: 'Ayesha', username: 'ayesha', is_active: false });
    await addStaff(api(), { name: 'Bilal', username: 'bilal' });
    const members = (await session.send({ path: team })).json() as TestAccount[];

    expect(members.map(({ name }) => name)).to.deep.equal(['Ayesha', 'Bilal', 'Noura al-Harbi', 'zodwa']);
    for (const account of members) {
      expect(Object.keys(account)).to.have.members([
        'id',
        'name',
        'username',
        'email',
        'pendingEmail',
        'role',
        'lastSignInAt',
        'isActive',
        'createdAt',
      ]);
      expect(account.id).to.match(uuid);
      expect(account.createdAt).to.match(time);
    }
    expect(members[0]).to.include({ username: 'ayesha', isActive: false, lastSignInAt: null });
    expect(members[2]).to.include({ username: session.account.username, isActive: true });
    expect(members[2]?.lastSignInAt).to.match(time);
  });

  it('can have an email address, which can be changed and removed', async () => {
    const added = await add({ name: 'Reem', username: 'reem', password: 'eight chars', email: ' reem@example.com ' });
    expect(added.status).to.equal(201);
    const { id } = added.json() as TestAccount;
    expect(added.json()).to.include({ email: null, pendingEmail: 'reem@example.com' });
    for (const email of ['r@example.org', null]) {
      const changed = await change(id, { email });
      expect(changed.status).to.equal(200);
      expect(changed.json()).to.include({ email: null, pendingEmail: email });
    }
    for (const email of ['', 'reem', 7, 'a@example.com\nBcc: b@example.com']) {
      expect((await change(id, { email })).status, JSON.stringify(email)).to.equal(422);
    }
  });

  describe('that are added', () => {
    it('can sign in immediately', async () => {
      const response = await add({
        name: ' Lerato Mokoena ',
        username: ' lerato ',
        password: '  eight chars  ',
        more: 1,
      });
      expect(response.status).to.equal(201);
      const { id, createdAt, ...rest } = accountOf(response);
      expect(rest).to.deep.equal({
        name: 'Lerato Mokoena',
        username: 'lerato',
        email: null,
        pendingEmail: 'lerato@example.com',
        role: 'member',
        lastSignInAt: null,
        isActive: true,
      });
      expect(id).to.match(uuid);
      expect(createdAt).to.match(time);
      expect(await hashOf(id)).to.match(/^\$argon2id\$/);
      const signedIn = await api().post('/api/admin/login', { username: 'LERATO', password: '  eight chars  ' });
      expect(signedIn.status).to.equal(200);
      expect(signedIn.json()).to.include({ needs: 'new_password' });
    });

    it('are refused if the username is taken, in any case or Unicode form, even by an inactive account', async () => {
      await addStaff(api(), { username: 'Taken.Éclair', is_active: false });
      const count = await numberOfAccounts();
      for (const username of ['tAKEN.éclair', 'taken.e\u0301clair', '\uff54aken.éclair']) {
        const response = await add({ username });
        expect(response.status).to.equal(422);
        expect(errorsOf(response)).to.deep.equal([{ field: 'username', message: 'This username is taken' }]);
      }
      expect(await numberOfAccounts()).to.equal(count);
    });

    it('have a username that is valid in its normal form', async () => {
      expect(accountOf(await add({ username: '\ufb01ona' }))).to.include({ username: 'fiona' });
      for (const [username, message] of [
        ['\ufdfa', 'Username must be plain text without spaces'],
        ['\ufb03'.repeat(34), 'Username must be at most 100 characters'],
      ]) {
        expect(errorsOf(await add({ username }))).to.deep.equal([{ field: 'username', message }]);
      }
    });

    it('have no invisible characters in their name, except joiners between letters', async () => {
      for (const [name, stored] of [
        ['Noura \u202egnitekram', 'Noura gnitekram'],
        ['\u2066Thabo\u2069\u200b O\u00adNeill\ufeff', 'Thabo ONeill'],
        ['\u202e Zodwa', 'Zodwa'],
        ['\u0639\u0644\u06cc\u200c\u0631\u0636\u0627', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627'],
      ] as const) {
        expect(accountOf(await add({ name, username: `invisible-${stored.length}` })).name).to.equal(stored);
      }
      expect(errorsOf(await add({ name: '\u202e\u200d', username: 'nameless' }))).to.deep.equal([
        { field: 'name', message: 'Name is required' },
      ]);
    });

    it('are stored once for concurrent requests with the same username', async () => {
      const responses = await Promise.all(Array.from({ length: 5 }, () => add({ username: 'at-once' })));
      expect(responses.map(({ status }) => status)).to.have.members([201, 422, 422, 422, 422]);
    });

    it('are stored once per Idempotency-Key, which is refused for another request', async () => {
      const count = await numberOfAccounts();
      const headers: Record<string, string> = { 'Idempotency-Key': randomUUID() };
      const post = (changes: Record<string, unknown> = {}): Promise<TestResponse> =>
        session.sendJson(
          'POST',
          team,
          { ...validExample(newAccountForm), username: 'tried-again', ...changes },
          headers,
        );
      const responses = await Promise.all(Array.from({ length: 3 }, () => post()));
      expect(responses.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
      expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
      expect((await post({ unknown: 'key', username: ' tried-again ' })).text).to.equal(responses[0]?.text);
      for (const changes of [{ name: 'Another' }, { username: 'another' }, { password: 'another password' }]) {
        const response = await post(changes);
        expect([response.status, errorsOf(response)]).to.deep.equal([422, undefined]);
      }
      expect(await numberOfAccounts()).to.equal(count + 1);
      const first = responses[0] ?? expect.fail();
      await change(accountOf(first).id, { password: 'a new password' });
      for (const password of [testPassword, 'a good guess', 'a new password']) {
        expect((await post({ password })).text, 'the current state of the account').to.equal(first.text);
      }
      headers['Idempotency-Key'] = 'with blanks';
      expect((await post()).status).to.equal(400);
    });

    it('keep text that looks like markup or SQL as typed', async () => {
      for (const [index, name] of [
        '<script>alert(1)</script>',
        `'; drop table staff; --`,
        'نورة 🌊 O’Neill',
      ].entries()) {
        const response = await add({ name, username: `<b>&"${index}` });
        expect(accountOf(response)).to.include({ name, username: `<b>&"${index}` });
      }
    });

    it('are refused with a password that is easy to guess, also when they get a new one', async () => {
      const count = await numberOfAccounts();
      const known = await signIn(api(), await addStaff(api(), { username: 'n.alharbi' }));
      for (const password of ['password', '12345678', ' '.repeat(8), 'N.AlHarbi.2', 'DuneTide2026']) {
        for (const response of [
          await add({ username: 'n.alharbi.2', password }),
          await change(known.account.id, { password }),
        ]) {
          expect(response.status, password).to.equal(422);
          expect(errorsOf(response)).to.have.length(1).and.have.nested.property('[0].field', 'password');
        }
      }
      expect(await numberOfAccounts()).to.equal(count + 1);
      expect((await known.send({ path: team })).status).to.equal(200);
    });
  });

  describe('that are changed', () => {
    it('are signed out when they are deactivated, and can sign in only after they are activated', async () => {
      const other = await signIn(api());
      const response = await change(other.account.id, { isActive: false });
      expect(response.status).to.equal(200);
      expect(accountOf(response)).to.include({ id: other.account.id, isActive: false });
      expect((await other.send({ path: '/api/admin/session' })).status).to.equal(401);
      expect(await sessionsOf(other.account.id)).to.deep.equal([]);
      const login = { username: other.account.username, password: testPassword };
      expect((await api().post('/api/admin/login', login)).status).to.equal(401);

      expect(accountOf(await change(other.account.id.toUpperCase(), { isActive: true }))).to.include({
        isActive: true,
      });
      expect((await other.send({ path: '/api/admin/session' })).status).to.equal(401);
      expect((await api().post('/api/admin/login', login)).status).to.equal(200);
    });

    it('lose all sessions and the old password when they get a new one', async () => {
      const other = await signIn(api());
      const second = await signIn(api(), other.account);
      const response = await change(other.account.id, { password: 'a new password' });
      expect(response.status).to.equal(200);
      expect(response.text).to.not.include('password').and.not.include('argon');
      for (const ended of [other, second]) expect((await ended.send({ path: team })).status).to.equal(401);
      expect(await verify(await hashOf(other.account.id), 'a new password')).to.equal(true);
      const { username } = other.account;
      expect((await api().post('/api/admin/login', { username, password: testPassword })).status).to.equal(401);
      expect((await api().post('/api/admin/login', { username, password: 'a new password' })).status).to.equal(200);
    });

    it('do not get a password from their owner here, who would not have to enter the current one', async () => {
      const own = await signIn(api());
      const response = await own.sendJson('PATCH', `${team}/${own.account.id}`, { password: 'a new password' });
      expect(response.status).to.equal(409);
      expect(await verify(await hashOf(own.account.id), testPassword)).to.equal(true);
    });

    it('need a password of the other member that was entered within ten minutes', async () => {
      const [actor, other] = [await signIn(api()), await signIn(api())];
      const enteredAgo = (minutes: number) =>
        sessionsOf(actor.account.id).update({
          password_at: api().database.raw('now() - make_interval(mins => ?)', [minutes]),
        });
      const changes = [{ password: 'a new password' }, { email: 'attacker@example.com' }, { isActive: false }];
      const before = await api().database('staff').where({ id: other.account.id });
      await enteredAgo(11);
      for (const body of changes) {
        const response = await actor.patch(`/team/${other.account.id}`, body);
        expect(response.status).to.equal(403);
        expect(response.json()).to.include({ type: 'urn:problem-type:password-needed' });
      }
      expect(await api().database('staff').where({ id: other.account.id })).to.deep.equal(before);
      expect((await other.get('/session')).status).to.equal(200);

      expect((await actor.post('/account/confirm', { password: 'a wrong password' })).status).to.equal(422);
      expect((await actor.patch(`/team/${other.account.id}`, changes[0])).status).to.equal(403);
      expect((await actor.post('/account/confirm', { password: testPassword })).status).to.equal(204);
      expect((await actor.patch(`/team/${other.account.id}`, changes[0])).status).to.equal(200);
      await enteredAgo(9);
      expect((await actor.patch(`/team/${other.account.id}`, changes[2])).status).to.equal(200);
    });

    it('cannot be changed by a stolen session that adds an account and signs in with it', async () => {
      const actor = await signIn(api());
      await sessionsOf(actor.account.id).update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
      const added = { name: 'Helper', username: 'helper.of.a.thief', password: 'a new password' };
      const response = await actor.post('/team', added);
      expect(response.status).to.equal(403);
      expect(response.json()).to.include({ type: 'urn:problem-type:password-needed' });
      expect(await api().database('staff').where({ username: added.username })).to.deep.equal([]);
      expect((await actor.post('/account/confirm', { password: testPassword })).status).to.equal(204);
      expect((await actor.post('/team', added)).status).to.equal(201);
    });

    it('cannot deactivate themselves, in whichever case the id is written', async () => {
      for (const id of [session.account.id, session.account.id.toUpperCase()]) {
        const response = await change(id, { isActive: false, password: 'a new password' });
        expect(response.status).to.equal(409);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
      expect((await session.send({ path: team })).status).to.equal(200);
      expect(await verify(await hashOf(session.account.id), testPassword)).to.equal(true);
    });

    it('keep one of two that deactivate each other concurrently', async () => {
      for (let round = 0; round < 3; round++) {
        const [one, two] = [await signIn(api()), await signIn(api())];
        const responses = await Promise.all([
          one.sendJson('PATCH', `${team}/${two.account.id}`, { isActive: false }),
          two.sendJson('PATCH', `${team}/${one.account.id}`, { isActive: false }),
        ]);
        expect(responses.map(({ status }) => status)).to.have.members([200, 401]);
      }
    });

    it('become an owner or a member, which is recorded and told to them', async () => {
      await addStaff(api(), { email: 'owner@studio.example' });
      await addStaff(api(), { email: 'gone@studio.example', is_active: false });
      const other = await addStaff(api(), { role: 'member', email: 'other@studio.example' });
      for (const [role, event] of [
        ['owner', 'made_owner'],
        ['member', 'made_member'],
      ] as const) {
        expect((await change(other.id, { role })).json()).to.include({ role });
        const notices = await api()
          .database('account_notices')
          .join('follow_ups', 'follow_ups.id', 'account_notices.id')
          .where({ staff_id: other.id, event })
          .orderBy('is_to_team')
          .select<{ recipient: string; isToTeam: boolean }[]>('recipient', 'is_to_team as isToTeam');
        const entries = await api().database('audit_log').where({ subject_id: other.id, action: event });
        expect(entries, event).to.have.length(1);
        expect(notices, 'to the account, and to the owners with an address').to.deep.equal([
          { recipient: 'other@studio.example', isToTeam: false },
          { recipient: 'owner@studio.example', isToTeam: true },
        ]);
      }
      expect((await change(other.id, { role: 'king' })).status).to.equal(422);
    });

    it('leave an active owner, also if the last two demote or deactivate each other concurrently', async () => {
      const { database } = api();
      await database('staff').whereNot({ id: session.account.id }).update({ role: 'member' });
      for (const body of [{ role: 'member' }, { isActive: false }]) {
        const alone = await change(session.account.id, body);
        expect(alone.status, JSON.stringify(body)).to.equal(409);
        const other = await signIn(api());
        const responses = await Promise.all([
          change(other.account.id, body),
          other.sendJson('PATCH', `${team}/${session.account.id}`, body),
        ]);
        const [first, second] = responses.map(({ status }) => status).toSorted((a, b) => a - b);
        expect(first).to.equal(200);
        expect(second).to.be.oneOf([401, 403]);
        expect(await database('staff').where({ role: 'owner', is_active: true })).to.have.length(1);
        await database('staff').where({ id: session.account.id }).update({ role: 'owner', is_active: true });
        await database('staff').whereNot({ id: session.account.id }).update({ role: 'member' });
        session = await signIn(api(), session.account);
      }
    });

    it('stay unchanged by an empty body and by fields that cannot be changed', async () => {
      const other = await signIn(api());
      const before = await api().database('staff').where({ id: other.account.id });
      for (const body of [
        {},
        { id: session.account.id, createdAt: '2020-01-01', username: 'x', name: 'y', lastSignInAt: null },
      ]) {
        const response = await change(other.account.id, body);
        expect(response.status).to.equal(200);
        expect(accountOf(response)).to.include({ id: other.account.id, username: other.account.username });
      }
      expect(await api().database('staff').where({ id: other.account.id })).to.deep.equal(before);
      expect((await other.send({ path: team })).status).to.equal(200);
    });

    it('reject a blank field', async () => {
      const other = await signIn(api());
      const missed = { field: 'password', message: 'Password must be at least 8 characters' };
      expect(errorsOf(await change(other.account.id, { password: '' }))).to.deep.equal([missed]);
      expect(errorsOf(await change(other.account.id, { isActive: null, password: null }))).to.deep.equal([
        { field: 'isActive', message: 'Active must be on or off' },
        missed,
      ]);
      expect((await other.send({ path: team })).status).to.equal(200);
    });

    it('must exist, otherwise the response is 404', async () => {
      for (const id of strangeIds) {
        for (const body of [{ isActive: true }, {}]) {
          const response = await change(id, body);
          expect(response.status, id.slice(0, 50)).to.equal(404);
          expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
        }
      }
    });
  });

  it('are not changed by a session that ends while its call waits', async () => {
    const [actor, other] = [await signIn(api()), await addStaff(api())];
    const [count, before] = [await numberOfAccounts(), await hashOf(other.id)];
    const transaction = await api().database.transaction();
    await transaction('staff').where({ id: actor.account.id }).forUpdate().select('id');
    const responding = Promise.all([
      actor.sendJson('POST', team, { ...validExample(newAccountForm), username: 'too-late' }),
      actor.sendJson('PATCH', `${team}/${other.id}`, { password: 'a new password' }),
    ]);
    await until('both wait for the account', async () => {
      const { rows } = await api().database.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length === 2;
    });
    await transaction('sessions').where({ staff_id: actor.account.id }).delete();
    await transaction.commit();
    expect((await responding).map(({ status }) => status)).to.deep.equal([401, 401]);
    expect([await numberOfAccounts(), await hashOf(other.id)]).to.deep.equal([count, before]);
  });

  it('are recorded in the audit log by id only', async () => {
    const added = accountOf(
      await add({ name: 'Zq9secret Name', username: 'zq9secret', password: 'zq9secret password' }),
    );
    await change(added.id, { isActive: false });
    await change(added.id, { isActive: true, password: 'zq9secret password 2' });
    const entries = await api()
      .database('audit_log')
      .where({ subject_id: added.id })
      .orderBy('position')
      .select('action', 'actor_id');
    expect(entries).to.deep.equal(
      ['member_added', 'email_entered', 'member_deactivated', 'member_activated', 'password_set'].map((action) => ({
        action,
        actor_id: session.account.id,
      })),
    );
    expect(JSON.stringify([api().logLines(), entries])).to.not.match(/zq9secret/i);
    expect(
      api()
        .logLines()
        .filter(({ level }) => level === 'error'),
    ).to.deep.equal([]);
  });
});

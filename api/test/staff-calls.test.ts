import { problemTypes } from '@dune-tide/domain/responses/problem';
import { staffCalls, type StaffCall } from '@dune-tide/domain/staff-calls';
import { staffRoles } from '@dune-tide/domain/staff-roles';
import { expect } from 'chai';
import { auditedCallNames, prepareCall } from './audited-calls.ts';
import { routes } from './declared-responses.ts';
import { addStaff, signIn } from './staff-support.ts';
import { jsonRequest, withTestApi, type ProblemBody, type TestRequest, type TestResponse } from './support.ts';

const calls: readonly (readonly [name: string, call: StaffCall])[] = Object.entries(staffCalls);
const someId = '019ab0de-0000-7000-8000-000000000000';

const requestOf = ({ method, path }: StaffCall): TestRequest =>
  jsonRequest(method, path.replaceAll(/:\w+/g, someId).replace('{*rest}', 'x'), method === 'GET' ? undefined : {});

describe('every staff call', () => {
  const api = withTestApi({ replyMode: 'mail' });
  const strict = withTestApi({ requiresSecondFactor: true });

  it('has one route, and every route of the staff area is in the table', () => {
    const declared = routes.filter(({ path }) => path.startsWith('/api/admin'));
    const shown = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
    expect(declared.map(shown)).to.have.members(calls.map(([, call]) => shown(call)));
  });

  for (const [need, type, apiOf, account] of [
    ['new_password', 'new_password_needed', api, { must_change_password: true }],
    ['second_factor', 'second_factor_needed', strict, {}],
  ] as const) {
    it(`is refused to an account that needs a ${need}, unless the table allows it`, async () => {
      const newSession = async () => signIn(apiOf(), await addStaff(apiOf(), account));
      const refused = await newSession();
      for (const [name, call] of calls) {
        if (call.access === 'anyone') continue;
        const isAllowed = call.allowedDuring?.includes(need) ?? false;
        // An allowed call can end its session.
        const response = await (isAllowed ? await newSession() : refused).send(requestOf(call));
        const given = response.status === 403 ? (response.json() as ProblemBody).type : undefined;
        expect(given === problemTypes[type], `${name}: ${response.status}`).to.equal(!isAllowed);
      }
    });
  }

  for (const role of staffRoles) {
    it(`can be made by ${role === 'owner' ? 'an owner' : 'a member, unless the table asks for an owner'}`, async () => {
      const newSession = async () => signIn(api(), await addStaff(api(), { role }));
      const session = await newSession();
      for (const [name, call] of calls) {
        if (call.access === 'anyone') continue;
        // A call that a member may make can end its session.
        const caller = call.access === 'owner' ? session : await newSession();
        // The stream of announcements does not end; its head has the status.
        const sent = call === staffCalls.announcements ? { ...requestOf(call), method: 'HEAD' } : requestOf(call);
        const response = await caller.send(sent);
        const given = response.status === 403 ? (response.json() as ProblemBody).type : undefined;
        const isRefused = call.access === 'owner' && role === 'member';
        expect(given === problemTypes.owner_needed, `${name}: ${response.status}`).to.equal(isRefused);
      }
    });
  }

  it('reads the role of the account each time', async () => {
    const session = await signIn(api());
    const [audit, team] = [requestOf(staffCalls.auditLog), requestOf(staffCalls.accounts)];
    expect((await session.send(audit)).status).to.equal(200);
    await api().database('staff').where({ id: session.account.id }).update({ role: 'member' });
    expect((await session.send(audit)).status).to.equal(403);
    expect((await session.send(team)).status).to.equal(200);
  });

  it('needs a fresh password where the table says so', async () => {
    const session = await signIn(api());
    await api()
      .database('sessions')
      .where({ staff_id: session.account.id })
      .update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
    for (const [name, call] of calls) {
      if (call.needsFreshPassword !== true) continue;
      const response = await session.send(requestOf(call));
      const { type } = response.json() as ProblemBody;
      expect([response.status, type], name).to.deep.equal([403, problemTypes.password_needed]);
    }
  });

  it('names its entry in the audit log if it changes, exports, sends, destroys or lets in', () => {
    const silent = calls.filter(([, { method, auditedAs }]) => method !== 'GET' && auditedAs === undefined);
    // They store a challenge, a secret that works only once it is confirmed, or what an account is notified of.
    expect(silent.map(([name]) => name)).to.have.members([
      'beginPasskeySignIn',
      'beginTotp',
      'beginPasskey',
      'chooseLeadEmails',
      'removeLeadMark',
    ]);
    expect(auditedCallNames).to.have.members(calls.flatMap(([name, call]) => (call.auditedAs ? [name] : [])));
  });

  describe('leaves exactly the entry that it names, or several of them once each', () => {
    const entries = () =>
      api()
        .database('audit_log')
        .orderBy('position')
        .select<{ action: string; actor_id: string }[]>('action', 'actor_id');

    for (const name of auditedCallNames) {
      it(name, async () => {
        const session = await signIn(api());
        const request = await prepareCall(name, session, api());
        const before = await entries();
        const response = await api().send(request);
        expect(response.status, response.text).to.be.within(200, 204);
        const added = (await entries()).slice(before.length);
        const actions = added.map(({ action }) => action);
        expect([staffCalls[name].auditedAs].flat()).to.include.members(actions);
        expect(actions)
          .to.deep.equal([...new Set(actions)])
          .and.not.to.deep.equal([]);
        for (const { actor_id: actorId } of added) expect(actorId).to.equal(session.account.id);
      });
    }
  });

  it('leaves an entry with the network and the device if it is refused, at most 100 an hour', async () => {
    const member = await signIn(api(), await addStaff(api(), { role: 'member' }));
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    for (let each = 0; each < 101; each++) {
      expect((await member.post('/people/erase', {}, headers)).status).to.equal(403);
    }
    const entries = await api()
      .database('audit_log')
      .leftJoin('audit_origins', 'entry_id', 'audit_log.id')
      .where({ actor_id: member.account.id, action: 'access_refused' })
      .select<Record<string, unknown>[]>('subject_id', 'details', 'network', 'device');
    expect(entries).to.have.length(100);
    const [{ details, ...rest } = {}] = entries;
    expect(rest).to.deep.equal({
      subject_id: member.account.id,
      network: '127.0.0.0/24',
      device: 'Firefox on Linux',
    });
    expect(details).to.include({ reason: 'owner_needed', call: 'POST /api/admin/people/erase' });
  });

  it('names the account in the line of the request', async () => {
    const session = await signIn(api());
    const staffOf = ({ headers }: TestResponse) =>
      api()
        .logLines()
        .find(({ requestId, msg }) => msg === 'request' && requestId === headers['x-request-id'])?.['staffId'];
    expect(staffOf(await session.get('/team'))).to.equal(session.account.id);
    expect(staffOf(await api().post('/api/contact', {}))).to.equal(undefined);
  });
});

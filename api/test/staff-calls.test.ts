import { problemTypes } from '@dune-tide/domain/responses/problem';
import { staffCalls, type StaffCall } from '@dune-tide/domain/staff-calls';
import { expect } from 'chai';
import { routes } from './declared-responses.ts';
import { addStaff, signIn } from './staff-support.ts';
import { jsonRequest, withTestApi, type ProblemBody, type TestRequest } from './support.ts';

const calls: readonly (readonly [name: string, call: StaffCall])[] = Object.entries(staffCalls);
const someId = '019ab0de-0000-7000-8000-000000000000';

const requestOf = ({ method, path }: StaffCall): TestRequest =>
  jsonRequest(method, path.replaceAll(/:\w+/g, someId).replace('{*rest}', 'x'), method === 'GET' ? undefined : {});

describe('every staff call', () => {
  const api = withTestApi();
  const strict = withTestApi({ requiresSecondFactor: true });

  it('has one route, and every route of the staff area is in the table', () => {
    const declared = routes.filter(({ path }) => path.startsWith('/api/admin'));
    const shown = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
    expect(declared.map(shown)).to.have.members(calls.map(([, call]) => shown(call)));
  });

  it('needs a session, unless it is open to anyone', async () => {
    for (const [name, call] of calls) {
      const response = await api().send(requestOf(call));
      const { detail } = response.json() as ProblemBody;
      if (call.access === 'staff') expect([response.status, detail], name).to.deep.equal([401, 'Please sign in.']);
      else expect(detail, name).to.not.equal('Please sign in.');
    }
  });

  for (const [need, type, apiOf, account] of [
    ['new_password', 'new_password_needed', api, { must_change_password: true }],
    ['second_factor', 'second_factor_needed', strict, {}],
  ] as const) {
    it(`is refused to an account that needs a ${need}, unless the table allows it`, async () => {
      for (const [name, call] of calls) {
        if (call.access === 'anyone') continue;
        // A new session for each call, since the sign-out ends it.
        const session = await signIn(apiOf(), await addStaff(apiOf(), account));
        const response = await session.send(requestOf(call));
        const given = response.status === 403 ? (response.json() as ProblemBody).type : undefined;
        const isRefused = given === problemTypes[type];
        expect(isRefused, `${name}: ${response.status}`).to.equal(!(call.allowedDuring?.includes(need) ?? false));
      }
    });
  }

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
});

import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { addAccount, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import { cookieOf } from './staff-support.ts';
import { jsonRequest, sendTo, type TestResponse } from './support.ts';

describe('a session in two API processes', () => {
  let database: TestDatabase;
  const processes: RunningProcess[] = [];
  const ports: number[] = [];

  before(async () => {
    database = await createTestDatabase();
    for (let count = 0; count < 2; count++) {
      const port = await freePort(0, '127.0.0.1');
      ports.push(port);
      processes.push(
        await startProcess('@dune-tide/api/main', {
          DATABASE_URL: database.appUrl,
          PUBLIC_URL: 'http://studio.example',
          SESSION_KEYS: 'a-key-that-only-the-tests-know-for-a-while',
          PORT: String(port),
        }),
      );
    }
  });
  after(async () => {
    for (const each of processes) expect(await each.stop()).to.equal(0);
    await database.drop();
  });

  const [one, other] = [() => ports[0] ?? 0, () => ports[1] ?? 0];

  async function signIn(port: number, { username, password }: TestAccount): Promise<string> {
    const response = await sendTo(port, jsonRequest('POST', '/api/admin/login', { username, password }));
    expect(response.status).to.equal(200);
    return cookieOf(response);
  }
  const call = (port: number, cookie: string, method: string, path: string, body?: unknown): Promise<TestResponse> =>
    sendTo(port, jsonRequest(method, `/api/admin${path}`, body, { Cookie: cookie }));
  const statusAt = async (port: number, cookie: string): Promise<number> =>
    (await call(port, cookie, 'GET', '/session')).status;

  /** The ways to end a session of an account. */
  const endings: readonly (readonly [
    name: string,
    end: (port: number, own: string, ended: string, account: TestAccount) => Promise<TestResponse>,
  ])[] = [
    ['the sign-out', (port, _, ended) => call(port, ended, 'POST', '/logout')],
    [
      'the account page, alone',
      async (port, own, ended) => {
        const sessions = (await call(port, ended, 'GET', '/account/sessions')).json() as readonly {
          readonly id: string;
          readonly isCurrent: boolean;
        }[];
        const { id } = sessions.find(({ isCurrent }) => isCurrent) ?? {};
        return call(port, own, 'DELETE', `/account/sessions/${id}`);
      },
    ],
    ['the account page, with all others', (port, own) => call(port, own, 'DELETE', '/account/sessions')],
    [
      'a new password',
      (port, own, _, { password }) =>
        call(port, own, 'POST', '/account/password', {
          currentPassword: password,
          password: 'another horse, another staple',
        }),
    ],
  ];

  for (const [name, end] of endings) {
    it(`that is ended by ${name} is refused by the next call to the other process`, async () => {
      const account = await addAccount(database.database);
      const own = await signIn(one(), account);
      const ended = await signIn(one(), account);
      // The other process has used the session, so that it would know what it caches.
      for (let times = 0; times < 3; times++) expect(await statusAt(other(), ended)).to.equal(200);
      expect((await end(one(), own, ended, account)).status).to.equal(204);
      expect(await statusAt(other(), ended)).to.equal(401);
      expect(await statusAt(other(), own)).to.equal(200);
    });
  }

  it('can change the password, which is stored at the specified cost', async () => {
    const account = await addAccount(database.database);
    const body = { currentPassword: account.password, password: 'another horse, another staple' };
    const response = await call(one(), await signIn(one(), account), 'POST', '/account/password', body);
    expect(response.status).to.equal(204);
    const { password_hash: hash } = await database.database('staff').where({ id: account.id }).first('password_hash');
    expect(hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('of an account that another member deactivates is refused by the next call to the other process', async () => {
    const [admin, account] = [await addAccount(database.database), await addAccount(database.database)];
    const [own, ended] = [await signIn(one(), admin), await signIn(one(), account)];
    expect(await statusAt(other(), ended)).to.equal(200);
    expect((await call(one(), own, 'PATCH', `/team/${account.id}`, { isActive: false })).status).to.equal(200);
    expect(await statusAt(other(), ended)).to.equal(401);
  });
});

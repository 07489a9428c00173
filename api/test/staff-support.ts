import { randomBytes } from 'node:crypto';
import { hashPassword } from '@dune-tide/platform/accounts/password';
import type { Answer, TestApi, TestRequest } from './support.ts';

/** The password of every account that tests make. */
export const testPassword = 'correct horse battery staple';

let hashed: Promise<string> | undefined;

export interface TestAccount {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** Makes an account whose password is `testPassword`. */
export async function addStaff(api: TestApi, overrides: Readonly<Record<string, unknown>> = {}): Promise<TestAccount> {
  hashed ??= hashPassword(testPassword);
  const rows = await api
    .database('staff')
    .insert({
      username: `staff-${randomBytes(6).toString('hex')}`,
      name: 'Noura al-Harbi',
      password_hash: await hashed,
      ...overrides,
    })
    .returning<TestAccount[]>(['id', 'username', 'name']);
  const [account] = rows;
  if (!account) throw new Error('No account was stored');
  return account;
}

/** Somebody who is signed in: sends each request with the session's cookie. */
export interface TestSession {
  readonly account: TestAccount;
  /** The Cookie header. */
  readonly cookie: string;
  send(request: TestRequest): Promise<Answer>;
  /** Sends JSON; texts and buffers go out as they are. */
  sendJson(method: string, path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Signs in over HTTP, with an account of its own unless one is given. */
export async function signIn(api: TestApi, account?: TestAccount): Promise<TestSession> {
  const own = account ?? (await addStaff(api));
  const answer = await api.post('/api/admin/login', { username: own.username, password: testPassword });
  if (answer.status !== 200) throw new Error(`Signing in was answered ${answer.status}`);
  return sessionOf(api, own, cookieOf(answer));
}

/** The session that a Cookie header carries. */
export function sessionOf(api: TestApi, account: TestAccount, cookie: string): TestSession {
  const send = (request: TestRequest): Promise<Answer> =>
    api.send({ ...request, headers: { Cookie: cookie, ...request.headers } });
  return {
    account,
    cookie,
    send,
    sendJson: (method, path, body, headers = {}) =>
      send({
        method,
        path,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
  };
}

/** What a browser would send back of the cookies that an answer sets. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? [])
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}

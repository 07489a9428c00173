import { randomBytes } from 'node:crypto';
import { hashPassword, openPasswords } from '@dune-tide/platform/accounts/password';
import { lowestCost } from '@dune-tide/testkit/staff-accounts';
import { verify } from '@node-rs/argon2';
import { generate } from 'otplib';
import { jsonRequest, type TestResponse, type TestApi, type TestRequest } from './support.ts';

/** The password of every account that `addStaff` stores. */
export const testPassword = 'correct horse battery staple';

let hashed: Promise<string> | undefined;

/**
 * Returns the passwords of an API, at the lowest cost.
 * @param gate - awaited before each comparison
 * @returns also the hashes that passwords have been compared with
 */
export function watchedPasswords(gate: () => Promise<void> = async () => undefined) {
  const compared: string[] = [];
  const passwords = openPasswords({
    cost: lowestCost,
    async matches(passwordHash, password) {
      compared.push(passwordHash);
      await gate();
      return verify(passwordHash, password);
    },
  });
  return { passwords, compared };
}

export interface TestAccount {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** Stores an account with the password `testPassword`. */
export async function addStaff(api: TestApi, overrides: Readonly<Record<string, unknown>> = {}): Promise<TestAccount> {
  hashed ??= hashPassword(testPassword, lowestCost);
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

/** Returns the code that an authenticator app shows after `steps` steps of 30 seconds. */
export const codeAt = (secret: string, steps: number): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });

/** A signed-in account, which sends each request with the session's cookie. */
export interface TestSession {
  readonly account: TestAccount;
  /** The Cookie header. */
  readonly cookie: string;
  send(request: TestRequest): Promise<TestResponse>;
  /** Sends a value as JSON, and a string or a buffer unchanged. */
  sendJson(method: string, path: string, body?: unknown, headers?: Headers): Promise<TestResponse>;
  /** Paths of `get`, `post`, `patch` and `delete` are relative to /api/admin. */
  get(path: string): Promise<TestResponse>;
  post(path: string, body: unknown, headers?: Headers): Promise<TestResponse>;
  patch(path: string, body: unknown, headers?: Headers): Promise<TestResponse>;
  delete(path: string, headers?: Headers): Promise<TestResponse>;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Signs in an account for the tests of one `describe`.
 * @param api - the function that `withTestApi` returns
 * @returns a function that returns the session while tests run
 */
export function withSession(api: () => TestApi): () => TestSession {
  let session: TestSession | undefined;
  before(async () => {
    session = await signIn(api());
  });
  return () => {
    if (!session) throw new Error('The session exists only while tests run');
    return session;
  };
}

/** Signs in over HTTP, with a new account unless one is given. */
export async function signIn(api: TestApi, account?: TestAccount): Promise<TestSession> {
  const own = account ?? (await addStaff(api));
  const response = await api.post('/api/admin/login', { username: own.username, password: testPassword });
  if (response.status !== 200) throw new Error(`The sign-in returned ${response.status}`);
  return sessionOf(api, own, cookieOf(response));
}

/** Returns the session of a Cookie header. */
export function sessionOf(api: TestApi, account: TestAccount, cookie: string): TestSession {
  const send = (request: TestRequest): Promise<TestResponse> =>
    api.send({ ...request, headers: { Cookie: cookie, ...request.headers } });
  const sendJson: TestSession['sendJson'] = (...request) => send(jsonRequest(...request));
  const atAdmin = (path: string): string => `/api/admin${path}`;
  return {
    account,
    cookie,
    send,
    sendJson,
    get: (path) => sendJson('GET', atAdmin(path)),
    post: (path, body, headers) => sendJson('POST', atAdmin(path), body, headers),
    patch: (path, body, headers) => sendJson('PATCH', atAdmin(path), body, headers),
    delete: (path, headers) => sendJson('DELETE', atAdmin(path), undefined, headers),
  };
}

/** Returns the Cookie header that a browser would send after a response. */
export function cookieOf({ headers }: TestResponse): string {
  return (headers['set-cookie'] ?? [])
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}

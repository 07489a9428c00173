import { addStaff, cookieOf, testPassword } from './staff-support.ts';
import type { Answer, TestApi } from './support.ts';

/** Sends requests as a signed-in member of staff. Paths are relative to /api/admin. */
export interface StaffClient {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** The name of the account that `withStaffClient` signs in. */
const clientName = 'Client of the tests';

/**
 * Signs in a member of staff for the tests of one `describe`.
 * @param api - the function that `withTestApi` returns
 * @returns a function that returns the client while tests run
 */
export function withStaffClient(api: () => TestApi): () => StaffClient {
  let cookie = '';
  before(async () => {
    const { username } = await addStaff(api(), { name: clientName });
    cookie = cookieOf(await api().post('/api/admin/login', { username, password: testPassword }));
  });

  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    api().send({
      method,
      path: `/api/admin${path}`,
      headers: {
        Cookie: cookie,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  const client: StaffClient = {
    get: (path) => send('GET', path),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path) => send('DELETE', path),
    send,
  };
  return () => client;
}

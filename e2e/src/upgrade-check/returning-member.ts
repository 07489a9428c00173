import { signInLimit } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { addAccount, type Credentials } from '@dune-tide/testkit/staff-accounts';

/** A member of staff who stays signed in, on one device, while the releases change. */
export interface ReturningMember {
  /** Uses the session. @returns what failed */
  work(url: string): Promise<string[]>;
  /**
   * Signs in again on the same device, after a stranger with the same address has used up the limit of the username.
   * @returns what failed, also an email about a new device
   */
  signInAgain(url: string): Promise<string[]>;
}

/** Signs a new member in, who then returns with the cookies of that sign-in. @throws if the sign-in fails */
export async function signInOnce(database: Knex, url: string): Promise<ReturningMember> {
  const account = await addAccount(database);
  const cookies = new Map<string, string>();

  async function call(at: string, path: string, body?: Credentials, withCookies = true): Promise<number> {
    const response = await fetch(new URL(`/api/admin${path}`, at), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(withCookies && { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      },
      signal: AbortSignal.timeout(20_000),
    });
    for (const cookie of withCookies ? response.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response.status;
  }
  const expect = (what: string, status: number, wanted: number): string[] =>
    status === wanted ? [] : [`${what} returned ${status} instead of ${wanted}`];

  const first = await call(url, '/login', account);
  if (first !== 200) throw new Error(`The sign-in returned ${first}`);
  return {
    work: async (at) => expect('The session of the member who stays signed in', await call(at, '/session'), 200),
    async signInAgain(at) {
      const wrong = { username: account.username, password: 'a wrong password' };
      for (let count = 0; count < signInLimit.failuresPerAccountAndAddress; count++)
        await call(at, '/login', wrong, false);
      const stranger = await call(at, '/login', account, false);
      const again = await call(at, '/login', account);
      const notices = await database('account_notices').where({ staff_id: account.id, event: 'new_device' });
      return [
        ...expect('A sign-in from a strange device', stranger, 429),
        ...expect('A sign-in from the device of the former release', again, 200),
        ...(notices.length === 0 ? [] : ['The device of the former release was reported as new']),
      ];
    },
  };
}

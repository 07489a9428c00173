import type { Credentials } from '@dune-tide/testkit/staff-accounts';
import type { BrowserContext } from 'playwright-core';

/**
 * Signs a staff member in through the API.
 * @param context - receives the session cookie
 * @throws if the API rejects the sign-in
 */
export async function signInAs(context: BrowserContext, siteUrl: string, account: Credentials): Promise<void> {
  const response = await context.request.post(`${siteUrl}/api/admin/login`, {
    data: { username: account.username, password: account.password },
    headers: { Origin: new URL(siteUrl).origin },
    // The server may close an idle connection at the moment at which this request reuses it.
    maxRetries: 2,
  });
  if (!response.ok()) throw new Error(`The sign-in returned ${response.status()}`);
}

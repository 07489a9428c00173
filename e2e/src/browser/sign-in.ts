import type { Credentials } from '@dune-tide/testkit/staff-accounts';
import type { BrowserContext } from 'playwright-core';

/**
 * Signs somebody in, over the API.
 * @param context - gets the session's cookie
 * @throws when the API refuses
 */
export async function signInAs(context: BrowserContext, siteUrl: string, account: Credentials): Promise<void> {
  const answer = await context.request.post(`${siteUrl}/api/admin/login`, {
    data: { username: account.username, password: account.password },
    headers: { Origin: new URL(siteUrl).origin },
  });
  if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}`);
}

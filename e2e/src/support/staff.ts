import type { BrowserContext } from 'playwright-core';
import type { Visit, VisitOptions } from './browser.ts';
import { onPage, stack } from './browser-suite.ts';
import { staffAccount } from './browser-stack.ts';

/**
 * Signs the first account in, over the API.
 * @param context - gets the session's cookie
 * @throws when the API refuses
 */
export async function signIn(context: BrowserContext): Promise<void> {
  const { siteUrl } = stack();
  const answer = await context.request.post(`${siteUrl}/api/admin/login`, {
    data: staffAccount,
    headers: { Origin: new URL(siteUrl).origin },
  });
  if (!answer.ok()) throw new Error(`Signing in was answered ${answer.status()}`);
}

interface StaffVisitOptions extends Omit<VisitOptions, 'isUntouched'> {
  /** May answer calls in its own way before the page makes them. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/**
 * A test on a page of the staff area as someone who is signed in, which fails when anything goes wrong on the page too.
 * @param path - of the site
 * @returns what `it` runs
 */
export function onStaffPage(
  path: string,
  test: (visit: Visit) => Promise<void>,
  { prepare, ...options }: StaffVisitOptions = {},
): Mocha.AsyncFunc {
  return onPage(
    'about:blank',
    async (visit) => {
      await signIn(visit.context);
      await prepare?.(visit.context);
      await visit.page.goto(new URL(path, stack().siteUrl).href);
      await visit.page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
      await test(visit);
    },
    { ...options, isUntouched: true },
  );
}

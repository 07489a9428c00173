import type { BrowserContext } from 'playwright-core';
import type { Visit, VisitOptions } from './browser.ts';
import { onPage, stack } from './browser-suite.ts';

/**
 * Gives a visitor a session. The API has no guard yet: only the question who is signed in is answered in its place.
 * @param context - before it opens a page of the staff area
 */
export async function signIn(context: BrowserContext): Promise<void> {
  const signedIn = { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001', username: 'staff', name: 'Layla Haddad' };
  await context.route('**/api/admin/session', (route) => route.fulfill({ json: signedIn }));
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

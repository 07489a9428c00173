import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from './accessibility.ts';
import type { Visit, VisitOptions } from './browser.ts';
import { onPage, stack } from './browser-suite.ts';
import { addAccount, type Credentials, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { signInAs } from './sign-in.ts';
import { until } from '@dune-tide/testkit/until';

/** A visit to the staff area. */
export interface StaffVisit extends Visit {
  /** The account of this visit, which no other visit uses. */
  readonly account: TestAccount;
  /** The page's calls to the staff API since it opened, such as "GET /api/admin/stats". */
  readonly calls: readonly string[];
  /** Counts the requests of one call. */
  readonly count: (call: string) => number;
}

interface StaffVisitOptions extends Omit<VisitOptions, 'isUntouched'> {
  /** Whether the visit starts with a session. Default: true. */
  readonly isSignedIn?: boolean;
}

/**
 * Wraps a test in a visit to the staff area with a new account. The test also fails if an error occurs on
 * the page.
 * @param path - a path of the site
 * @param options.prepare - may respond to calls before the API does
 * @returns the function to pass to `it`
 */
export function onStaffPage(
  path: string,
  test: (visit: StaffVisit) => Promise<void>,
  { isSignedIn = true, prepare, failing = [], ...options }: StaffVisitOptions = {},
): Mocha.AsyncFunc {
  return async function run(this: Mocha.Context) {
    const { database } = stack();
    const account = await addAccount(database);
    const calls: string[] = [];
    const count = (call: string) => calls.filter((each) => each === call).length;
    const visit = onPage(
      path,
      async (opened) => {
        // An open dialog hides the heading from assistive technology.
        await opened.page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
        await test({ ...opened, account, calls, count });
      },
      {
        ...options,
        // The guard requests the session.
        failing: isSignedIn ? failing : [...failing, '/api/admin/session'],
        isUntouched: true,
        prepare: async (context) => {
          if (isSignedIn) await signInAs(context, stack().siteUrl, account);
          context.on('request', (request) => {
            const { pathname } = new URL(request.url());
            if (pathname.startsWith('/api/admin/')) calls.push(`${request.method()} ${pathname}`);
          });
          await prepare?.(context);
        },
      },
    );
    try {
      await visit.call(this);
    } finally {
      // An account that has worked on leads stays in their histories.
      const worked = database('lead_events').where({ actor_id: account.id }).select('lead_id');
      const replied = database('follow_ups')
        .whereIn('id', database('lead_replies').where({ author_id: account.id }).select('id'))
        .select('lead_id');
      await database('leads').where({ owner_id: account.id }).orWhereIn('id', worked).orWhereIn('id', replied).delete();
      await database('staff').where({ id: account.id }).delete();
    }
  };
}

/** Counts the sessions of an account. */
export async function countSessions({ id }: TestAccount): Promise<number> {
  return (await stack().database('sessions').where({ staff_id: id })).length;
}

/** Deletes the sessions of an account; the browser keeps its cookie. */
export async function endSessions({ id }: TestAccount): Promise<void> {
  await stack().database('sessions').where({ staff_id: id }).delete();
}

/** Locates the page's heading, optionally by name. */
export const heading = (page: Page, name?: string) =>
  page.getByRole('heading', { level: 1, ...(name !== undefined && { name }) });
export const dialog = (page: Page) => page.getByRole('dialog');
export const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

/** Presses a button. @param name - the full name, or a pattern */
export const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' }).click();

/** Returns the label or the text of the focused element. */
export const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

/** Returns the name of the focused field. */
export const focusedField = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

/** Waits until no dialog is open. */
export const untilClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

/** Closes the dialog with Escape. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await untilClosed(page);
}

/** Waits for a toast with exactly this text. */
export const untilToast = (page: Page, text: string) => toasts(page).getByText(text, { exact: true }).waitFor();

/** Checks that the open dialog is not closing. */
export async function expectOpen(page: Page): Promise<void> {
  expect(await page.locator('#page').getAttribute('inert'), 'a closing dialog re-enables the page').to.equal('');
}

/**
 * Checks a state of a page wide in light colours and narrow in dark ones, and restores the window.
 * @param without - rules that the state breaks intentionally
 */
export async function expectAccessibleInBoth(page: Page, state: string, without?: readonly string[]): Promise<void> {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${state}, narrow and dark`, without);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, `${state}, wide and light`, without);
}

/** Locates the table of the team page, which also has a table of the audit log. */
export const accountTable = (page: Page) => page.getByRole('table', { name: 'Staff accounts' });

/** Presses Refresh after the data of the page has loaded; before that, the button does nothing. */
export const refresh = (page: Page) => page.locator('button[aria-busy="false"]', { hasText: 'Refresh' }).click();

/** Locates the dashboard's figures after they have loaded. */
export const figures = (page: Page) => page.locator('dl[aria-busy="false"]');

/** Waits until the address bar shows a path with its query string. */
export async function untilAt(page: Page, path: string): Promise<void> {
  await until(`the address ${path}`, () => {
    const { pathname, search } = new URL(page.url());
    return pathname + search === path;
  });
}

/** Fills in the sign-in form and submits it. */
export async function sendSignIn(page: Page, { username, password }: Credentials): Promise<void> {
  await page.getByLabel(/^Username/).fill(username);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

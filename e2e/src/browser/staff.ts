import { expect } from 'chai';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Visit, VisitOptions } from './browser.ts';
import { staffAccount } from './browser-stack.ts';
import { onPage, stack } from './browser-suite.ts';
import { addAccount, type Credentials, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { signInAs } from './sign-in.ts';
import { until } from '@dune-tide/testkit/until';

/** A visit to the staff area. */
export interface StaffVisit extends Visit {
  /** Who the visit is by; nobody else has this account. */
  readonly account: TestAccount;
  /** What the page asks the staff API for, from its first call on, e.g. "GET /api/admin/stats". */
  readonly calls: readonly string[];
  /** How often a call was made. */
  readonly count: (call: string) => number;
}

interface StaffVisitOptions extends Omit<VisitOptions, 'isUntouched'> {
  /** Whether the visit begins with a session; it does unless said otherwise. */
  readonly isSignedIn?: boolean;
}

/**
 * Signs somebody in, over the API.
 * @param context - gets the session's cookie
 * @param account - the first one unless another is given
 * @throws when the API refuses
 */
export async function signIn(context: BrowserContext, account: Credentials = staffAccount): Promise<void> {
  await signInAs(context, stack().siteUrl, account);
}

/**
 * A test on a page of the staff area by somebody with an account of their own, which fails when anything goes wrong on
 * the page as well.
 * @param path - of the site
 * @param options.prepare - may answer calls in its own way, before the API does
 * @returns what `it` runs
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
        // Behind an open dialog the heading is hidden from assistive technology.
        await opened.page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
        await test({ ...opened, account, calls, count });
      },
      {
        ...options,
        // The login page asks whether somebody is signed in.
        failing: isSignedIn ? failing : [...failing, '/api/admin/session'],
        isUntouched: true,
        prepare: async (context) => {
          if (isSignedIn) await signIn(context, account);
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
      await database('staff').where({ id: account.id }).delete();
    }
  };
}

/** How many sessions an account has. */
export async function countSessions({ id }: TestAccount): Promise<number> {
  return (await stack().database('sessions').where({ staff_id: id })).length;
}

/** Ends the sessions of an account without the browser's knowledge. */
export async function endSessions({ id }: TestAccount): Promise<void> {
  await stack().database('sessions').where({ staff_id: id }).delete();
}

/** The page's heading; with a name, where one is given. */
export const heading = (page: Page, name?: string) =>
  page.getByRole('heading', { level: 1, ...(name !== undefined && { name }) });
export const dialog = (page: Page) => page.getByRole('dialog');
export const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

/** Presses a button. @param name - all of it, or a pattern */
export const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' }).click();

/** What has the focus, by its label or its text. */
export const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

/** The name of the field that has the focus. */
export const focusedField = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

/** Waits until no dialog is there any more. */
export const untilClosed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

/** Closes the dialog by Escape. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await untilClosed(page);
}

/** Waits until a toast says exactly this. */
export const untilToast = (page: Page, text: string) => toasts(page).getByText(text, { exact: true }).waitFor();

/** Checks that the open dialog waits for its answer. @param names - of the buttons that would close it */
export async function expectHeldOpen(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    expect(await dialog(page).getByRole('button', { name, exact: true }).isDisabled(), name).to.equal(true);
  }
  await page.keyboard.press('Escape');
  await page.mouse.click(12, 880);
  await expectOpen(page);
}

/** Checks that no dialog is about to close. */
export async function expectOpen(page: Page): Promise<void> {
  expect(await page.locator('#page').getAttribute('inert'), 'a dialog that closes gives the page back').to.equal('');
}

/** The dashboard's figures, once they are there. */
export const figures = (page: Page) => page.locator('dl[aria-busy="false"]');

/** Waits until the address bar shows a path, with its search. */
export async function untilAt(page: Page, path: string): Promise<void> {
  await until(`the address ${path}`, () => {
    const { pathname, search } = new URL(page.url());
    return pathname + search === path;
  });
}

/** Fills the sign-in form in and sends it. */
export async function sendSignIn(page: Page, { username, password }: Credentials): Promise<void> {
  await page.getByLabel(/^Username/).fill(username);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

import type { Page } from 'playwright-core';
import type { Visit, VisitOptions } from './browser.ts';
import { onPage } from './browser-suite.ts';
import { fakeAccount, fakeStaffApi, type FakeStaffApi } from './fake-staff-api.ts';
import { until } from './until.ts';

/** A visit to the staff area. */
export interface StaffVisit extends Visit {
  readonly api: FakeStaffApi;
}

interface StaffVisitOptions extends Omit<VisitOptions, 'isUntouched'> {
  /** Whether the visit begins with a session; it does unless said otherwise. */
  readonly isSignedIn?: boolean;
}

/** Who the tests sign in as. */
export const account = fakeAccount;

/**
 * A test on a page of the staff area, which fails when anything goes wrong on the page as well.
 * @param options.prepare - may answer calls in its own way, before the API does
 * @returns what `it` runs
 */
export function onStaffPage(
  path: string,
  test: (visit: StaffVisit) => Promise<void>,
  { isSignedIn = true, prepare, ...options }: StaffVisitOptions = {},
): Mocha.AsyncFunc {
  return async function run(this: Mocha.Context) {
    const api = fakeStaffApi(isSignedIn);
    const visit = onPage(
      path,
      async (opened) => {
        await opened.page.getByRole('heading', { level: 1 }).waitFor();
        await test({ ...opened, api });
      },
      {
        ...options,
        isUntouched: true,
        prepare: async (context) => {
          await api.install(context);
          await prepare?.(context);
        },
      },
    );
    await visit.call(this);
  };
}

export const heading = (page: Page) => page.getByRole('heading', { level: 1 });
export const dialog = (page: Page) => page.getByRole('dialog');
export const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

/** Waits until the address bar shows a path, with its search. */
export async function untilAt(page: Page, path: string): Promise<void> {
  await until(`the address ${path}`, () => {
    const { pathname, search } = new URL(page.url());
    return pathname + search === path;
  });
}

/** Fills the sign-in in and sends it. */
export async function signIn(page: Page, { username, password }: typeof account = account): Promise<void> {
  await page.getByLabel(/^Username/).fill(username);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

import { expectAccessible, withAxe } from '../../src/browser/accessibility.ts';
import {
  accountTable,
  closeDialog,
  dialog,
  expectAccessibleInBoth,
  figures,
  onStaffPage,
} from '../../src/browser/staff.ts';
import type { BrowserContext, Page } from 'playwright-core';

interface State {
  readonly name: string;
  readonly path: string;
  /** Each step is checked after it has run. */
  readonly steps: readonly ((page: Page) => Promise<unknown>)[];
  readonly isSignedIn?: boolean;
  readonly failing?: readonly string[];
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

const states: readonly State[] = [
  {
    name: 'the sign-in with its messages and after too many attempts',
    path: '/admin/login',
    isSignedIn: false,
    failing: ['/api/admin/login'],
    prepare: (context) => context.route('**/api/admin/login', (route) => route.fulfill({ status: 429, json: {} })),
    steps: [
      async (page) => {
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('Username is required').waitFor();
        await page.getByLabel(/^Username/).fill('staff');
        await page.getByLabel(/^Password/).fill('wrong');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').getByText('Too many attempts.').waitFor();
      },
    ],
  },
  {
    name: 'the dashboard, without its figures, and while loading',
    path: '/admin/dashboard',
    failing: ['/api/admin/stats'],
    steps: [
      (page) => figures(page).waitFor(),
      async (page) => {
        await page.route('**/api/admin/stats', (route) => route.fulfill({ status: 503, json: {} }));
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.getByText('Could not refresh the figures.').waitFor();
      },
      // The session call is pending.
      async (page) => {
        await page.context().route('**/api/admin/session', () => undefined);
        await page.goto(new URL('/admin/team', page.url()).href);
        await page.getByRole('heading', { name: 'Loading' }).waitFor();
      },
    ],
  },
  {
    name: 'the team page and its dialogs',
    path: '/admin/team',
    steps: [
      (page) => accountTable(page).waitFor(),
      async (page) => {
        await page.getByRole('button', { name: 'Add Member' }).click();
        await dialog(page).locator('button[type="submit"]').click();
        await dialog(page).getByText('Name is required', { exact: true }).waitFor();
      },
      async (page) => {
        await closeDialog(page);
        await page.getByRole('button', { name: 'New password for staff' }).click();
        await dialog(page).getByRole('button', { name: 'Show password' }).click();
      },
      async (page) => {
        await closeDialog(page);
        await page.getByRole('button', { name: 'Deactivate staff' }).click();
        await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).waitFor();
      },
    ],
  },
];

describe('Accessibility of the staff area, light and wide, dark and narrow:', () => {
  for (const { name, path, steps, ...options } of states) {
    it(
      name,
      onStaffPage(
        path,
        async ({ page }) => {
          for (const step of steps) {
            await step(page);
            await expectAccessibleInBoth(page, name);
          }
        },
        { ...options, ...withAxe },
      ),
    ).timeout(120_000);
  }

  it(
    'the open menu',
    onStaffPage(
      '/admin/dashboard',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await expectAccessible(page, colorScheme);
        }
      },
      { width: 390, height: 844, ...withAxe },
    ),
  );
});

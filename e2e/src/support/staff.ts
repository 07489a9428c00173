import type { Page } from 'playwright-core';

/** Lets a page of the staff area think that somebody is signed in. */
export async function signIn(page: Page): Promise<void> {
  await page.context().route('**/api/admin/session', (route) =>
    route.fulfill({
      json: { id: '6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01', username: 'staff', name: 'Layla Haddad' },
    }),
  );
}

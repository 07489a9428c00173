import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Checks that the visible toast, its containers and its button are inside the window. */
export async function expectWithinWindow(page: Page): Promise<void> {
  const toast = page.getByRole('region', { name: /Notifications/ }).locator('.toast-stack');
  const parts = [toast, toast.locator('[data-tone]'), toast.getByRole('button')];
  const beyond = await Promise.all(
    parts.map((part) =>
      part.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return { left: Math.max(0, -left), right: Math.max(0, right - document.documentElement.clientWidth) };
      }),
    ),
  );
  expect(beyond, 'pixels outside the window').to.deep.equal(parts.map(() => ({ left: 0, right: 0 })));
}

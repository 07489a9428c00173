import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Checks that the shown toast, with all that holds it and its button, stands within the window. */
export async function expectWithinWindow(page: Page): Promise<void> {
  const toast = page.getByRole('region', { name: /Notifications/ }).locator('.notistack-SnackbarContainer');
  const { width } = page.viewportSize()!;
  for (const part of [toast, toast.locator('[data-tone]'), toast.getByRole('button')]) {
    const box = (await part.boundingBox())!;
    expect(box.x, 'the left edge').to.be.at.least(0);
    expect(box.x + box.width, 'the right edge').to.be.at.most(width);
  }
}

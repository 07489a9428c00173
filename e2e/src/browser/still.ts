import type { Page } from 'playwright-core';

/**
 * Waits for animations to finish, because a test would read intermediate colours and sizes. An inherited colour only
 * starts to change after its parent has finished.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let calmFrames = 0; calmFrames < 5;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const moving = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
      await Promise.allSettled(moving.map(({ finished }) => finished));
      calmFrames = moving.length > 0 ? 0 : calmFrames + 1;
    }
  });
}

/** Changes the width of the window, and waits until the page has its new layout. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  // A transition, even a very short one, keeps the former size for some frames.
  await untilStill(page);
}

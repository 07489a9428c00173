import type { Page } from 'playwright-core';
import type { VisitOptions } from '../browser/browser.ts';

/** A screenshot: its page, and the visitor's actions before it. */
export interface Shot {
  readonly name: string;
  readonly path: string;
  readonly reach?: (page: Page) => Promise<unknown>;
  readonly options?: VisitOptions;
  /** Taken by signed-in staff. */
  readonly isSignedIn?: boolean;
  /** Shows the whole page instead of the window. */
  readonly isWhole?: boolean;
  /** Selector of the only part to show. */
  readonly part?: string;
  /** Steps of a motion: the picture shows the window after each, side by side. */
  readonly steps?: readonly ((page: Page) => Promise<unknown>)[];
}

/** Waits for fonts and fade-in animations. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const moving = document
      .getAnimations()
      .filter(({ timeline, playState }) => timeline instanceof DocumentTimeline && playState !== 'paused');
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}

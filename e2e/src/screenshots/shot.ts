import type { Page } from 'playwright-core';
import type { Credentials } from '@dune-tide/testkit/staff-accounts';
import type { VisitOptions } from '../browser/browser.ts';
import type { BrowserStack } from '../browser/browser-stack.ts';

/** A screenshot: its page, and the visitor's actions before it. */
export interface Shot {
  readonly name: string;
  /** A path of the site, or how to find it out. */
  readonly path: string | ((stack: BrowserStack) => Promise<string>);
  readonly reach?: (page: Page) => Promise<unknown>;
  readonly options?: VisitOptions;
  /** Taken by signed-in staff: `account`, or the first account. */
  readonly isSignedIn?: boolean;
  readonly account?: Credentials;
  /** The password was entered too long ago for calls that need a fresh one. */
  readonly isStale?: boolean;
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

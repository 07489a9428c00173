import type { Browser, CDPSession, Disposable } from 'playwright-core';
import { enter, mediaOf, openTab, scriptsOf, watch, windowOf, type Visit, type VisitOptions } from './browser.ts';

/** A tab that visits reuse: a new profile and process for each takes longer than most visits. */
export interface SharedTab {
  /** Opens an address for the next visit and waits until the application runs. */
  visit(url: string, options?: VisitOptions): Promise<Visit>;
  /** Clears all traces of the visit: storage, listeners, intercepted requests and history. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Whether a visit needs a new profile, because it changes the browser irreversibly or requires an unused one. */
export function needsOwnProfile({
  isFirstVisit = false,
  isOfflineAtTimes = false,
  hasOwnClock = false,
}: VisitOptions): boolean {
  return isFirstVisit || isOfflineAtTimes || hasOwnClock;
}

const listenedFor = ['request', 'response', 'requestfailed', 'requestfinished', 'console', 'dialog'] as const;
const listenedForOnPage = [...listenedFor, 'pageerror', 'download', 'popup', 'framenavigated', 'load'] as const;

/** The options that all visits in a tab share, because they cannot change. */
export type TabOptions = Pick<VisitOptions, 'javaScriptEnabled' | 'isPhone'>;

/**
 * @param site - address of the site whose storage is cleared
 * @throws if the browser cannot open a tab
 */
export async function openSharedTab(browser: Browser, site: string, own: TabOptions): Promise<SharedTab> {
  const { page, context } = await openTab(browser, own);
  const devtools: CDPSession = await context.newCDPSession(page);
  let scripts: Disposable[] = [];
  return {
    async visit(url, options = {}) {
      await page.setViewportSize(windowOf(options).viewport);
      await page.emulateMedia({ media: null, forcedColors: null, contrast: null, ...mediaOf(options) });
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: options.fontSize ?? 16 } });
      for (const content of scriptsOf(options)) scripts.push(await page.addInitScript({ content }));
      const faults = watch(page, options);
      await options.prepare?.(context);
      await enter(page, url, options);
      return { page, context, faults };
    },
    async leave() {
      // Removed by name, because Playwright has listeners as well.
      for (const event of listenedForOnPage) page.removeAllListeners(event);
      for (const event of listenedFor) context.removeAllListeners(event);
      await Promise.all(scripts.map((script) => script.dispose()));
      scripts = [];
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await context.clearCookies();
      // A page of the same site without scripts: the previous page is gone and cannot write to the storage.
      await page.goto(new URL('/robots.txt', site).href);
      await page.mouse.move(0, 0);
      await page.evaluate(() => {
        sessionStorage.clear();
        localStorage.clear();
      });
      await devtools.send('Page.resetNavigationHistory');
    },
    close: () => context.close(),
  };
}

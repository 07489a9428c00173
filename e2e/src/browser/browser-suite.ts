import { clusterDirectory } from '@dune-tide/local/local-database';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisit, type Visit, type VisitOptions } from './browser.ts';
import { startBrowserStack, type BrowserStack } from './browser-stack.ts';
import { copyInitialisedCluster } from '@dune-tide/testkit/initialised-cluster';
import { needsOwnProfile, openSharedTab, type SharedTab } from './shared-tab.ts';

let running: { readonly stack: BrowserStack; readonly browser: Browser } | undefined;
/** One for visitors with JavaScript, one for those without. */
const sharedTabs = new Map<boolean, SharedTab>();

/** Root hooks for mocha's `--require`: one stack and one browser for all files of a run. */
export const mochaHooks: Mocha.RootHookObject = {
  async beforeAll() {
    const started = await startBrowserStack((data) => copyInitialisedCluster(clusterDirectory(data)));
    running = { stack: started, browser: await launchBrowser() };
  },
  async afterAll() {
    await running?.browser.close();
    await running?.stack.stop();
  },
};

function current(): NonNullable<typeof running> {
  if (!running) throw new Error('Browser tests run with: mocha --require e2e/src/browser/browser-suite.ts');
  return running;
}

/** The product that the browser looks at. */
export function stack(): BrowserStack {
  return current().stack;
}

/**
 * A test as a visitor of a page, which fails when anything goes wrong on the page as well.
 * @param path - of the site, or a whole address
 * @returns what `it` runs
 */
export function onPage(path: string, test: Test, options: VisitOptions = {}): Mocha.AsyncFunc {
  return async () => {
    const { browser, stack: product } = current();
    const url = new URL(path, product.siteUrl).href;
    const visit = await (needsOwnProfile(options) ? inOwnProfile : inSharedTab)(browser, url, options, test);
    if (visit.faults.length > 0) throw new Error(`On the page went wrong:\n${visit.faults.join('\n')}`);
  };
}

type Test = (visit: Visit) => Promise<void>;

async function inOwnProfile(browser: Browser, url: string, options: VisitOptions, test: Test): Promise<Visit> {
  const visit = await openVisit(browser, url, options);
  try {
    await test(visit);
  } finally {
    await visit.context.close();
  }
  return visit;
}

async function inSharedTab(browser: Browser, url: string, options: VisitOptions, test: Test): Promise<Visit> {
  const { javaScriptEnabled = true } = options;
  const tab = sharedTabs.get(javaScriptEnabled) ?? (await openSharedTab(browser, stack().siteUrl, javaScriptEnabled));
  // Nobody comes after a visitor whose test failed, or who cannot be forgotten.
  sharedTabs.delete(javaScriptEnabled);
  try {
    const visit = await tab.visit(url, options);
    await test(visit);
    await tab.leave();
    sharedTabs.set(javaScriptEnabled, tab);
    return visit;
  } finally {
    if (sharedTabs.get(javaScriptEnabled) !== tab) await tab.close();
  }
}

/** For a test that only reads what the build painted: it does not wait for the application. */
export const untouched: VisitOptions = { isUntouched: true };

/** For a test of what a visitor meets before the first touch, with an empty cache. */
export const firstVisit: VisitOptions = { isUntouched: true, isFirstVisit: true };

let addresses = 0;

/** An email address that no other test uses. */
export function ownAddress(): string {
  return `visitor-${++addresses}-${Date.now().toString(36)}@example.com`;
}

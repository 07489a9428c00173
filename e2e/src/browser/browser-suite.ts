import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterDirectory } from '@dune-tide/local/local-database';
import type { Browser } from 'playwright-core';
import { launchBrowser, openVisit, type Visit, type VisitOptions } from './browser.ts';
import { startBrowserStack, type BrowserStack } from './browser-stack.ts';
import { copyMigratedCluster } from '@dune-tide/testkit/initialised-cluster';
import { storeSmallPortfolio } from '@dune-tide/testkit/portfolio';
import { keepLog } from '@dune-tide/testkit/recent-log';
import { needsOwnProfile, openSharedTab, type SharedTab } from './shared-tab.ts';

let running: { readonly stack: BrowserStack; readonly browser: Browser } | undefined;
/** The tabs by their options. */
const sharedTabs = new Map<string, SharedTab>();

/** Root hooks for mocha's `--require`: one stack and one browser for all files of a run. */
export const mochaHooks: Mocha.RootHookObject = {
  async beforeAll() {
    const started = await startBrowserStack(async (data, siteUrl) => {
      await copyMigratedCluster(clusterDirectory(data));
      await storeSmallPortfolio(join(data, 'cache'), siteUrl);
    });
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

/** Returns the running product that the browser visits. */
export function stack(): BrowserStack {
  return current().stack;
}

/**
 * Wraps a test in a visit to a page; the test also fails if an error occurs on the page.
 * @param path - a path of the site, or a full address
 * @returns the function to pass to `it`
 */
export function onPage(path: string, test: (visit: Visit) => Promise<void>, options: VisitOptions = {}) {
  return async (): Promise<void> => {
    const stay = await arrive(path, options);
    let isClean = false;
    try {
      await test(stay.visit);
      isClean = true;
    } catch (error) {
      await explain(stay);
      throw error;
    } finally {
      await stay.leave(isClean);
    }
    expectFaultless(stay.visit);
  };
}

/**
 * Opens one page for all tests of a `describe`, which continue from each other. An error on it fails the last test.
 * @param path - a path of the site
 * @returns a function that returns the visit while tests run
 */
export function withPage(path: string, options: VisitOptions = {}): () => Visit {
  let stay: Stay | undefined;
  before(async () => {
    stay = await arrive(path, options);
  });
  afterEach(async function () {
    if (stay && this.currentTest?.state === 'failed') await explain(stay);
  });
  after(async function () {
    if (!stay) return;
    let isClean = true;
    this.test?.parent?.eachTest(({ state }) => (isClean &&= state === 'passed'));
    await stay.leave(isClean);
    expectFaultless(stay.visit);
  });
  return () => {
    if (!stay) throw new Error('The page is open only while tests run');
    return stay.visit;
  };
}

interface Stay {
  readonly visit: Visit;
  readonly arrivedAt: Date;
  /** @param isClean - whether the next visitor may reuse the tab */
  leave(isClean: boolean): Promise<void>;
}

async function arrive(path: string, options: VisitOptions): Promise<Stay> {
  const { browser, stack: product } = current();
  const url = new URL(path, product.siteUrl).href;
  const arrivedAt = new Date();
  if (needsOwnProfile(options)) {
    const visit = await openVisit(browser, url, options);
    return { visit, arrivedAt, leave: () => visit.context.close() };
  }
  const { javaScriptEnabled = true, isPhone = false } = options;
  const kind = `${javaScriptEnabled} ${isPhone}`;
  const tab = sharedTabs.get(kind) ?? (await openSharedTab(browser, product.siteUrl, { javaScriptEnabled, isPhone }));
  // Remove the tab now: a parallel visit must not use it, nor a visit after a failed test or a failed cleanup.
  sharedTabs.delete(kind);
  const closeAfter = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      await tab.close();
      throw error;
    }
  };
  return {
    visit: await closeAfter(tab.visit(url, options)),
    arrivedAt,
    async leave(isClean) {
      if (!isClean) return tab.close();
      await closeAfter(tab.leave());
      sharedTabs.set(kind, tab);
    },
  };
}

let screenshots = 0;

/** Adds the product's log since the arrival, and screenshots of all pages, to the report of a failed test. */
async function explain({ visit, arrivedAt }: Stay): Promise<void> {
  const timeOf = (line: string): string => /"time":"([^"]+)"/.exec(line)?.[1] ?? '';
  // Without the files of the site, because a page loads dozens.
  const lines = (await readFile(stack().logFile, 'utf8')).split('\n').filter((line) => !line.includes('"/assets/'));
  keepLog(lines.filter((line) => timeOf(line) >= arrivedAt.toISOString()).join('\n'));
  for (const page of visit.context.pages()) {
    const path = `failures/${process.pid}-${++screenshots}.png`;
    const result = await page.screenshot({ path }).then(() => path, String);
    keepLog(`\nScreenshot: ${result}`);
  }
}

function expectFaultless({ faults }: Visit): void {
  if (faults.length > 0) throw new Error(`Errors on the page:\n${faults.join('\n')}`);
}

/** For a test that only reads the prerendered page and does not wait for the application. */
export const untouched: VisitOptions = { isUntouched: true };

/** For a test of the page before the first interaction, with an empty cache. */
export const firstVisit: VisitOptions = { isUntouched: true, isFirstVisit: true };

let addresses = 0;

/** Returns an email address that no other test uses. */
export function ownAddress(): string {
  return `visitor-${++addresses}-${Date.now().toString(36)}@example.com`;
}

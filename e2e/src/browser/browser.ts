import { statfs } from 'node:fs/promises';
import { minFormAge } from '@dune-tide/domain/limits';
import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core';
import { testService } from '@dune-tide/testkit/environment';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { takenOverPrefix } from './react-internals.ts';

/** How a visitor comes: window, system settings, and what the test makes fail on purpose. */
export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** The browser's size of letters; in the tab that visits share. */
  readonly fontSize?: number;
  /** Most visits are without motion, so that nothing is looked at half-way. */
  readonly reducedMotion?: 'reduce' | 'no-preference';
  readonly javaScriptEnabled?: boolean;
  /** The page's clock may be stopped and moved on by the test. */
  readonly hasOwnClock?: boolean;
  /** Scripts that run before the page's own. */
  readonly scripts?: readonly string[];
  /** What is so before the page is opened, e.g. who is signed in. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
  /** The visitor reads only: the page is not touched, and nothing is waited for but its load. */
  readonly isUntouched?: boolean;
  /** Whether an untouched page starts the application when it is idle; otherwise the visitor saves data. */
  readonly startsWhenIdle?: boolean;
  /** The test takes the connection away: then requests fail, and the browser says so. */
  readonly isOfflineAtTimes?: boolean;
  /** The browser has nothing of the site yet, so that all that it needs of it travels. */
  readonly isFirstVisit?: boolean;
  /** The test changes the painted page, and React reports that it rendered some of it again. */
  readonly isPageChanged?: boolean;
  /** Paths whose requests are meant to fail; a failure of any other is a fault of the page. */
  readonly failing?: readonly string[];
}

/** A page of its own, with all that went wrong on it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, of the console, of the content security policy, and requests that failed unmeant. */
  readonly faults: readonly string[];
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds: what compiles its scripts for a long life takes more time than it saves.
  '--js-flags=--no-opt --no-maglev',
];

/** Containers often have little of it, so Playwright keeps Chromium off it; files in its place take a tenth more time. */
async function hasSharedMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= 1024 ** 3;
}

/** Starts Chromium without a window, with a profile that is thrown away. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: testService('CHROMIUM'),
    headless: true,
    args: flags,
    ignoreDefaultArgs: (await hasSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
    timeout: hangLimitSeconds * 1000,
  });
}

/** What React could mend is told as an error of its own, with what went wrong as its cause. */
const reportCauses = `window.addEventListener('error', ({ error }) => {
  if (error?.cause) console.error('Caused by: ' + (error.cause.stack ?? error.cause));
});`;

const reportPolicyViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('Content security policy: ' + event.violatedDirective + ' blocked ' + event.blockedURI);
});`;

/** Opens an address in a browser profile of its own, and waits until the application runs. */
export async function openVisit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { page, context } = await openTab(browser, options);
  const faults = watch(page, options);
  await options.prepare?.(context);
  if (options.hasOwnClock) await page.clock.install();
  for (const content of scriptsOf(options)) await page.addInitScript({ content });
  await enter(page, url, options);
  return { page, context, faults };
}

/** Goes to an address and waits until the application runs. */
export async function enter(page: Page, url: string, options: VisitOptions): Promise<void> {
  await page.goto(url);
  if (options.javaScriptEnabled !== false && !options.isUntouched) await untilInteractive(page);
}

const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } });`;

/** The scripts that run before the page's own. */
export const scriptsOf = ({ scripts = [], isUntouched, startsWhenIdle }: VisitOptions): readonly string[] =>
  isUntouched && !startsWhenIdle ? [saveData, ...scripts] : scripts;

/** Opens an empty tab in a profile of its own. */
export async function openTab(browser: Browser, options: VisitOptions = {}): Promise<Omit<Visit, 'faults'>> {
  const context = await browser.newContext({
    ...windowOf(options),
    ...mediaOf(options),
    javaScriptEnabled: options.javaScriptEnabled ?? true,
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(hangLimitSeconds * 1000);
  const page = await context.newPage();
  for (const content of [reportCauses, reportPolicyViolations]) await page.addInitScript({ content });
  return { page, context };
}

/** The size of the window that a visitor comes with. */
export const windowOf = ({ width = 1440, height = 900 }: VisitOptions) => ({ viewport: { width, height } });

/** The system settings that a visitor comes with. */
export const mediaOf = ({ colorScheme = 'light', reducedMotion = 'reduce' }: VisitOptions) => ({
  colorScheme,
  reducedMotion,
});

/** Waits as long as people take for a form at least: what is sent sooner after the first touch is taken for spam. */
export async function takeTime(page: Page): Promise<void> {
  await page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), minFormAge);
}

/** A script of a visit: keeps what the page has open for `goBackOnPhone`, since no test can make a phone's gesture. */
export const keepCloseWatchers = `window.CloseWatcher = class extends CloseWatcher {
  constructor() {
    super();
    window.lastCloseWatcher = this;
  }
};`;

/** What the browser does when a phone goes back while something stands over the page. */
export async function goBackOnPhone(page: Page): Promise<void> {
  await page.evaluate('lastCloseWatcher.requestClose()');
}

/** Moves the pointer, wherever it is. */
export async function movePointer(page: Page): Promise<void> {
  for (const place of [1, 2]) await page.mouse.move(place, place);
}

/** Shows that somebody is there, and waits until React has taken over the prerendered page with all its forms. */
export async function untilInteractive(page: Page): Promise<void> {
  const painted = await page.locator('form').count();
  await movePointer(page);
  await page.waitForFunction(
    ([expected, prefix]) => {
      const last = [...document.querySelectorAll('footer a')].at(-1);
      const forms = [...document.querySelectorAll('form')];
      // Without a function that has a name: the test runner would wrap it in a helper that the page does not have.
      return (
        last !== undefined &&
        forms.length >= expected &&
        [last, ...forms].every((element) => Object.keys(element).some((key) => key.startsWith(prefix)))
      );
    },
    [painted, takenOverPrefix] as const,
  );
}

/**
 * Holds requests back.
 * @param path - of them, with `*` for what may stand there
 * @returns lets them go on
 */
export async function hold(page: Page, path: string): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${path}`, async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}

/** Goes on intercepting without a route: where that ends, the browser aborts what the page sends just then. */
async function keepIntercepting(page: Page): Promise<void> {
  await page.context().route('**/asked-for-by-nobody', (route) => route.fallback());
}

/** Takes the next request to an address, with `*` and `**` for what may stand there, and lets those after it go. */
export async function routeOnce(page: Page, url: string, handle: (route: Route) => Promise<void>): Promise<void> {
  await keepIntercepting(page);
  await page.route(url, handle, { times: 1 });
}

/** Lets the requests of a page go, or those to an address. */
export async function endRoutes(page: Page, url?: string): Promise<void> {
  await keepIntercepting(page);
  await (url === undefined ? page.unrouteAll({ behavior: 'ignoreErrors' }) : page.unroute(url));
}

/** Lets the next request to an address do what it asks for, and loses its answer. */
export async function loseAnswer(page: Page, url: string): Promise<void> {
  await routeOnce(page, url, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
}

/** React's errors 418 to 425 and 520: what the build painted is not what the browser shows. */
const isHydrationError = (text: string): boolean => /Minified React error #(?:41[89]|42[0-5]|520)/.test(text);

/** Notes what goes wrong on a page. */
export function watch(
  page: Page,
  { failing = [], javaScriptEnabled = true, isOfflineAtTimes = false, isPageChanged = false }: VisitOptions,
): readonly string[] {
  const faults: string[] = [];
  const isOfLostScript = (text: string): boolean =>
    isOfflineAtTimes && text.includes('Failed to fetch dynamically imported module');
  const isMeant = (url: string): boolean => failing.includes(new URL(url).pathname);
  page.on('pageerror', (error) => {
    if (!isOfLostScript(error.message) && !(isPageChanged && isHydrationError(error.message)))
      faults.push(`Uncaught: ${error.stack ?? error.message}`);
  });
  page.on('console', (message) => {
    // The browser's own line about a request; the request itself is judged below.
    const isOfRequest = message.text().startsWith('Failed to load resource') || isOfLostScript(message.text());
    if (message.type() === 'error' && !isOfRequest) faults.push(`Console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && !isMeant(response.url())) faults.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page ends what it was still loading; without JavaScript the browser refuses every script.
    const isExpected =
      reason === 'net::ERR_ABORTED' ||
      (isOfflineAtTimes && reason === 'net::ERR_INTERNET_DISCONNECTED') ||
      (reason === 'csp' && !javaScriptEnabled);
    if (!isExpected && !isMeant(request.url())) faults.push(`${reason} ${request.url()}`);
  });
  return faults;
}

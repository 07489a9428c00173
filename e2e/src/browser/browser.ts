import { statfs } from 'node:fs/promises';
import { minFormAge } from '@dune-tide/domain/limits';
import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core';
import { testService } from '@dune-tide/testkit/environment';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { takenOverPrefix } from './react-internals.ts';

/** Options of a visit: window, system settings and intended failures. */
export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Font size of the browser, in the shared tab. */
  readonly fontSize?: number;
  /** Reduced by default, so that no test reads an animation in progress. */
  readonly reducedMotion?: 'reduce' | 'no-preference';
  readonly javaScriptEnabled?: boolean;
  /** A phone with a touch screen. */
  readonly isPhone?: boolean;
  /** The test may stop and advance the page's clock. */
  readonly hasOwnClock?: boolean;
  /** Scripts that run before the page's scripts. */
  readonly scripts?: readonly string[];
  /** Sets up the browser before the page opens, for example by signing in. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
  /** The visit does not touch the page and waits only for its load. */
  readonly isUntouched?: boolean;
  /** Whether an untouched page starts the application when idle; otherwise the visitor has data saver on. */
  readonly startsWhenIdle?: boolean;
  /** The test cuts the connection, so failed requests and their console messages are expected. */
  readonly isOfflineAtTimes?: boolean;
  /** The cache is empty, so every needed file of the site is requested. */
  readonly isFirstVisit?: boolean;
  /** The test changes the prerendered page, so React reports a hydration error. */
  readonly isPageChanged?: boolean;
  /** Paths whose requests are expected to fail; any other failure is an error of the page. */
  readonly failing?: readonly string[];
}

/** An open page with the errors that occurred on it. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors from scripts, the console and the content security policy, and unexpected request failures. */
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
  // A name of the test's server that is not a secure context, as in a local network.
  '--host-resolver-rules=MAP studio.lan 127.0.0.1',
];

/** Containers often have little shared memory, so Playwright uses files instead, which takes a tenth more time. */
async function hasSharedMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= 1024 ** 3;
}

/** Starts headless Chromium with a temporary profile. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: testService('CHROMIUM'),
    headless: true,
    args: flags,
    ignoreDefaultArgs: (await hasSharedMemory()) ? ['--disable-dev-shm-usage'] : [],
    timeout: hangLimitSeconds * 1000,
  });
}

/** React reports recoverable errors with the original error as the cause. */
const reportCauses = `window.addEventListener('error', ({ error }) => {
  if (error?.cause) console.error('Caused by: ' + (error.cause.stack ?? error.cause));
});`;

const reportPolicyViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('Content security policy: ' + event.violatedDirective + ' blocked ' + event.blockedURI);
});`;

/** Opens an address in a new browser profile and waits until the application runs. */
export async function openVisit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { page, context } = await openTab(browser, options);
  const faults = watch(page, options);
  await options.prepare?.(context);
  if (options.hasOwnClock) await page.clock.install();
  for (const content of scriptsOf(options)) await page.addInitScript({ content });
  await enter(page, url, options);
  return { page, context, faults };
}

/** Navigates to an address and waits until the application runs. */
export async function enter(page: Page, url: string, options: VisitOptions): Promise<void> {
  await page.goto(url);
  if (options.javaScriptEnabled !== false && !options.isUntouched) await untilInteractive(page);
}

const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } });`;

/** Returns the scripts that run before the page's scripts. */
export const scriptsOf = ({ scripts = [], isUntouched, startsWhenIdle }: VisitOptions): readonly string[] =>
  isUntouched && !startsWhenIdle ? [saveData, ...scripts] : scripts;

/** Opens an empty tab in a new profile. */
export async function openTab(browser: Browser, options: VisitOptions = {}): Promise<Omit<Visit, 'faults'>> {
  const context = await browser.newContext({
    ...windowOf(options),
    ...mediaOf(options),
    javaScriptEnabled: options.javaScriptEnabled ?? true,
    ...(options.isPhone && { isMobile: true, hasTouch: true }),
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(hangLimitSeconds * 1000);
  const page = await context.newPage();
  for (const content of [reportCauses, reportPolicyViolations]) await page.addInitScript({ content });
  return { page, context };
}

/** Returns the window size of a visit. */
export const windowOf = ({ width = 1440, height = 900 }: VisitOptions) => ({ viewport: { width, height } });

/** Returns the system settings of a visit. */
export const mediaOf = ({ colorScheme = 'light', reducedMotion = 'reduce' }: VisitOptions) => ({
  colorScheme,
  reducedMotion,
});

/** Waits for the minimum filling time: a form sent sooner after the first interaction is classified as spam. */
export async function takeTime(page: Page): Promise<void> {
  await page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), minFormAge);
}

/** Script that records open close watchers for `goBackOnPhone`, because tests cannot make a phone's back gesture. */
export const keepCloseWatchers = `window.CloseWatcher = class extends CloseWatcher {
  constructor() {
    super();
    window.lastCloseWatcher = this;
  }
};`;

/** Simulates the back gesture of a phone while a dialog or menu is open. */
export async function goBackOnPhone(page: Page): Promise<void> {
  await page.evaluate('lastCloseWatcher.requestClose()');
}

/** Moves the pointer to a new position. */
export async function movePointer(page: Page): Promise<void> {
  for (const place of [1, 2]) await page.mouse.move(place, place);
}

/**
 * Pauses the clock of a page that has its own. The clock first jumps ahead, by less than the time limit of requests
 * (`requestTimeout`), because a longer jump would end those in progress.
 */
export const pauseClock = (page: Page) => page.clock.pauseAt(Date.now() + 10_000);

/**
 * Waits on a page whose clock is paused, which then runs in small steps, so that the time of a toast cannot pass on a slow
 * machine.
 */
export const untilStep = (page: Page, what: string, isTrue: () => Promise<boolean>) =>
  until(what, async () => {
    await page.clock.runFor(5);
    return isTrue();
  });

/** Interacts with the page and waits until React has hydrated it with all forms. */
export async function untilInteractive(page: Page): Promise<void> {
  const painted = await page.locator('form').count();
  await movePointer(page);
  await page.waitForFunction(
    ([expected, prefix]) => {
      const last = [...document.querySelectorAll('footer a')].at(-1);
      const forms = [...document.querySelectorAll('form')];
      // No named functions: the test runner would wrap them in a helper that the page lacks.
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
 * Holds matching requests.
 * @param path - their path; `*` matches any text
 * @returns a function that releases them
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

/** Keeps interception on while no route needs it, because the browser aborts requests in progress when it is turned off. */
async function keepIntercepting(page: Page): Promise<void> {
  await page.context().route('**/never-requested', (route) => route.fallback());
}

/** Handles the next request to an address (`*` and `**` are wildcards); later requests are not intercepted. */
export async function routeOnce(page: Page, url: string, handle: (route: Route) => Promise<void>): Promise<void> {
  await keepIntercepting(page);
  await page.route(url, handle, { times: 1 });
}

/** Stops intercepting the requests of a page, or those to one address. */
export async function endRoutes(page: Page, url?: string): Promise<void> {
  await keepIntercepting(page);
  await (url === undefined ? page.unrouteAll({ behavior: 'ignoreErrors' }) : page.unroute(url));
}

/** Lets the next request to an address reach the server and drops the response. */
export async function loseResponse(page: Page, url: string): Promise<void> {
  await routeOnce(page, url, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
}

/** React's errors 418 to 425 and 520: the rendered page differs from the prerendered one. */
const isHydrationError = (text: string): boolean => /Minified React error #(?:41[89]|42[0-5]|520)/.test(text);

/** Records the errors on a page. */
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
    // Skip the browser's message about a failed request: the handler below checks the request itself.
    const isOfRequest = message.text().startsWith('Failed to load resource') || isOfLostScript(message.text());
    // Browsers ignore this header without a secure context.
    const isOfInsecureSite = message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored');
    if (message.type() === 'error' && !isOfRequest && !isOfInsecureSite) faults.push(`Console: ${message.text()}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    // The announcements notice the end of a session by this status, at any time.
    const isEndOfSession = status === 401 && new URL(response.url()).pathname === '/api/admin/events';
    if (status >= 400 && !isEndOfSession && !isMeant(response.url())) faults.push(`${status} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Navigation aborts requests in progress; without JavaScript the browser blocks every script.
    const isExpected =
      reason === 'net::ERR_ABORTED' ||
      (isOfflineAtTimes && reason === 'net::ERR_INTERNET_DISCONNECTED') ||
      (reason === 'csp' && !javaScriptEnabled);
    if (!isExpected && !isMeant(request.url())) faults.push(`${reason} ${request.url()}`);
  });
  return faults;
}

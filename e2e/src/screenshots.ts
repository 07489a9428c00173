import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { services } from '@dune-tide/domain/content/services';
import type { Browser, Page } from 'playwright-core';
import { installTools } from './checks/services.ts';
import { launchBrowser, openVisit, type VisitOptions } from './support/browser.ts';
import { startBrowserStack, type BrowserStack } from './support/browser-stack.ts';
import { fakeStaffApi } from './support/fake-staff-api.ts';

const run = promisify(execFile);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = 'screenshots';
const visitor = 'noura@example.com';
const missing = '/no-such-page';
const pdfDotsPerInch = 60;
/** Part of a picture's name, to take some pictures again; all when unset. */
const only = process.env['ONLY'] ?? '';

/** A picture: where it is taken, and what the visitor does before. */
interface Shot {
  readonly name: string;
  readonly path: string;
  readonly reach?: (page: Page) => Promise<unknown>;
  readonly options?: VisitOptions;
  /** The whole page rather than the window. */
  readonly isWhole?: boolean;
  /** One part of the page. */
  readonly part?: string;
}

const dialog = (page: Page) => page.getByRole('dialog');
const contact = (page: Page) => page.getByRole('form', { name: 'Contact' });

async function openModal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View All Projects' }).click();
  await dialog(page).getByRole('textbox').waitFor();
}

async function sendModal(page: Page, email: string): Promise<void> {
  await openModal(page);
  await dialog(page).getByRole('textbox').fill(email);
  await dialog(page).locator('button[type="submit"]').click();
}

async function fillContact(page: Page): Promise<void> {
  await contact(page)
    .getByLabel(/^First name/)
    .fill('Noura');
  await contact(page)
    .getByLabel(/^Last name/)
    .fill('al-Harbi');
  await contact(page)
    .getByLabel(/^E-mail/)
    .fill(visitor);
  await contact(page)
    .getByLabel(/^Service/)
    .selectOption('ugc');
  await contact(page)
    .getByLabel(/^Message/)
    .fill('We are launching a line of oud perfumes in spring and look for thirty creators in the Gulf.');
}

async function sendContact(page: Page): Promise<void> {
  await contact(page).locator('button[type="submit"]').click();
}

const windows = [1440, 1024, 768, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
/** Where each state is looked at. */
const stateWindows = windows.filter(({ width }) => width === 1440 || width === 390);

const states: readonly Shot[] = [
  { name: 'modal-open', path: '/', reach: openModal },
  {
    name: 'modal-error',
    path: '/',
    reach: async (page) => {
      await openModal(page);
      await dialog(page).locator('button[type="submit"]').click();
    },
  },
  {
    name: 'modal-sending',
    path: '/',
    reach: async (page) => {
      await page.route('**/api/portfolio-lead', () => undefined);
      await sendModal(page, visitor);
      await dialog(page).getByText('Sending...').waitFor();
    },
  },
  {
    name: 'modal-failed',
    path: '/',
    options: { failing: ['/api/portfolio-lead'] },
    reach: async (page) => {
      await page.route('**/api/portfolio-lead', (route) => route.fulfill({ status: 503, json: {} }));
      await sendModal(page, visitor);
      await page.getByText('Failed to send portfolio').waitFor();
    },
  },
  {
    name: 'modal-sent',
    path: '/',
    reach: async (page) => {
      await sendModal(page, visitor);
      await dialog(page).getByText('Portfolio Sent!').waitFor();
      await page.getByText('Portfolio sent to your email.').waitFor();
    },
  },
  { name: 'contact-empty', path: '/', part: '#contact' },
  { name: 'contact-errors', path: '/', reach: sendContact, part: '#contact' },
  { name: 'contact-filled', path: '/', reach: fillContact, part: '#contact' },
  {
    name: 'contact-sending',
    path: '/',
    part: '#contact',
    reach: async (page) => {
      await page.route('**/api/contact', () => undefined);
      await fillContact(page);
      await sendContact(page);
      await page.getByText('Sending...').waitFor();
    },
  },
  {
    name: 'contact-sent',
    path: '/',
    reach: async (page) => {
      await fillContact(page);
      await sendContact(page);
      await page.getByText('Your message has been sent successfully.').waitFor();
    },
  },
  { name: 'not-found', path: missing, options: { failing: [missing] }, isWhole: true },
];

const signedIn: VisitOptions = { isUntouched: true, prepare: (context) => fakeStaffApi().install(context) };

const openMemberDialog = async (page: Page, button: string): Promise<void> => {
  await page.getByRole('button', { name: button }).click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).waitFor();
};

/** The staff area, whose API the browser stands in for. */
const staffStates: readonly Shot[] = [
  {
    name: 'admin-login',
    path: '/admin/login',
    options: { isUntouched: true },
    reach: (page) => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  },
  {
    name: 'admin-login-refused',
    path: '/admin/login',
    options: {
      isUntouched: true,
      failing: ['/api/admin/login'],
      prepare: (context) =>
        context.route('**/api/admin/login', (route) =>
          route.fulfill({ status: 429, headers: { 'Retry-After': '720' }, json: {} }),
        ),
    },
    reach: async (page) => {
      await page.getByLabel(/^Username/).fill('noura');
      await page.getByLabel(/^Password/).fill('a password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Too many attempts.').waitFor();
      await page.getByText('Login failed').waitFor();
    },
  },
  {
    name: 'admin-dashboard',
    path: '/admin/dashboard',
    options: signedIn,
    reach: (page) => page.getByText('1,284').waitFor(),
    isWhole: true,
  },
  {
    name: 'admin-team',
    path: '/admin/team',
    options: signedIn,
    reach: (page) => page.getByRole('table').waitFor(),
    isWhole: true,
  },
  {
    name: 'admin-team-add',
    path: '/admin/team',
    options: signedIn,
    reach: async (page) => {
      await openMemberDialog(page, 'Add member');
      await dialog(page).locator('button[type="submit"]').click();
    },
  },
  {
    name: 'admin-team-deactivate',
    path: '/admin/team',
    options: signedIn,
    reach: (page) => openMemberDialog(page, 'Deactivate Noura al-Harbi'),
  },
];

/** The pages whose form is their purpose. */
const formPages = ['/project-inquiry', ...services.map(({ href }) => href), '/careers', '/kingrose'];
const formPosts = ['/api/service-inquiry', '/api/careers'];
const fileName = (path: string): string => path.slice(1).replaceAll('/', '-');

const submit = (page: Page): Promise<void> => page.getByRole('main').locator('form button[type="submit"]').click();

/** Every field of the page's form, with what suits it. */
async function fillForm(page: Page): Promise<void> {
  const form = page.getByRole('main').locator('form');
  for (const field of await form.locator('select').all()) await field.selectOption({ index: 1 });
  for (const group of await form.getByRole('radiogroup').all()) await group.getByRole('radio').first().check();
  for (const field of await form.locator('input:not([type="radio"]), textarea').all()) {
    const name = (await field.getAttribute('name')) ?? '';
    await field.fill(sampleAnswers[name] ?? 'We move house-proud families between Riyadh and Jeddah, and count boxes.');
  }
}

const sampleAnswers: Readonly<Record<string, string>> = {
  name: 'Noura al-Harbi',
  firstName: 'Noura',
  lastName: 'al-Harbi',
  email: visitor,
  company: 'Sabkha Removals',
  phone: '+966 11 555 0100',
  portfolio: 'https://noura.example',
};

/** What comes after a form was sent, and what when that failed. */
const outcomes = [
  { name: 'sent', status: 201, toast: /Submitted!/ },
  { name: 'failed', status: 503, toast: 'Error' },
] as const;

const shots: readonly Shot[] = [
  ...formPages.flatMap((path) => [
    ...windows.map((options) => ({
      name: `${fileName(path)}-${options.width}-${options.colorScheme}`,
      path,
      options,
      isWhole: true,
    })),
    ...stateWindows.map((options) => ({
      name: `${fileName(path)}-errors-${options.width}-${options.colorScheme}`,
      path,
      options,
      reach: submit,
      part: 'main form',
    })),
    ...outcomes.flatMap(({ name, status, toast }) =>
      stateWindows.map((options) => ({
        name: `${fileName(path)}-${name}-${options.width}-${options.colorScheme}`,
        path,
        options: { ...options, failing: formPosts },
        reach: async (page: Page) => {
          await page.route('**/api/*', (route) => route.fulfill({ status, json: {} }));
          await fillForm(page);
          await submit(page);
          await page.getByText(toast, { exact: true }).waitFor();
        },
      })),
    ),
  ]),
  ...windows.map((options) => ({
    name: `home-${options.width}-${options.colorScheme}`,
    path: '/',
    options,
    isWhole: true,
    reach: (page: Page) => page.getByRole('button', { name: 'Show More' }).click(),
  })),
  ...[...states, ...staffStates].flatMap((state) =>
    stateWindows.map((options) => ({
      ...state,
      name: `${state.name}-${options.width}-${options.colorScheme}`,
      options: { ...state.options, ...options },
    })),
  ),
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    name: `menu-390-${colorScheme}`,
    path: '/',
    options: { width: 390, height: 844, colorScheme },
    reach: (page: Page) => page.getByRole('button', { name: 'Open menu' }).click(),
  })),
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    name: `admin-menu-390-${colorScheme}`,
    path: '/admin/dashboard',
    options: { ...signedIn, width: 390, height: 844, colorScheme },
    reach: (page: Page) => page.getByRole('button', { name: 'Open menu' }).click(),
  })),
];

/** @returns what went wrong on the page */
async function take(browser: Browser, stack: BrowserStack, shot: Shot): Promise<readonly string[]> {
  const { page, context, faults } = await openVisit(browser, stack.siteUrl + shot.path, shot.options);
  try {
    await shot.reach?.(page);
    if (shot.isWhole) await page.evaluate(() => window.scrollTo(0, 0));
    await settle(page);
    const path = join(folder, `${shot.name}.png`);
    if (shot.part === undefined) await page.screenshot({ path, fullPage: shot.isWhole ?? false });
    else await page.locator(shot.part).screenshot({ path });
  } finally {
    await context.close();
  }
  return faults.map((fault) => `${shot.name}: ${fault}`);
}

/** Waits for the faces, and for whatever fades in. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const moving = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}

/** The inbox with the mail that the modal's success brought, and the pages of its PDF. */
async function takeMail(browser: Browser, stack: BrowserStack): Promise<void> {
  const mail = await stack.mailTo(visitor, ({ attachments }) => attachments.length > 0);
  for (const { width, colorScheme } of stateWindows) {
    const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(stack.inboxUrl);
    await page.screenshot({ path: join(folder, `inbox-${width}-${colorScheme}.png`) });
    await page.goto(`${stack.inboxUrl}/messages/${mail.id}`);
    await page.frameLocator('iframe').locator('body').waitFor();
    await page.screenshot({ path: join(folder, `inbox-mail-${width}-${colorScheme}.png`) });
    await context.close();
  }

  const pdf = join(folder, 'portfolio.pdf');
  await writeFile(pdf, await stack.attachment(mail, 0));
  try {
    await run('pdftoppm', ['-png', '-r', String(pdfDotsPerInch), pdf, join(folder, 'pdf')], { timeout: 60_000 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    say(`The pages of the PDF are left out: there is no pdftoppm (package poppler-utils). The PDF itself is ${pdf}.`);
  }
}

await installTools();
if (only === '') await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const stack = await startBrowserStack();
const browser = await launchBrowser();
const faults: string[] = [];
try {
  for (const shot of shots.filter(({ name }) => name.includes(only))) {
    faults.push(...(await take(browser, stack, shot)));
    say(`${folder}/${shot.name}.png`);
  }
  if (only === '') await takeMail(browser, stack);
} finally {
  await browser.close();
  await stack.stop();
}
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

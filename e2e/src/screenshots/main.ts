import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { caseStudyPath, caseStudySlugs } from '@dune-tide/domain/content/case-study-heads';
import { services } from '@dune-tide/domain/content/services';
import { honeypotField } from '@dune-tide/domain/spam';
import type { Browser, Page } from 'playwright-core';
import { installTools } from '@dune-tide/testkit/services/services';
import { launchBrowser, openVisit, takeTime } from '../browser/browser.ts';
import { staffAccount, startBrowserStack, type BrowserStack } from '../browser/browser-stack.ts';
import { signInAs } from '../browser/sign-in.ts';
import { accountTable } from '../browser/staff.ts';
import { accountStates } from './account-states.ts';
import { motions, takeStrip } from './motion.ts';
import { settle, type Shot } from './shot.ts';
import { leadId, leadName, recipes, storeStaffData, suspectId, visitor } from './staff-data.ts';

const run = promisify(execFile);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = 'screenshots';
const missing = '/no-such-page';
const pdfDotsPerInch = 60;
/** Parts of the names of screenshots, separated by commas, to take only those again; all if unset. */
const only = process.env['ONLY'] ?? '';

const dialog = (page: Page) => page.getByRole('dialog');
/** Forms show their result too, so look only in the toasts. */
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });
const contact = (page: Page) => page.getByRole('form', { name: 'Contact' });

async function openModal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View All Projects' }).click();
  await dialog(page).getByRole('textbox').waitFor();
}

async function sendModal(page: Page, email: string): Promise<void> {
  await openModal(page);
  await dialog(page).getByRole('textbox').fill(email);
  // The inbox screenshot shows the resulting email.
  await takeTime(page);
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
    .getByLabel(/^Email/)
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
/** Window sizes for the states. */
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
      await toasts(page).getByText('Failed to send portfolio').waitFor();
    },
  },
  {
    name: 'modal-sent',
    path: '/',
    reach: async (page) => {
      await sendModal(page, visitor);
      await dialog(page).getByText('Portfolio Sent!').waitFor();
      await toasts(page).getByText('Portfolio sent to your email.').waitFor();
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
      await toasts(page).getByText('Your message has been sent successfully.').waitFor();
    },
  },
  {
    name: 'contact-limited',
    path: '/',
    options: { failing: ['/api/contact'] },
    reach: async (page) => {
      await page.route('**/api/contact', (route) =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '540' }, json: {} }),
      );
      await fillContact(page);
      await sendContact(page);
      await page.getByText('Too many').first().waitFor();
    },
  },
  { name: 'privacy', path: '/privacy', isWhole: true },
  { name: 'not-found', path: missing, options: { failing: [missing] }, isWhole: true },
];

const signedIn = { isSignedIn: true, options: { isUntouched: true } } as const;

const openMemberDialog = async (page: Page, button: string): Promise<void> => {
  await page.getByRole('button', { name: button }).click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).waitFor();
};

const openRecipe = (page: Page) => page.getByRole('link', { name: recipes[0].title }).click();

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
      await page.getByText('Login failed', { exact: true }).waitFor();
    },
  },
  {
    name: 'admin-dashboard',
    path: '/admin/dashboard',
    ...signedIn,
    reach: (page) => page.locator('dl[aria-busy="false"]').waitFor(),
    isWhole: true,
  },
  {
    name: 'admin-team',
    path: '/admin/team',
    ...signedIn,
    reach: (page) => accountTable(page).waitFor(),
  },
  {
    name: 'admin-team-add',
    path: '/admin/team',
    ...signedIn,
    reach: async (page) => {
      await openMemberDialog(page, 'Add Member');
      await dialog(page).locator('button[type="submit"]').click();
    },
  },
  {
    name: 'admin-team-deactivate',
    path: '/admin/team',
    ...signedIn,
    reach: (page) => openMemberDialog(page, 'Deactivate Noura al-Harbi'),
  },
  {
    name: 'admin-leads',
    path: '/admin/leads',
    ...signedIn,
    reach: (page) =>
      page
        .getByRole('link', { name: `View ${leadName}` })
        .first()
        .waitFor(),
  },
  {
    name: 'admin-lead-details',
    path: `/admin/leads/${leadId}`,
    ...signedIn,
    reach: (page) => dialog(page).locator('dl').first().waitFor(),
  },
  {
    name: 'admin-lead-email',
    path: '/admin/leads',
    ...signedIn,
    reach: async (page) => {
      await page
        .getByRole('button', { name: `Email ${leadName}` })
        .first()
        .click();
      await dialog(page).getByRole('button', { name: 'Send', exact: true }).waitFor();
    },
  },
  {
    name: 'admin-lead-spam',
    path: `/admin/leads/${suspectId}`,
    ...signedIn,
    reach: (page) => dialog(page).getByRole('button', { name: 'Not spam' }).waitFor(),
  },
  {
    name: 'admin-people-erase',
    path: `/admin/people?email=${visitor}`,
    ...signedIn,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Erase…' }).click();
      await dialog(page).getByRole('textbox').waitFor();
    },
  },
  {
    name: 'admin-follow-ups',
    path: '/admin/follow-ups',
    ...signedIn,
    reach: async (page) => {
      await page.getByRole('tab', { name: 'Failed' }).click();
      await page.getByRole('table', { name: 'Failed emails' }).getByRole('row').nth(1).waitFor();
    },
    isWhole: true,
  },
  {
    name: 'admin-follow-ups-waiting',
    path: '/admin/follow-ups',
    ...signedIn,
    reach: (page) => page.getByRole('tab', { name: 'Waiting' }).click(),
    isWhole: true,
  },
  {
    name: 'admin-follow-ups-retry-all',
    path: '/admin/follow-ups',
    ...signedIn,
    reach: async (page) => {
      await page.getByRole('tab', { name: 'Failed' }).click();
      await page.getByRole('button', { name: 'Retry all' }).click();
      await dialog(page).getByRole('button', { name: 'Back' }).waitFor();
    },
  },
  {
    name: 'admin-queue-board',
    path: '/api/admin/queue',
    ...signedIn,
    reach: (page) => page.getByText('follow-ups', { exact: true }).first().waitFor(),
  },
  {
    name: 'admin-recipes',
    path: '/admin/recipes',
    ...signedIn,
    reach: (page) => page.getByRole('table', { name: 'Recipes' }).waitFor(),
    isWhole: true,
  },
  {
    name: 'admin-recipe',
    path: '/admin/recipes',
    ...signedIn,
    reach: async (page) => {
      await openRecipe(page);
      await page.getByRole('region', { name: 'Instructions' }).getByRole('heading').first().waitFor();
    },
    isWhole: true,
  },
  {
    name: 'admin-recipe-edit',
    path: '/admin/recipes',
    ...signedIn,
    reach: async (page) => {
      await openRecipe(page);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await dialog(page)
        .getByLabel(/^Title/)
        .waitFor();
    },
  },
];

const formPages = ['/project-inquiry', ...services.map(({ href }) => href), '/careers', '/kingrose'];
/** API calls of the forms, mocked for these screenshots. */
const formCalls = ['/api/service-inquiry', '/api/careers', '/api/form-token'];
const fileName = (path: string): string => path.slice(1).replaceAll('/', '-');

const submit = (page: Page): Promise<void> => page.getByRole('main').locator('form button[type="submit"]').click();

/** Fills every field of the page's form with a suitable value. */
async function fillForm(page: Page): Promise<void> {
  const form = page.getByRole('main').locator('form');
  for (const field of await form.locator('select').all()) await field.selectOption({ index: 1 });
  for (const group of await form.getByRole('radiogroup').all()) await group.getByRole('radio').first().check();
  for (const field of await form.locator(`input:not([type="radio"], [name="${honeypotField}"]), textarea`).all()) {
    const name = (await field.getAttribute('name')) ?? '';
    await field.fill(sampleValues[name] ?? 'We move house-proud families between Riyadh and Jeddah, and count boxes.');
  }
}

const sampleValues: Readonly<Record<string, string>> = {
  name: 'Noura al-Harbi',
  firstName: 'Noura',
  lastName: 'al-Harbi',
  email: visitor,
  company: 'Sabkha Removals',
  phone: '+966 11 555 0100',
  portfolio: 'https://noura.example',
};

/** Results of sending a form, and the responses that cause them. */
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
        options: { ...options, failing: formCalls },
        reach: async (page: Page) => {
          await page.route('**/api/*', (route) => route.fulfill({ status, json: {} }));
          await fillForm(page);
          await submit(page);
          await toasts(page).getByText(toast, { exact: true }).waitFor();
        },
      })),
    ),
  ]),
  ...caseStudySlugs.flatMap((slug) =>
    windows.map((options) => ({
      name: `case-study-${slug}-${options.width}-${options.colorScheme}`,
      path: caseStudyPath(slug),
      options,
      isWhole: true,
    })),
  ),
  ...windows.map((options) => ({
    name: `home-${options.width}-${options.colorScheme}`,
    path: '/',
    options,
    isWhole: true,
    reach: (page: Page) => page.getByRole('button', { name: 'Show More' }).click(),
  })),
  ...[...states, ...staffStates, ...accountStates].flatMap((state) =>
    stateWindows.map((options) => ({
      ...state,
      name: `${state.name}-${options.width}-${options.colorScheme}`,
      options: { ...state.options, ...options },
    })),
  ),
  ...motions,
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    name: `menu-390-${colorScheme}`,
    path: '/',
    options: { width: 390, height: 844, colorScheme },
    reach: (page: Page) => page.getByRole('button', { name: 'Open menu' }).click(),
  })),
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    name: `admin-menu-390-${colorScheme}`,
    path: '/admin/dashboard',
    isSignedIn: true,
    options: { isUntouched: true, width: 390, height: 844, colorScheme },
    reach: (page: Page) => page.getByRole('button', { name: 'Open menu' }).click(),
  })),
];

/** Fixed elements would overlap a part that is higher than the window. */
const overParts = 'header, [href="#main"] { visibility: hidden !important; }';

/** Lets the passwords of all sessions have been entered too long ago for calls that need a fresh one. */
async function ageSessions({ database }: BrowserStack): Promise<void> {
  await database('sessions').update({ password_at: database.raw(`now() - interval '11 minutes'`) });
}

/** @returns the errors on the page, including those that prevented the screenshot */
async function take(browser: Browser, stack: BrowserStack, shot: Shot): Promise<readonly string[]> {
  const path = typeof shot.path === 'string' ? shot.path : await shot.path(stack);
  const { page, context, faults } = await openVisit(browser, stack.siteUrl + path, {
    ...shot.options,
    prepare: async (visiting) => {
      // The account page lists them.
      await stack.database('sessions').delete();
      if (shot.isSignedIn) await signInAs(visiting, stack.siteUrl, shot.account ?? staffAccount);
      if (shot.isStale) await ageSessions(stack);
      await shot.options?.prepare?.(visiting);
    },
  });
  try {
    await photograph(page, shot);
    return faults;
  } catch (error) {
    return [...faults, notTaken(error)];
  } finally {
    await context.close();
  }
}

async function photograph(page: Page, { name, reach, isWhole = false, part, steps }: Shot): Promise<void> {
  await reach?.(page);
  if (isWhole) await page.evaluate(() => window.scrollTo(0, 0));
  const path = join(folder, `${name}.png`);
  if (steps !== undefined) await takeStrip(page, steps, path);
  else {
    await settle(page);
    if (part === undefined) await page.screenshot({ path, fullPage: isWhole });
    else await page.locator(part).screenshot({ path, style: overParts });
  }
  say(path);
}

const notTaken = (error: unknown): string => `not taken: ${error instanceof Error ? error.message : String(error)}`;

/** Takes the inbox with the portfolio email, and the pages of its PDF. */
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
    say(`Skipped the pages of the PDF: pdftoppm is not installed (package poppler-utils). The PDF is ${pdf}.`);
  }
}

const chosen = shots.filter(({ name }) => only.split(',').some((part) => name.includes(part)));
if (chosen.length === 0) {
  const subjects = new Set(shots.map(({ name }) => name.replace(/-\d+-(light|dark)$/, '')));
  say(`No screenshot has "${only}" in its name. The names, each followed by -WIDTH-light or -WIDTH-dark:`);
  for (const subject of subjects) say(`  ${subject}`);
  process.exit(1);
}

await installTools();
if (only === '') await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const stack = await startBrowserStack();
const browser = await launchBrowser();
const faults: string[] = [];
try {
  await storeStaffData(stack);
  for (const shot of chosen) {
    const found = await take(browser, stack, shot).catch((error: unknown) => [notTaken(error)]);
    faults.push(...found.map((fault) => `${shot.name}: ${fault}`));
  }
  if (only === '') {
    await takeMail(browser, stack).catch((error: unknown) => faults.push(`inbox: ${notTaken(error)}`));
  }
} finally {
  await browser.close();
  await stack.stop();
}
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

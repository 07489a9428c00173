import { endRoutes, hold, movePointer, routeOnce } from '../../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';

const message = (page: Page) => page.locator('#contact [name="message"]');
const notice = (page: Page) => page.getByText('This part of the page could not be loaded.');

/** Checks that the page's bar, headline and footer are readable. */
async function expectPage(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByRole('heading', { level: 1, name: /^Impactful/ }).waitFor();
  expect(await page.locator('footer').isVisible()).to.equal(true);
}

/** Checks that the form shows another way to reach the studio. */
const expectAddress = (page: Page) =>
  page.locator('#contact .without-code').getByRole('link', { name: 'hello@duneandtide.studio' }).waitFor();

/** Moves the time of the style that shows the form without code. */
const moveStyleTime = (page: Page, milliseconds: number) =>
  page.evaluate((time) => {
    const style = document.getAnimations().find((each) => (each as CSSAnimation).animationName === 'without-code');
    if (!style) throw new Error('The style does not wait');
    style.currentTime = time;
  }, milliseconds);

/** Checks that a page on which no script runs shows another way to reach the studio after ten seconds. */
async function expectAddressAfterTime(page: Page): Promise<void> {
  await moveStyleTime(page, 5_000);
  expect(await page.locator('#contact .without-code').isVisible()).to.equal(false);
  await moveStyleTime(page, 10_000);
  await expectAddress(page);
}

const disconnect = (route: Route) => route.abort('internetdisconnected');

/** The paths of scripts that a new release has renamed. */
const renamed: string[] = [];
const refuse = (route: Route): Promise<void> => {
  renamed.push(new URL(route.request().url()).pathname);
  return route.fulfill({ status: 404, body: '' });
};

/** Makes every request for a script fail. @returns a function that waits for the first of them */
async function lose(page: Page, script: string, fail = disconnect): Promise<() => Promise<unknown>> {
  const lost = page.waitForRequest(`**/assets/${script}-*.js`);
  await page.route(`**/assets/${script}-*.js`, fail);
  return () => lost;
}

async function fillContact(page: Page): Promise<string> {
  const email = ownAddress();
  const form = page.locator('#contact');
  await form.locator('[name="firstName"]').fill('Layla');
  await form.locator('[name="lastName"]').fill('Haddad');
  await form.locator('[name="email"]').fill(email);
  await form.locator('[name="service"]').selectOption('ugc');
  await message(page).fill('We launch in March');
  return email;
}

const send = (page: Page) => page.getByRole('button', { name: 'Send Message' }).click();
const toast = (page: Page, text: string) => page.getByRole('region', { name: /Notifications/ }).getByText(text);

/** Records the errors that the page reports, for the test to check. */
const noteErrors = `window.heard = [];
addEventListener('error', (event) => {
  window.heard.push(event.message);
  event.preventDefault();
});`;

describe('A public page without one of its scripts', () => {
  // A script of all forms, the form's own, and the one that sends it; the rest of the page works.
  for (const [script, fail] of [
    ['form-kit', disconnect],
    ['ContactForm', disconnect],
    ['store', refuse],
  ] as const) {
    it(
      `(${script}, for its form) shows an error in place of the form and keeps the typed text`,
      onPage(
        '/',
        async ({ page }) => {
          const lost = await lose(page, script, fail);
          await message(page).fill('We launch in March');
          await lost();
          await notice(page).waitFor();
          await page.getByText('Your text has been kept.').waitFor();
          await expectPage(page);
          await page.getByRole('button', { name: 'Show More', exact: true }).click();
          await page.getByRole('button', { name: 'Show Less', exact: true }).waitFor();
          await endRoutes(page);
          await page.getByRole('link', { name: 'Reload the page' }).click();
          await until('the typed text', async () => (await message(page).inputValue()) === 'We launch in March');
          await expectPage(page);
        },
        { ...firstVisit, isOfflineAtTimes: true, failing: renamed },
      ),
    );
  }

  it(
    '(store, without a connection) fails to send the form, and sends it once there is one',
    onPage(
      '/',
      async ({ page }) => {
        const lost = await lose(page, 'store');
        const email = await fillContact(page);
        await lost();
        await send(page);
        await toast(page, 'Failed to send message. Please try again.').waitFor();
        expect(await message(page).inputValue()).to.equal('We launch in March');
        await endRoutes(page);
        await send(page);
        await toast(page, 'Your message has been sent successfully.').waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
      },
      { ...firstVisit, isOfflineAtTimes: true },
    ),
  );

  it(
    '(store, which takes too long) fails to send the form after 30 seconds, as a request does',
    onPage(
      '/',
      async ({ page }) => {
        const release = await hold(page, '/assets/store-*.js');
        await fillContact(page);
        await send(page);
        await page.getByRole('button', { name: 'Sending...' }).waitFor();
        await page.clock.fastForward(30_000);
        await toast(page, 'Failed to send message. Please try again.').waitFor();
        release();
      },
      { ...firstVisit, isOfflineAtTimes: true, hasOwnClock: true },
    ),
  );

  it(
    '(for its toasts) requests it again, so that the next page can show the result of the form',
    onPage(
      '/nowhere',
      async ({ page }) => {
        const lost = await lose(page, 'toasts');
        await movePointer(page);
        await lost();
        await endRoutes(page);
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
        await page.route('**/api/contact', (route) => route.fulfill({ status: 500, json: {} }));
        await fillContact(page);
        await send(page);
        await toast(page, 'Failed to send message. Please try again.').waitFor();
      },
      { ...firstVisit, isOfflineAtTimes: true, failing: ['/nowhere', '/api/contact'] },
    ),
  );

  // Nothing runs without these, or without any script that they import.
  for (const script of ['index', 'start', 'react-dom', 'HomePage']) {
    it(
      `(${script}, for the application) stays prerendered and keeps the typed text`,
      onPage(
        '/',
        async ({ page }) => {
          const lost = await lose(page, script);
          if (script === 'index') await page.reload();
          await message(page).fill('We launch in March');
          await movePointer(page);
          await lost();
          await expectPage(page);
          await (script === 'index' ? expectAddressAfterTime : expectAddress)(page);
          expect(await message(page).inputValue()).to.equal('We launch in March');
        },
        { ...firstVisit, isOfflineAtTimes: true },
      ),
    );
  }

  it(
    '(with an error in our code) stays prerendered and reports the error',
    onPage(
      '/',
      async ({ page }) => {
        const body = "throw new Error('An error of our code')";
        await page.route('**/assets/start-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
        await movePointer(page);
        await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.length > 0);
        expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard[0])).to.include(
          'An error of our code',
        );
        await expectPage(page);
        await expectAddress(page);
      },
      { ...firstVisit, scripts: [noteErrors] },
    ),
  );

  it(
    '(for the application, with syntax newer than the browser) shows how to reach the studio',
    onPage(
      '/',
      async ({ page }) => {
        const body = 'this is newer than the browser';
        await page.route('**/assets/index-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
        await page.reload();
        await expectPage(page);
        await expectAddressAfterTime(page);
      },
      { ...firstVisit, scripts: [noteErrors] },
    ),
  );

  it(
    '(for another page, renamed by a new release) loads that page in full',
    onPage(
      '/',
      async ({ page }) => {
        const script = '**/assets/CareersPage-*.js';
        await routeOnce(page, script, refuse);
        const link = page.getByRole('contentinfo').getByRole('link', { name: 'Careers' });
        const response = page.waitForResponse(script);
        await link.hover();
        await response;
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
        await page.evaluate(() => document.documentElement.setAttribute('data-release', 'old'));
        // Without the focus, which would load the script again before the click.
        await link.dispatchEvent('click');
        await page.getByRole('heading', { name: 'Open Positions' }).waitFor();
        expect(await page.locator('[data-release]').count()).to.equal(0);
      },
      { isFirstVisit: true, isOfflineAtTimes: true, failing: renamed },
    ),
  );

  it(
    '(for a dialog) stays and shows an error',
    onPage(
      '/',
      async ({ page }) => {
        await lose(page, 'PortfolioModal');
        await page.getByRole('button', { name: 'View All Projects' }).click();
        await notice(page).waitFor();
        await expectPage(page);
      },
      { isFirstVisit: true, isOfflineAtTimes: true },
    ),
  );
});

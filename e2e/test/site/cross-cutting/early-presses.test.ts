import { hold, untilInteractive } from '../../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const atTimesOffline = { ...firstVisit, isOfflineAtTimes: true };

const notice = (page: Page) => page.getByRole('alert').getByText('This part of the page could not be loaded.');
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

/** A form, its sample values, and its success toast. */
interface Sent {
  readonly path: string;
  readonly button: string;
  readonly changed: string;
  readonly success: string;
  readonly fill: (page: Page, email: string) => Promise<void>;
}

const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);

const consultation: Sent = {
  path: '/services/consulting',
  button: 'Request Consultation',
  changed: 'projectDetails',
  success: 'Inquiry Submitted!',
  async fill(page, email) {
    await field(page, 'name').fill('Layla Haddad');
    await field(page, 'email').fill(email);
    for (const name of ['service', 'budget', 'timeframe', 'urgency']) {
      await field(page, name).selectOption({ index: 1 });
    }
    await field(page, 'projectDetails').fill('We open in March.');
  },
};

const message: Sent = {
  path: '/',
  button: 'Send Message',
  changed: 'message',
  success: "Your message has been sent successfully. We'll get back to you soon.",
  async fill(page, email) {
    await field(page, 'firstName').fill('Layla');
    await field(page, 'lastName').fill('Haddad');
    await field(page, 'email').fill(email);
    await field(page, 'service').selectOption('ugc');
    await field(page, 'message').fill('We open in March.');
  },
};

/** Fills in the message and sends it while the code loads. @returns a function that releases the code */
async function pressBeforeCode(page: Page) {
  const email = ownAddress();
  const release = await hold(page, '/assets/*.js');
  const button = page.getByRole('button', { name: message.button });
  await message.fill(page, email);
  await button.click();
  return { email, button, release };
}

describe('An early press', () => {
  for (const [when, edit, sent] of [
    ['when the visitor types more', (page: Page, { changed }: Sent) => field(page, changed).press('End'), consultation],
    ['when the pointer moves', (page: Page) => page.mouse.move(5, 5), message],
  ] as const) {
    it(
      `on ${sent.button} whose start fails shows it and sends nothing ${when}`,
      onPage(
        sent.path,
        async ({ page, context }) => {
          const email = ownAddress();
          const button = page.getByRole('button', { name: sent.button });
          await context.setOffline(true);
          await sent.fill(page, email);
          await button.click();
          await notice(page).waitFor();
          await notice(page).evaluate((first) => first.setAttribute('data-first', ''));
          // Each press has its own alert, because an alert is announced when it appears.
          await button.click();
          await page.locator('#not-loaded:not([data-first])').waitFor();
          expect(await notice(page).count()).to.equal(1);
          expect(await button.getAttribute('aria-busy')).to.equal(null);
          await field(page, sent.changed).press('End');
          await page.keyboard.type(' And');
          await context.setOffline(false);
          await edit(page, sent);
          await untilInteractive(page);
          await notice(page).waitFor({ state: 'detached' });
          expect(await button.isEnabled()).to.equal(true);
          await field(page, sent.changed).press('End');
          await page.keyboard.type(' more.');
          expect(await field(page, sent.changed).inputValue()).to.equal('We open in March. And more.');
          expect(await stack().leadsOf(email)).to.have.length(0);

          await button.click();
          await toasts(page).getByText(sent.success).waitFor();
          const [lead, ...others] = await stack().leadsOf(email);
          expect(lead?.answers[sent.changed]).to.equal('We open in March. And more.');
          expect(others).to.deep.equal([]);
        },
        atTimesOffline,
      ),
    );
  }

  it(
    'on a form is dropped if the form changes while its code loads',
    onPage(
      '/',
      async ({ page }) => {
        const { email, button, release } = await pressBeforeCode(page);
        expect(await button.getAttribute('aria-busy')).to.equal('true');
        await field(page, 'message').press('End');
        await page.keyboard.type(' And');
        expect(await button.getAttribute('aria-busy')).to.equal(null);
        release();
        await untilInteractive(page);
        expect(await field(page, 'message').inputValue()).to.equal('We open in March. And');
        expect(await stack().leadsOf(email)).to.have.length(0);
      },
      firstVisit,
    ),
  );

  it(
    'on a form sends nothing that the visitor has not seen, such as a draft restored with the code',
    onPage(
      '/services/consulting',
      async ({ page }) => {
        const email = ownAddress();
        await untilInteractive(page);
        await consultation.fill(page, email);
        await field(page, 'goals').fill('Not to be sent unseen');
        const release = await hold(page, '/assets/start-*.js');
        await page.reload({ waitUntil: 'commit' });
        await page.locator('footer').waitFor();
        await consultation.fill(page, email);
        await page.getByRole('button', { name: consultation.button }).click();
        release();
        await untilInteractive(page);
        await until('the draft', async () => (await field(page, 'goals').inputValue()) !== '');
        expect(await page.getByRole('button', { name: consultation.button }).isEnabled()).to.equal(true);
        expect(await stack().leadsOf(email)).to.have.length(0);
      },
      firstVisit,
    ),
  );

  it(
    'on a form times out like a request, and then shows the failure',
    onPage(
      '/',
      async ({ page }) => {
        await page.clock.pauseAt(Date.now() + 60_000);
        const { email, button, release } = await pressBeforeCode(page);
        await page.clock.runFor(29_000);
        expect(await button.getAttribute('aria-busy')).to.equal('true');
        expect(await notice(page).count()).to.equal(0);
        await page.clock.runFor(1_000);
        await notice(page).waitFor();
        expect(await button.getAttribute('aria-busy')).to.equal(null);
        release();
        await page.clock.resume();
        await untilInteractive(page);
        await notice(page).waitFor({ state: 'detached' });
        expect(await field(page, 'message').inputValue()).to.equal('We open in March.');
        expect(await stack().leadsOf(email)).to.have.length(0);
      },
      { ...firstVisit, hasOwnClock: true },
    ),
  );

  it(
    'on a form applies only to that form, and not to one opened in the meantime',
    onPage(
      '/services/consulting',
      async ({ page }) => {
        const release = await hold(page, '/assets/ServiceInquiryForm-*.js');
        const isUnderWay = page.waitForRequest('**/assets/ServiceInquiryForm-*.js');
        await page.getByRole('button', { name: consultation.button }).click();
        await isUnderWay;
        await page.evaluate(() => Object.assign(window, { isSameVisit: true }));
        await page.getByRole('link', { name: 'Back to Home' }).first().click();
        await page
          .locator('footer')
          .getByRole('link', { name: /UGC/ })
          .evaluate((link: HTMLElement) => link.click());
        await until('the other page', async () => (await page.title()).startsWith('UGC'));
        release();
        await page.getByRole('button', { name: 'Request Quote' }).waitFor();
        await untilInteractive(page);
        expect(await page.evaluate(() => 'isSameVisit' in window)).to.equal(true);
        expect(await page.locator('form [aria-invalid="true"]').count()).to.equal(0);
      },
      firstVisit,
    ),
  );

  it(
    'on the menu shows an error if the start fails, and a later touch elsewhere does not open it',
    onPage(
      '/',
      async ({ page, context }) => {
        const menu = page.getByRole('button', { name: 'Open menu' });
        await context.setOffline(true);
        await menu.click();
        await notice(page).waitFor();
        await context.setOffline(false);
        await page.getByRole('heading', { level: 1 }).click();
        await untilInteractive(page);
        await notice(page).waitFor({ state: 'detached' });
        expect(await menu.getAttribute('aria-expanded')).to.equal('false');
        await menu.click();
        await page.getByRole('button', { name: 'Close menu' }).waitFor();
      },
      { ...atTimesOffline, width: 390 },
    ),
  );

  it(
    'on the menu shows that it is pending, and is dropped by a press elsewhere',
    onPage(
      '/',
      async ({ page }) => {
        const menu = page.getByRole('button', { name: 'Open menu' });
        const release = await hold(page, '/assets/*.js');
        await menu.click();
        expect(await menu.getAttribute('aria-busy')).to.equal('true');
        expect(await menu.evaluate((button) => getComputedStyle(button).cursor)).to.equal('progress');
        await page.getByRole('heading', { level: 1 }).click();
        expect(await menu.getAttribute('aria-busy')).to.equal(null);
        await menu.click();
        await page.getByRole('heading', { level: 1 }).click();
        release();
        await untilInteractive(page);
        expect(await menu.getAttribute('aria-expanded')).to.equal('false');
      },
      { ...firstVisit, width: 390 },
    ),
  );
});

describe('An application that fails to start', () => {
  it(
    'shows no error to a visitor who only reads',
    onPage(
      '/',
      async ({ page, context }) => {
        await context.setOffline(true);
        const lost = page.waitForEvent('pageerror');
        await page.mouse.move(5, 5);
        await page.mouse.move(9, 9);
        await lost;
        expect(await notice(page).count()).to.equal(0);
      },
      atTimesOffline,
    ),
  );
});

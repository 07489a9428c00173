import {
  expectAccessible,
  expectAccessibleEverywhere,
  tabTo,
  typeText,
  withAxe,
} from '../../../src/browser/accessibility.ts';
import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { services } from '@dune-tide/domain/content/services';
import { hold, pauseClock, untilStep } from '../../../src/browser/browser.ts';
import { onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

const missing = '/no-such-page';
/** A page of the API, as all behind links in emails. */
const invalidLink = '/confirm-email/no-such-link';

const dialog = (page: Page) => page.getByRole('dialog');
const sendContact = (page: Page) => page.getByRole('button', { name: 'Send Message' });

async function openModal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View All Projects' }).click();
  await dialog(page).getByRole('textbox').waitFor();
}

describe('Accessibility, wide and light, narrow and dark,', () => {
  for (const path of [
    '/careers',
    '/kingrose',
    ...services.map(({ href }) => href),
    '/case-studies/lulwa-skincare',
    '/privacy',
    missing,
  ]) {
    it(
      `of ${path}`,
      onPage(path, ({ page }) => expectAccessibleEverywhere(page, path), { failing: [missing], ...withAxe }),
    );
  }

  it(
    'of a page behind a link in an email',
    onPage(invalidLink, ({ page }) => expectAccessibleEverywhere(page, invalidLink), {
      failing: [invalidLink],
      isUntouched: true,
      ...withAxe,
    }),
  );

  it(
    "of the home page with all case studies and the form's messages",
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Show More' }).click();
        await sendContact(page).click();
        await page.getByText('First name is required').waitFor();
        await expectAccessibleEverywhere(page, 'the home page');
      },
      withAxe,
    ),
  );

  it(
    'of the project inquiry, and its messages',
    onPage(
      '/project-inquiry',
      async ({ page }) => {
        await expectAccessibleEverywhere(page, 'empty');
        await page.getByRole('button', { name: 'Submit Project Inquiry' }).click();
        await page.getByText('Please select urgency level').waitFor();
        await expectAccessibleEverywhere(page, 'with messages', { part: 'form' });
      },
      withAxe,
    ),
  );

  it(
    'of a form while it sends and after its success',
    onPage(
      '/services/consulting',
      async ({ page }) => {
        const form = page.locator('form');
        for (const name of ['service', 'budget', 'timeframe', 'urgency'])
          await form.locator(`[name="${name}"]`).selectOption({ index: 1 });
        await form.locator('[name="name"]').fill('Layla Haddad');
        await form.locator('[name="email"]').fill(ownAddress());
        await form.locator('[name="projectDetails"]').fill('We open in March.');
        const release = await hold(page, '/api/service-inquiry');
        await form.locator('[type="submit"]').click();
        await form.getByText('Submitting...').waitFor();
        await expectAccessibleEverywhere(page, 'sending', { part: 'form' });
        release();
        await form.getByText(formGuideTexts.received).waitFor();
        await expectAccessibleEverywhere(page, 'sent', { part: 'form' });
      },
      withAxe,
    ),
  );

  it(
    'of the modal when it opens, with its message and while it sends',
    onPage(
      '/',
      async ({ page }) => {
        await page.route('**/api/portfolio-lead', () => undefined);
        await openModal(page);
        await expectAccessibleEverywhere(page, 'the modal when it opens');
        const send = dialog(page).locator('button[type="submit"]');
        await send.click();
        await dialog(page).getByText('Please enter a valid email address').waitFor();
        await expectAccessibleEverywhere(page, 'the modal with its message', { part: '[role="dialog"]' });
        await dialog(page).getByRole('textbox').fill('noura@example.com');
        await send.click();
        await dialog(page).getByText('Sending...').waitFor();
        await expectAccessibleEverywhere(page, 'the modal while it sends', { part: '[role="dialog"]' });
      },
      withAxe,
    ),
  );

  it(
    'of the mobile menu',
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await expectAccessibleEverywhere(page, 'the mobile menu', { widths: [390] });
      },
      { width: 390, ...withAxe },
    ),
  );

  // With the clock stopped, because a toast closes before axe has checked it.
  for (const [status, colorScheme, width] of [
    [500, 'light', 1440],
    [201, 'dark', 390],
  ] as const) {
    it(
      `of the modal after a ${status}, with its toast`,
      onPage(
        '/',
        async ({ page }) => {
          await page.route('**/api/portfolio-lead', (route) => route.fulfill({ status, json: { id: 'any' } }));
          await openModal(page);
          await dialog(page).getByRole('textbox').fill('noura@example.com');
          await pauseClock(page);
          await dialog(page).locator('button[type="submit"]').click();
          await untilStep(page, 'the toast', () => page.locator('.toast-stack [data-tone]').isVisible());
          await page.clock.runFor(500);
          await page.clock.resume();
          await expectAccessible(page, `the modal after a ${status}`);
        },
        { width, colorScheme, failing: ['/api/portfolio-lead'], ...withAxe, hasOwnClock: true },
      ),
    );
  }
});

describe('With the keyboard', () => {
  it(
    'the contact form can be filled in and sent',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      for (const [label, text] of [
        [/^First name/, 'Noura'],
        [/^Last name/, 'al-Harbi'],
        [/^Email/, email],
        [/^Service/, 'MVP'],
        [/^Message/, 'We are launching a line of perfumes.'],
      ] as const) {
        await tabTo(page, label);
        await typeText(page, text);
      }
      await tabTo(page, /^Send Message$/);
      await page.keyboard.press('Enter');
      const toasts = page.getByRole('region', { name: /Notifications/ });
      await toasts.getByText("Your message has been sent successfully. We'll get back to you soon.").waitFor();
      const [lead] = await stack().leadsOf(email);
      expect(lead?.answers['service']).to.equal('mvp');
      await until('the button has the focus again', () =>
        page.evaluate(() => document.activeElement?.textContent === 'Send Message'),
      );
    }),
  );

  it(
    'the modal can be opened, filled in, sent and closed, and traps the focus until then',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await page.getByRole('link', { name: 'View Our Work' }).focus();
      await page.keyboard.press('Enter');
      await tabTo(page, /^View All Projects$/);
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('textbox').waitFor();
      for (let presses = 0; presses < 8; presses++) {
        await page.keyboard.press(presses % 3 === 2 ? 'Shift+Tab' : 'Tab');
        const isBehind = await page.evaluate(() => document.activeElement?.closest('#page') !== null);
        expect(isBehind, `after ${presses + 1} presses of Tab`).to.equal(false);
      }
      await dialog(page).press('Tab');
      await tabTo(page, /^Email/);
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('heading', { name: 'Portfolio Sent!' }).waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Portfolio Sent!');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('View All Projects');
      expect(await stack().leadsOf(email)).to.have.length(1);
    }),
  );

  it(
    'the focused invalid field has the same outline as buttons, light and dark',
    onPage('/', async ({ page }) => {
      const outlineOf = (place: Locator) =>
        place.evaluate((each) => {
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
          return outlineStyle === 'none' ? 'none' : `${outlineWidth} ${outlineStyle} ${outlineColor}`;
        });
      const field = (name: string) => page.locator(`#contact .MuiOutlinedInput-root:has([name="${name}"])`);
      await field('message').locator('textarea').focus();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await tabTo(page, /^Send Message$/);
        const ofButton = await outlineOf(sendContact(page));
        expect(ofButton).to.match(/^3px solid rgb\(/);
        await page.keyboard.press('Enter');
        await until('the first field has the focus', () =>
          page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name === 'firstName'),
        );
        // Even with reduced motion, changes take a moment.
        await until('its outline', async () => (await outlineOf(field('firstName'))) === ofButton);
        expect(await outlineOf(field('lastName'))).to.equal('none');
      }
    }),
  );

  it(
    'a visitor can skip the navigation',
    onPage('/', async ({ page }) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Skip to content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Start Your Project');
    }),
  );
});

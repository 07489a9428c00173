import {
  expectAccessible,
  expectAccessibleEverywhere,
  tabTo,
  typeText,
  withAxe,
} from '../../../src/browser/accessibility.ts';
import { pauseClock, untilStep } from '../../../src/browser/browser.ts';
import { onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

const missing = '/no-such-page';

const dialog = (page: Page) => page.getByRole('dialog');
const sendContact = (page: Page) => page.getByRole('button', { name: 'Send Message' });

async function openModal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View All Projects' }).click();
  await dialog(page).getByRole('textbox').waitFor();
}

interface State {
  readonly name: string;
  readonly path: string;
  readonly reach: (page: Page) => Promise<void>;
  readonly failing?: readonly string[];
  readonly widths?: readonly number[];
  /** Reached again for each window, because its toast closes before axe has checked them all. */
  readonly isBrief?: boolean;
}

/** States of the pages, each reached with a visitor's actions. */
const states: readonly State[] = [
  { name: 'the card of an unknown address', path: missing, reach: async () => undefined, failing: [missing] },
  {
    name: 'the modal after a failure, with its toast',
    path: '/',
    isBrief: true,
    failing: ['/api/portfolio-lead'],
    reach: async (page) => {
      await page.route('**/api/portfolio-lead', (route) => route.fulfill({ status: 500, json: {} }));
      await openModal(page);
      await dialog(page).getByRole('textbox').fill('noura@example.com');
      await dialog(page).locator('button[type="submit"]').click();
      await page.getByText('Failed to send portfolio. Please try again.').first().waitFor();
    },
  },
  {
    name: 'the modal after its success, with its toast',
    path: '/',
    isBrief: true,
    reach: async (page) => {
      await page.route('**/api/portfolio-lead', (route) => route.fulfill({ status: 201, json: { id: 'any' } }));
      await openModal(page);
      await dialog(page).getByRole('textbox').fill('noura@example.com');
      await pauseClock(page);
      await dialog(page).locator('button[type="submit"]').click();
      await untilStep(page, 'success and toast', async () => {
        const isSent = await dialog(page).getByText('Portfolio Sent!').isVisible();
        return isSent && (await page.getByText('Portfolio sent to your email.').isVisible());
      });
      await page.clock.runFor(500);
      await page.clock.resume();
    },
  },
  {
    name: 'the mobile menu',
    path: '/',
    widths: [390],
    reach: (page) => page.getByRole('button', { name: 'Open menu' }).click(),
  },
];

describe('Accessibility', () => {
  it(
    "of the home page with all case studies and the form's messages, in every scheme and width",
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Show More' }).click();
        await expectAccessibleEverywhere(page, 'all case studies');
        await sendContact(page).click();
        await page.getByText('First name is required').waitFor();
        await expectAccessibleEverywhere(page, 'the contact form with its messages', { part: '#contact' });
      },
      withAxe,
    ),
  );

  it(
    'of the modal when it opens, with its message and while it sends, light and dark, wide and narrow',
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
  ).timeout(120_000);

  for (const { name, path, reach, failing = [], widths = [1440, 390], isBrief = false } of states) {
    if (isBrief) {
      for (const options of [
        { width: 1440, colorScheme: 'light' },
        { width: 390, colorScheme: 'dark' },
      ] as const) {
        it(
          `of ${name}, ${options.colorScheme}, ${options.width} px`,
          onPage(
            path,
            async ({ page }) => {
              await reach(page);
              await expectAccessible(page, name);
            },
            { ...options, failing, ...withAxe, hasOwnClock: true },
          ),
        );
      }
      continue;
    }

    it(
      `of ${name}, light and dark, ${widths.join(' and ')} px`,
      onPage(
        path,
        async ({ page }) => {
          await reach(page);
          await expectAccessibleEverywhere(page, name, { widths });
        },
        { width: widths[0] ?? 1440, failing, ...withAxe },
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

  for (const colorScheme of ['light', 'dark'] as const) {
    it(
      `the focused invalid field has the same outline as buttons, ${colorScheme}`,
      onPage(
        '/',
        async ({ page }) => {
          const outlineOf = (place: Locator) =>
            place.evaluate((each) => {
              const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
              return outlineStyle === 'none' ? 'none' : `${outlineWidth} ${outlineStyle} ${outlineColor}`;
            });
          const field = (name: string) => page.locator(`#contact .MuiOutlinedInput-root:has([name="${name}"])`);
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
        },
        { colorScheme },
      ),
    );
  }

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

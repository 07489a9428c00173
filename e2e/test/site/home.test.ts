import { brand } from '@dune-tide/domain/brand';
import { home } from '@dune-tide/domain/content/home';
import { goBackOnPhone, keepCloseWatchers, pauseClock } from '../../src/browser/browser.ts';
import { onPage } from '../../src/browser/browser-suite.ts';
import { noteScrolls, scrollsOf } from '../../src/browser/scrolls.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const missing = '/no-such-page';
const onMissing = { failing: [missing] };

/** Maximum distance in pixels between a section and the top of the window, because of the navigation bar. */
const belowBar = 80;

/** Returns the position of a section's top in the window, in pixels. */
const topOf = (page: Page, section: string): Promise<number> =>
  page.locator(`#${section}`).evaluate((element) => element.getBoundingClientRect().top);

const atTop = (page: Page, section: string): Promise<unknown> =>
  until(`#${section} at the top of the window`, async () => {
    const top = await topOf(page, section);
    return top > -2 && top < belowBar + 2;
  });

const address = (page: Page): string => new URL(page.url()).pathname;

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

describe('The home page', () => {
  it(
    'scrolls to its sections from the hero, the bar and the footer',
    onPage('/', async ({ page }) => {
      await page.getByRole('link', { name: 'View Our Work', exact: true }).click();
      await atTop(page, 'portfolio');
      await page.getByRole('link', { name: home.hero.scrollToServices }).click();
      await atTop(page, 'services');

      for (const section of ['services', 'contact', 'portfolio', 'home']) {
        const label = section.charAt(0).toUpperCase() + section.slice(1);
        await mainNavigation(page).getByRole('link', { name: label, exact: true }).click();
        await atTop(page, section);
        expect(address(page)).to.equal('/');
        expect(await page.evaluate(() => document.activeElement?.id), 'the next Tab continues there').to.equal(section);
      }

      await page.locator('footer').getByRole('link', { name: 'About Us' }).click();
      await atTop(page, 'about');
      await page.locator('footer').getByRole('link', { name: 'Contact' }).click();
      await atTop(page, 'contact');

      await page.locator('header').getByRole('link', { name: brand.name }).click();
      await atTop(page, 'home');
    }),
  );

  describe('navigation bar', () => {
    it(
      'scrolls smoothly, except with reduced motion',
      onPage(
        '/',
        async ({ page }) => {
          await mainNavigation(page).getByRole('link', { name: 'Services' }).click();
          await atTop(page, 'services');
          await page.emulateMedia({ reducedMotion: 'reduce' });
          await mainNavigation(page).getByRole('link', { name: 'Contact' }).click();
          await atTop(page, 'contact');
          expect(await scrollsOf(page)).to.deep.equal([
            { id: 'services', behavior: 'smooth' },
            { id: 'contact', behavior: 'auto' },
          ]);
        },
        { reducedMotion: 'no-preference', scripts: [noteScrolls] },
      ),
    );

    it(
      'is clear at the top and frosted below 50 px, but not at 50 px',
      onPage('/', async ({ page }) => {
        const bar = page.locator('header');
        const look = () =>
          bar.evaluate((element) => {
            const { backdropFilter, position } = getComputedStyle(element);
            return { isFrosted: backdropFilter !== 'none', position, top: element.getBoundingClientRect().top };
          });
        const scrollTo = (y: number) => page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y);

        for (const [y, isFrosted] of [
          [0, false],
          [51, true],
          [50, false],
          [2000, true],
        ] as const) {
          await scrollTo(y);
          const frost = isFrosted ? 'frosted' : 'clear';
          await until(`the bar is ${frost} at ${y} px`, async () => (await look()).isFrosted === isFrosted);
          expect(await look()).to.deep.equal({ isFrosted, position: 'fixed', top: 0 });
        }
      }),
    );

    it(
      'opens the home page from another page and scrolls to the section after about 100 ms',
      onPage(
        missing,
        async ({ page }) => {
          await pauseClock(page);
          await mainNavigation(page).getByRole('link', { name: 'Services' }).click();
          // The page gets the focus as soon as it has rendered.
          await page.locator('main:focus').getByRole('heading', { name: home.hero.headline }).waitFor();
          expect(address(page)).to.equal('/');
          await page.clock.runFor(80);
          expect(await scrollsOf(page)).to.deep.equal([]);
          await page.clock.runFor(40);
          expect((await scrollsOf(page)).map(({ id }) => id)).to.deep.equal(['services']);
          await atTop(page, 'services');
        },
        { ...onMissing, hasOwnClock: true, reducedMotion: 'no-preference', scripts: [noteScrolls] },
      ),
    );
  });

  describe('mobile menu', () => {
    const phone = { width: 390, height: 844 };
    const menu = (page: Page) => page.getByRole('navigation', { name: 'Mobile' });
    const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

    it(
      "closes with its button, Escape or the phone's back gesture, and traps the focus",
      onPage(
        '/',
        async ({ page }) => {
          expect(await mainNavigation(page).isVisible()).to.equal(false);
          expect(await menu(page).isVisible()).to.equal(false);
          const open = page.getByRole('button', { name: 'Open menu' });
          expect(await open.getAttribute('aria-expanded')).to.equal('false');
          await open.click();
          expect(await menu(page).getByRole('link').count()).to.equal(6);
          const close = page.getByRole('button', { name: 'Close menu' });
          expect(await close.getAttribute('aria-expanded')).to.equal('true');
          await close.click();
          expect(await menu(page).isVisible()).to.equal(false);

          await open.press('Enter');
          await page.keyboard.press('Tab');
          expect(
            await menu(page)
              .getByRole('link')
              .first()
              .evaluate((link) => link === document.activeElement),
          ).to.equal(true);
          for (let presses = 2; presses <= 12; presses++) {
            await page.keyboard.press('Tab');
            const isBehind = await page.evaluate(() => document.activeElement?.closest('main, footer') !== null);
            expect(isBehind, `after ${presses} presses of Tab`).to.equal(false);
          }
          await page.keyboard.press('Escape');
          expect(await menu(page).isVisible()).to.equal(false);
          expect(await focused(page)).to.equal('Open menu');

          await open.press('Enter');
          await page.keyboard.press('Tab');
          await goBackOnPhone(page);
          expect(await menu(page).isVisible()).to.equal(false);
          expect(await focused(page)).to.equal('Open menu');
        },
        { ...phone, scripts: [keepCloseWatchers] },
      ),
    );

    it(
      'closes when an item is chosen or the window becomes wide',
      onPage(
        '/',
        async ({ page }) => {
          const open = () => page.getByRole('button', { name: 'Open menu' }).click();
          await open();
          await menu(page).getByRole('link', { name: 'Contact' }).click();
          expect(await menu(page).isVisible()).to.equal(false);
          await atTop(page, 'contact');
          expect(await page.evaluate(() => document.activeElement?.id)).to.equal('contact');

          await open();
          await page.setViewportSize({ width: 1200, height: 800 });
          await mainNavigation(page).getByRole('link', { name: 'Services' }).click();
          await atTop(page, 'services');

          await page.setViewportSize(phone);
          await open();
          await menu(page).getByRole('link', { name: 'Admin Login' }).click();
          expect(address(page)).to.equal('/admin/login');
          await menu(page).waitFor({ state: 'hidden' });
        },
        phone,
      ),
    );
  });

  describe('every window', () => {
    it(
      'scrolls only vertically and shows the services in 1, 2 or 4 columns',
      onPage('/', async ({ page }) => {
        const expectNoOverflow = async (when: string): Promise<void> => {
          for (const [width, columns] of [
            [320, 1],
            [390, 1],
            [768, 2],
            [1440, 4],
          ] as const) {
            await page.setViewportSize({ width, height: 900 });
            const overflow = await page.evaluate(async () => {
              const { documentElement } = document;
              // Scripts that react to the window size run within the next frames.
              for (let frame = 0; frame < 60 && documentElement.scrollWidth > documentElement.clientWidth; frame++) {
                await new Promise((resolve) => requestAnimationFrame(resolve));
              }
              return documentElement.scrollWidth - documentElement.clientWidth;
            });
            expect(overflow, `${when} at ${width} px`).to.equal(0);
            const lefts = await page
              .locator('#services h3')
              .evaluateAll((titles) => titles.map((title) => Math.round(title.getBoundingClientRect().left)));
            expect(new Set(lefts).size, `columns ${when} at ${width} px`).to.equal(columns);
          }
        };
        await expectNoOverflow('at first');
        await page.getByRole('button', { name: 'Show More' }).click();
        await page.getByRole('button', { name: 'Send Message' }).click();
        await expectNoOverflow('with all case studies and all messages');
        await page.getByRole('button', { name: 'View All Projects' }).click();
        await page.getByRole('dialog').waitFor();
        await expectNoOverflow('under the modal');
      }),
    );

    it(
      "shows each highlight's complete drawing, and at 390 px a service's picture beside its name",
      onPage('/', async ({ page }) => {
        for (const width of [390, 768, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          const shapes = await page
            .locator('#portfolio ul')
            .first()
            .locator('svg')
            .evaluateAll((drawings) =>
              drawings.map((drawing) => {
                const { width: across, height: down } = drawing.getBoundingClientRect();
                return Math.round((300 * across) / down) / 300;
              }),
            );
          expect(shapes, `at ${width} px`).to.have.length(3);
          for (const shape of shapes) expect(shape, `at ${width} px`).to.be.closeTo(800 / 600, 0.02);
        }
        await page.setViewportSize({ width: 390, height: 900 });
        const areBeside = await page.locator('#services li:has(h3)').evaluateAll((cards) =>
          cards.map((card) => {
            const [picture, name] = [card.querySelector('svg'), card.querySelector('h3')];
            if (!picture || !name) return false;
            return name.getBoundingClientRect().top < picture.getBoundingClientRect().bottom;
          }),
        );
        expect(areBeside).to.deep.equal([true, true, true, true]);
      }),
    );

    it(
      'scrolls directly to the section in the address; the address of Home names no section',
      onPage('/#contact?utm_source=x', async ({ page }) => {
        await atTop(page, 'contact');
        await mainNavigation(page).getByRole('link', { name: 'Home' }).click();
        await until('the page is at its top', () => page.evaluate(() => window.scrollY === 0));
        expect(new URL(page.url()).hash).to.equal('');
      }),
    );
  });
});

describe('An unknown address', () => {
  it(
    'shows the Page Not Found card in any window, with a link to the home page',
    onPage(
      missing,
      async ({ page }) => {
        expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Page Not Found');
        expect(await page.title()).to.contain('Page Not Found');
        const grounds = await page
          .locator('main section, footer')
          .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
        expect(new Set(grounds).size, 'the footer differs from the page').to.equal(2);
        await page.setViewportSize({ width: 320, height: 900 });
        // The width changes before the layout does.
        await until('the page scrolls only vertically', () =>
          page.evaluate(() => document.documentElement.scrollWidth === 320),
        );
        await page.getByRole('link', { name: 'Back to Home' }).click();
        await page.getByRole('heading', { level: 1, name: home.hero.headline }).waitFor();
        expect(address(page)).to.equal('/');
      },
      onMissing,
    ),
  );
});

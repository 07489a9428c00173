import { hold } from '../../../src/browser/browser.ts';
import { firstVisit, onPage } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const scrollY = (page: Page): Promise<number> => page.evaluate(() => Math.round(window.scrollY));
const focusedTag = (page: Page): Promise<string | undefined> => page.evaluate(() => document.activeElement?.tagName);
const footerLink = (page: Page, name: string) => page.locator('footer').getByRole('link', { name, exact: true });

/** Returns the marked items of a navigation. */
const underlined = (page: Page, name: string): Promise<(string | null)[]> =>
  page
    .getByRole('navigation', { name })
    .getByRole('link')
    .evaluateAll((links) =>
      links.filter((link) => getComputedStyle(link).textDecorationLine !== 'none').map((link) => link.textContent),
    );

describe('The navigation of the site', () => {
  it(
    'opens each page with its own title, and scrolls to the top on a link to the current page',
    onPage('/kingrose', async ({ page }) => {
      expect(await underlined(page, 'Main')).to.deep.equal(['KingRose']);
      await footerLink(page, 'Careers').click();
      await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
      expect(await underlined(page, 'Main')).to.deep.equal([]);
      expect(await page.title()).to.match(/^Careers and Training/);
      await page.locator('link[rel="canonical"][href$="/careers"]').waitFor({ state: 'attached' });

      await footerLink(page, 'Careers').scrollIntoViewIfNeeded();
      expect(await scrollY(page)).to.be.above(1000);
      await footerLink(page, 'Careers').click();
      await until('the page is at its top', async () => (await scrollY(page)) === 0);
      expect(await focusedTag(page)).to.equal('MAIN');
    }),
  );

  it(
    'opens a page at its top from the mobile menu, and the page does not scroll under the menu',
    onPage(
      '/kingrose',
      async ({ page }) => {
        await page.evaluate(() => window.scrollTo(0, 1500));
        await page.getByRole('button', { name: 'Open menu' }).click();
        expect(await underlined(page, 'Mobile')).to.deep.equal(['KingRose']);
        await page.mouse.move(200, 600);
        await page.mouse.wheel(0, 800);
        // A pending scroll would have happened after two frames.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        expect(await scrollY(page)).to.equal(1500);

        await page.locator('#site-menu').getByRole('link', { name: 'KingRose' }).click();
        await until('the page is at its top', async () => (await scrollY(page)) === 0);
        expect(await focusedTag(page)).to.equal('MAIN');
        await until('the page scrolls again', async () => {
          await page.mouse.wheel(0, 300);
          return (await scrollY(page)) > 0;
        });
      },
      { width: 390, height: 844 },
    ),
  );

  it(
    'opens the mobile menu above everything on a service page',
    onPage(
      '/services/ugc-creatives',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        const covered = await page.locator('#site-menu a').evaluateAll((links) =>
          links.flatMap((link) => {
            const { left, right, top, bottom } = link.getBoundingClientRect();
            // Inert elements are skipped by the hit test, so remove the attribute.
            document.querySelectorAll('[inert]').forEach((each) => each.removeAttribute('inert'));
            const corners = [top + 2, bottom - 2].map((y) => document.elementFromPoint((left + right) / 2, y));
            return corners.every((hit) => hit !== null && link.contains(hit)) ? [] : [link.textContent];
          }),
        );
        expect(covered).to.deep.equal([]);
      },
      { width: 390, height: 844 },
    ),
  );

  it(
    'returns to the previous scroll position, with the case studies still expanded',
    onPage('/', async ({ page }) => {
      const shown = page.locator('#portfolio h3:visible');
      expect(await shown.count()).to.equal(5);
      await page.getByRole('button', { name: 'Show More' }).click();
      expect(await shown.count()).to.equal(11);
      await footerLink(page, 'Careers').scrollIntoViewIfNeeded();
      const before = await scrollY(page);
      await footerLink(page, 'Careers').click();
      await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
      expect([await scrollY(page), await focusedTag(page)]).to.deep.equal([0, 'MAIN']);
      await page.goBack();
      await page.getByRole('button', { name: 'Show Less' }).waitFor();
      await until('the page is at its previous position', async () => (await scrollY(page)) === before);
      await page.goForward();
      await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
    }),
  );

  it(
    'opens a page at its top from the staff area, and returns to the previous position',
    onPage(
      '/',
      async ({ page }) => {
        const navigation = page.getByRole('navigation', { name: 'Main' });
        await page.locator('#portfolio').evaluate((section) => section.scrollIntoView());
        const before = await scrollY(page);
        expect(before).to.be.above(1000);
        await navigation.getByRole('link', { name: 'Admin' }).click();
        await page.getByRole('heading', { name: 'Admin Portal' }).waitFor();
        await page.goBack();
        await navigation.waitFor();
        await until('the page is at its previous position', async () => (await scrollY(page)) === before);
        expect(await focusedTag(page)).to.equal('MAIN');

        await page.goto(new URL('/admin/login', page.url()).href);
        await page.getByRole('heading', { name: 'Admin Portal' }).waitFor();
        await page.evaluate(() => window.scrollTo(0, 100));
        expect(await scrollY(page)).to.equal(100);
        // Follow the link as the keyboard does; a pointer would first scroll to it.
        await page.getByRole('link', { name: 'View website' }).dispatchEvent('click');
        await navigation.waitFor();
        await until('the page is at its top', async () => (await scrollY(page)) === 0);
        expect(await focusedTag(page)).to.equal('MAIN');
      },
      { height: 400 },
    ),
  );

  it(
    "shows the 404 card for other spellings of a page's path",
    onPage('/careers', async ({ page }) => {
      for (const path of ['/KingRose', '/careers//', '/admin/Login']) {
        await page.evaluate((address) => {
          history.pushState(null, '', address);
          dispatchEvent(new PopStateEvent('popstate'));
        }, path);
        await page.getByRole('heading', { name: 'Page Not Found' }).waitFor();
        await page.goBack();
        await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
      }
    }),
  );

  it(
    'returns from a page in one step, even if its link was pressed several times while it loaded',
    onPage(
      '/careers',
      async ({ page }) => {
        const entries = await page.evaluate(() => history.length);
        const release = await hold(page, '/assets/HomePage-*.js');
        for (let press = 0; press < 3; press++) await footerLink(page, 'Contact').click();
        release();
        const contact = page.locator('#contact');
        await contact.waitFor();
        expect(await page.evaluate(() => history.length)).to.equal(entries + 1);
        const top = () => contact.evaluate((each) => each.getBoundingClientRect().top);
        await until('#contact at the top of the window', async () => Math.abs(await top()) < 84);
      },
      { isFirstVisit: true },
    ),
  );

  it(
    'requests a page again that failed to load',
    onPage(
      '/',
      async ({ page, context }) => {
        const release = await hold(page, '/assets/CareersPage-*.js');
        await context.setOffline(true);
        await footerLink(page, 'Careers').click();
        await page.waitForURL('**/careers');
        // React no longer waits synchronously by then.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        release();
        await page.getByText('This part of the page could not be loaded.').waitFor();
        expect(await page.title()).to.not.equal('');
        await context.setOffline(false);
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
        await page.getByRole('heading', { level: 1, name: /^Impactful/ }).waitFor();
        await footerLink(page, 'Careers').click();
        await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
      },
      { isOfflineAtTimes: true },
    ),
  );

  it(
    "keeps the page's title if only its form fails to load",
    onPage(
      '/kingrose',
      async ({ page }) => {
        await page.route('**/assets/CareerApplicationForm-*', (route) => route.abort('internetdisconnected'));
        await footerLink(page, 'Careers').click();
        await page.getByText('This part of the page could not be loaded.').waitFor();
        expect(await page.title()).to.match(/^Careers and Training/);
      },
      { isFirstVisit: true, isOfflineAtTimes: true },
    ),
  );

  it(
    'loads the page behind the first link that is touched',
    onPage(
      '/kingrose',
      async ({ page }) => {
        const arrived = page.waitForResponse(/CareersPage/);
        await footerLink(page, 'Careers').dispatchEvent('touchstart');
        await arrived;
      },
      firstVisit,
    ),
  );
});

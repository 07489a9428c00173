import { untilInteractive } from '@dune-tide/e2e/support/browser';
import { onPage, ownAddress, stack } from '@dune-tide/e2e/support/browser-suite';
import { until } from '@dune-tide/e2e/support/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const paths = [
  '/',
  '/careers',
  '/kingrose',
  '/project-inquiry',
  '/services/ugc-creatives',
  '/services/mvp-development',
  '/services/lead-generation',
  '/services/consulting',
];

/** What the issue allows until the visitor first touches something, in bytes as they travel. */
const budget = 130_000;

const untouched = { isUntouched: true };

/** Notes nodes that React throws away or adds while it takes the page over. */
const noteChanges = `window.changes = [];
document.addEventListener('DOMContentLoaded', () => new MutationObserver((records) => {
  for (const { addedNodes, removedNodes } of records)
    for (const node of [...addedNodes, ...removedNodes])
      if (node.nodeType === Node.ELEMENT_NODE) window.changes.push(node.outerHTML.slice(0, 200));
}).observe(document.getElementById('main'), { subtree: true, childList: true }));`;

const changes = (page: Page) => page.evaluate(() => (window as unknown as { changes: string[] }).changes);

/** The scripts that have arrived, with the bytes that each took to travel. */
const arrivedScripts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize })),
  );

const contactField = (page: Page, name: string) => page.locator(`#contact [name="${name}"]`);

async function fillContact(page: Page, email: string): Promise<void> {
  await contactField(page, 'firstName').fill('Layla');
  await contactField(page, 'lastName').fill('Haddad');
  await contactField(page, 'email').fill(email);
  await contactField(page, 'service').selectOption('ugc');
  await contactField(page, 'message').fill('We launch in March and need films.');
}

const contactValues = (page: Page) =>
  page
    .locator('#contact')
    .locator('input[name], select[name], textarea[name]')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

describe('A first visit', () => {
  for (const path of paths) {
    it(
      `to ${path} runs one small script and fetches within the budget while the visitor reads`,
      onPage(
        path,
        async ({ page }) => {
          const announced = await page.locator('meta[name="idle-scripts"]').getAttribute('content');
          const idle = (announced ?? '').split(' ');
          await until('the scripts that are fetched while idle', async () => {
            const arrived = new Set((await arrivedScripts(page)).map(({ name }) => new URL(name).pathname));
            return idle.every((name) => arrived.has(name));
          });
          const arrived = await arrivedScripts(page);
          // The bootstrap and the bundler's own few lines.
          expect(arrived.length).to.be.at.most(idle.length + 2);
          expect(arrived.reduce((sum, { size }) => sum + size, 0)).to.be.within(1, budget);
        },
        untouched,
      ),
    );

    it(
      `to ${path} is taken over without a change to what was painted`,
      onPage(
        path,
        async ({ page }) => {
          const height = () => page.evaluate(() => document.documentElement.scrollHeight);
          const painted = await height();
          await untilInteractive(page);
          expect(await changes(page)).to.deep.equal([]);
          expect(await height()).to.equal(painted);
        },
        { ...untouched, scripts: [noteChanges] },
      ),
    );
  }

  it(
    'loses no press of a button that comes before the application',
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Show More', exact: true }).click();
        await page.getByRole('button', { name: 'Show Less', exact: true }).waitFor();
      },
      untouched,
    ),
  );

  it(
    'opens the mobile menu at the first touch',
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('button', { name: 'Close menu' }).waitFor();
        await page.getByRole('navigation', { name: 'Mobile' }).getByRole('link', { name: 'Services' }).waitFor();
      },
      { ...untouched, width: 390 },
    ),
  );

  it(
    'scrolls to sections, with the bar frosted, while no application can be loaded',
    onPage(
      '/',
      async ({ page }) => {
        await page.route('**/assets/start-*.js', (route) => route.abort('aborted'));
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Portfolio' }).click();
        await until('the portfolio at the top', async () => {
          const top = await page.locator('#portfolio').evaluate((element) => element.getBoundingClientRect().top);
          return Math.abs(top) < 100;
        });
        expect(await page.locator('header').getAttribute('data-frosted')).to.equal('true');
        expect(await page.evaluate(() => document.activeElement?.id)).to.equal('portfolio');
      },
      untouched,
    ),
  );

  it(
    'sends what was typed and sent before the application, once',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        let release = (): void => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        await page.route('**/assets/*.js', async (route) => {
          await held;
          await route.continue();
        });
        await fillContact(page, email);
        await page.getByRole('button', { name: 'Send Message' }).click();
        expect(await stack().leadsOf(email)).to.have.length(0);
        release();
        await page.getByText('Your message has been sent successfully.').first().waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
        expect(await contactValues(page)).to.deep.equal(['', '', '', '', '']);
      },
      untouched,
    ),
  );
});

describe('A draft', () => {
  it(
    'survives a reload by accident, and is gone once it was sent',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await fillContact(page, email);
      const typed = await contactValues(page);
      await page.reload();
      await until('what was typed', async () => (await contactValues(page)).join() === typed.join());
      await page.getByRole('button', { name: 'Send Message' }).click();
      await page.getByText('Your message has been sent successfully.').first().waitFor();
      await page.reload();
      await untilInteractive(page);
      expect(await contactValues(page)).to.deep.equal(['', '', '', '', '']);
    }),
  );

  it(
    'that was stored without an answer makes no second lead after a reload',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await page.route(
          '**/api/contact',
          async (route) => {
            await route.fetch();
            await route.abort('connectionreset');
          },
          { times: 1 },
        );
        await fillContact(page, email);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByText('Failed to send message. Please try again.').first().waitFor();
        await page.reload();
        await until('what was typed', async () => (await contactField(page, 'email').inputValue()) === email);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByText('Your message has been sent successfully.').first().waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
      },
      { failing: ['/api/contact'] },
    ),
  );

  it(
    'is not shared with another page, whose form is the same',
    onPage('/services/consulting', async ({ page }) => {
      await page.locator('form [name="name"]').fill('Layla');
      await page.goto(new URL('/services/lead-generation', page.url()).href);
      await untilInteractive(page);
      expect(await page.locator('form [name="name"]').inputValue()).to.equal('');
    }),
  );
});

describe('Going back', () => {
  it(
    'shows the page where it was left, and a new page from its top',
    onPage('/', async ({ page }) => {
      await page.evaluate(() => window.scrollTo(0, 2500));
      await until('the scroll', () => page.evaluate(() => window.scrollY === 2500));
      await page
        .locator('footer')
        .getByRole('link', { name: 'Careers' })
        .evaluate((link: HTMLElement) => link.click());
      await until('the careers page', async () => (await page.title()).startsWith('Careers'));
      expect(await page.evaluate(() => [window.scrollY, document.activeElement?.id])).to.deep.equal([0, 'main']);
      await page.goBack();
      await until('the home page', async () => (await page.title()).startsWith('Dune & Tide'));
      await until('the place', () => page.evaluate(() => window.scrollY === 2500));
    }),
  );
});

describe('Without JavaScript', () => {
  for (const path of ['/', '/careers', '/kingrose', '/project-inquiry', '/services/consulting']) {
    it(
      `the form of ${path} says that it needs it, and sends nothing`,
      onPage(
        path,
        async ({ page }) => {
          const form = page.locator('form').first();
          const notice = form.locator('noscript');
          expect(await notice.isVisible()).to.equal(true);
          expect(await notice.innerText()).to.match(/^Sending this form needs JavaScript.*hello@/s);
          await form.locator('input[name="email"]').fill('layla@example.com');
          const before = page.url();
          await form.locator('[type="submit"]').click();
          expect(page.url()).to.equal(before);
          expect(await form.locator('input[name="email"]').inputValue()).to.equal('layla@example.com');
        },
        { javaScriptEnabled: false },
      ),
    );
  }
});

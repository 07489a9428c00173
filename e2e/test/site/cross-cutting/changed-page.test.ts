import { hold, takeTime, untilInteractive } from '../../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/*
 * Pages that another program has changed, such as a translator, an extension or a proxy. React may report that it
 * could not hydrate such a page.
 */

const changed = { ...firstVisit, isPageChanged: true };

/** Wraps each text of the page as Chrome's translation does. */
const translate = (page: Page) =>
  page.evaluate(() => {
    const texts: Node[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.textContent?.trim() || text.parentElement?.closest('script, style, noscript, textarea, option'))
        continue;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      text.parentNode?.replaceChild(outer, text);
      outer.firstChild?.appendChild(text);
    }
  });

/** The kinds of change, each applied to the prerendered page. */
const changes = {
  'was translated': translate,
  'has rewritten addresses': (page) =>
    page.evaluate(() => {
      for (const link of document.querySelectorAll('a'))
        link.href = `/cdn-cgi/redirect?to=${encodeURIComponent(link.href)}`;
      for (const link of document.querySelectorAll<HTMLElement>('a[href*="mailto"]'))
        link.innerHTML = '<span class="protected">[email protected]</span>';
    }),
  'has elements of an extension': (page) =>
    page.evaluate(() => {
      document.body.prepend(document.createElement('aside'));
      for (const form of document.forms) {
        form.prepend(document.createElement('div'));
        for (const field of form.querySelectorAll('input')) field.after(document.createElement('extension-icon'));
      }
    }),
  'has other words in it': (page) =>
    page.evaluate(() => {
      for (const heading of document.querySelectorAll('h1, h2')) heading.textContent = `${heading.textContent} 🐳`;
    }),
} satisfies Readonly<Record<string, (page: Page) => Promise<unknown>>>;

const field = (page: Page, name: string) => page.locator(`#contact [name="${name}"]`);

async function fill(page: Page, email: string): Promise<void> {
  await field(page, 'firstName').fill('Noura');
  await field(page, 'lastName').fill('Haddad');
  await field(page, 'email').fill(email);
  await field(page, 'service').selectOption('ugc');
  await field(page, 'message').fill('We open in March and need films.');
}

const send = (page: Page) => page.locator('#contact button[type="submit"]').click();

/** Returns the lead of an email address after it is stored. */
const leadOf = (email: string) => until('the lead', async () => (await stack().leadsOf(email))[0]);

/** The first press of a visitor on a page whose code is not loaded yet. */
const firstPresses = {
  'sends once a form that was submitted before the code loaded': async (page) => {
    const email = ownAddress();
    const release = await hold(page, '/assets/*.js');
    await fill(page, email);
    await send(page);
    release();
    expect((await leadOf(email))?.answers['firstName']).to.equal('Noura');
    await until('the empty form', async () => (await field(page, 'firstName').inputValue()) === '');
    expect(await stack().leadsOf(email)).to.have.length(1);
  },
  'opens the menu at the first tap': async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.locator('[aria-controls="site-menu"][aria-expanded="true"]').waitFor();
  },
  'opens the modal at the first press on View All Projects': async (page) => {
    await page.getByRole('button', { name: 'View All Projects' }).click();
    await page.getByRole('dialog').waitFor();
  },
} satisfies Readonly<Record<string, (page: Page) => Promise<unknown>>>;

describe('A changed page', () => {
  for (const [what, change] of Object.entries(changes)) {
    it(
      `that ${what} keeps every typed character, the caret and the focus`,
      onPage(
        '/',
        async ({ page }) => {
          await change(page);
          const release = await hold(page, '/assets/*.js');
          await field(page, 'firstName').click();
          await page.keyboard.type('Noura');
          await page.keyboard.press('Home');
          release();
          await page.keyboard.type('Al', { delay: 40 });
          await untilInteractive(page);
          await page.keyboard.type('-');
          expect(await field(page, 'firstName').inputValue()).to.equal('Al-Noura');
        },
        changed,
      ),
    );
  }

  for (const [what, press] of [
    ['was translated', 'sends once a form that was submitted before the code loaded'],
    ['has elements of an extension', 'sends once a form that was submitted before the code loaded'],
    ['has other words in it', 'opens the menu at the first tap'],
    ['has rewritten addresses', 'opens the modal at the first press on View All Projects'],
  ] as const) {
    it(
      `that ${what} ${press}`,
      onPage(
        '/',
        async ({ page }) => {
          await changes[what](page);
          await firstPresses[press](page);
        },
        changed,
      ),
    );
  }

  it(
    'keeps every typed character if it changes while the visitor types',
    onPage(
      '/',
      async ({ page }) => {
        await field(page, 'firstName').click();
        const typing = page.keyboard.type('Noura Al-Otaibi', { delay: 40 });
        for (let times = 0; times < 4; times += 1) {
          await page.evaluate(() => new Promise(requestAnimationFrame));
          await translate(page);
        }
        await typing;
        await untilInteractive(page);
        expect(await field(page, 'firstName').inputValue()).to.equal('Noura Al-Otaibi');
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('firstName');
      },
      changed,
    ),
  );

  it(
    'keeps and sends typed text if it changes between the start of the application and that of its form',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        const release = await hold(page, '/assets/ContactForm-*.js');
        await page.mouse.move(5, 5);
        await page.mouse.move(6, 6);
        await page.locator('html[data-code="running"]').waitFor();
        await fill(page, email);
        await translate(page);
        await field(page, 'message').press('End');
        await page.keyboard.type(' Soon');
        await takeTime(page);
        await send(page);
        release();
        expect((await leadOf(email))?.answers['message']).to.equal('We open in March and need films. Soon');
      },
      changed,
    ),
  );

  it(
    'after its start shows messages, sends, and navigates to other pages',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await untilInteractive(page);
      await translate(page);
      await send(page);
      await until('the messages', async () => (await page.locator('#contact [aria-invalid="true"]').count()) === 5);
      await translate(page);
      await field(page, 'firstName').click();
      await page.keyboard.type('Noura');
      expect(await field(page, 'firstName').inputValue()).to.equal('Noura');
      await takeTime(page);
      await fill(page, email);
      await translate(page);
      await send(page);
      await leadOf(email);
      await page.getByRole('button', { name: 'Show More', exact: true }).click();
      await page.getByRole('button', { name: 'Show Less', exact: true }).waitFor();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click();
      await page.getByRole('heading', { name: 'Open Positions' }).waitFor();
    }),
  );
});

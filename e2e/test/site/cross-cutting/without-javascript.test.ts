import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { onPage } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';

/** Pages with a form. Some have links to their sections, which work without scripts. */
const pages: readonly { readonly path: string; readonly jumps?: readonly (readonly [link: string, id: string])[] }[] = [
  { path: '/', jumps: [['View Our Work', 'portfolio']] },
  { path: '/careers', jumps: [['See Open Positions', 'open-positions']] },
  {
    path: '/kingrose',
    jumps: [
      ['Request a Discovery Session', 'contact'],
      ['See Our AI Services', 'services'],
    ],
  },
  { path: '/project-inquiry' },
  { path: '/services/consulting' },
];

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

describe('Without JavaScript on a phone', () => {
  for (const { path, jumps = [] } of pages) {
    it(
      `${path} can be read, shows the whole menu, and its form states that it needs JavaScript`,
      onPage(
        path,
        async ({ page }) => {
          const items = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
          expect(await items.count()).to.equal(6);
          for (const item of await items.all()) expect(await item.isVisible()).to.equal(true);
          for (const title of await page.locator('main :is(h1, h2, h3)').all())
            expect(await title.isVisible(), (await title.textContent()) ?? '').to.equal(true);
          if (path === '/') expect(await page.locator('#portfolio h3').count()).to.equal(11);
          for (const name of ['Open menu', 'Show More', 'View All Projects', 'Apply Now']) {
            for (const button of await page.getByRole('button', { name }).all())
              expect(await button.isVisible(), name).to.equal(false);
          }
          expect(await overflowOf(page)).to.equal(0);
          for (const [link, id] of jumps) {
            await page.getByRole('link', { name: link, exact: true }).click();
            const top = () => page.locator(`#${id}`).evaluate((section) => section.getBoundingClientRect().top);
            await until(`#${id} at the top of the window`, async () => Math.abs(await top()) < 84);
          }

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
        { width: 390, javaScriptEnabled: false },
      ),
    );
  }
});

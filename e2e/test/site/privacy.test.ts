import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { onPage } from '../../src/browser/browser-suite.ts';

const retention = (page: Page) => page.locator('[data-fact="retention"]').innerText();
/** The stack of the browser tests has no retention. */
const inForce = 'We keep messages, inquiries, requests and applications until you ask us to delete them.';

describe('The privacy notice', () => {
  it(
    'names the retention in force without scripts',
    onPage(
      '/privacy',
      async ({ page }) => {
        expect(await retention(page)).to.equal(inForce);
        expect(await page.locator('p:empty:visible').count()).to.equal(0);
      },
      { javaScriptEnabled: false },
    ),
  );

  it(
    'keeps the retention when the application starts, after a link of another page and on the way back',
    onPage('/kingrose', async ({ page }) => {
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy notice' }).click();
      await page.waitForURL('**/privacy');
      expect(await retention(page)).to.equal(inForce);
      await page.getByRole('navigation', { name: 'Company' }).getByRole('link', { name: 'Careers' }).click();
      await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Privacy notice' }).waitFor();
      expect(await retention(page)).to.equal(inForce);
    }),
  );
});

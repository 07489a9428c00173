import { services } from '@dune-tide/domain/content/services';
import { onPage } from '../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('The page of a service', () => {
  it(
    'has its information to the left of the form, and a link home that stays under the navigation bar',
    onPage('/', async ({ page }) => {
      for (const { href } of services) {
        await page.goto(new URL(href, page.url()).href);
        const information = await page.locator('main section').first().boundingBox();
        const form = await page.locator('main form').boundingBox();
        if (!information || !form) throw new Error(`${href} is incomplete`);
        expect(information.x + information.width, href).to.be.at.most(form.x);
        expect(form.y, `${href}: beside it, not below`).to.be.below(information.y + information.height);
        await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight / 3, behavior: 'instant' }));
        const back = await page.getByRole('link', { name: 'Back to Home' }).boundingBox();
        expect(back?.y, href).to.be.within(70, 130);
      }
    }),
  );

  it(
    'scrolls a text area into view with its label and message when Tab reaches it',
    onPage('/services/ugc-creatives', async ({ page }) => {
      const text = page.locator('form textarea').first();
      await page
        .locator('form select')
        .last()
        .evaluate((before) => before.focus({ preventScroll: true }));
      await text.evaluate((each) => {
        window.scrollBy({ top: each.getBoundingClientRect().top - window.innerHeight + 60, behavior: 'instant' });
      });
      await page.keyboard.press('Tab');
      await until('the whole field is in view', () =>
        text.evaluate((each) => {
          const parts = [each, document.querySelector(`label[for="${each.id}"]`), each.closest('[data-field]')];
          return parts.every((part) => {
            const place = part?.getBoundingClientRect();
            return place !== undefined && place.top > 0 && place.bottom < window.innerHeight + 1;
          });
        }),
      );
      expect(await text.evaluate((each) => each === document.activeElement)).to.equal(true);
    }),
  );
});

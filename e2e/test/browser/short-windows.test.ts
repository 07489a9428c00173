import { onPage } from '@dune-tide/e2e/support/browser-suite';
import { until } from '@dune-tide/e2e/support/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

/** A page of 1280 × 1024 at 400 %. */
const zoomed = { width: 320, height: 256 };
const phoneOnItsSide = { width: 667, height: 375 };

interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const placeOf = (element: Locator): Promise<Rectangle> =>
  element.evaluate((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { left, right, top, bottom };
  });

describe('In a short window', () => {
  for (const size of [zoomed, phoneOnItsSide]) {
    it(
      `of ${size.width} × ${size.height} the items of the mobile menu stand apart, and within it`,
      onPage(
        '/',
        async ({ page }) => {
          await page.getByRole('button', { name: 'Open menu' }).click();
          const menu = page.getByRole('navigation', { name: 'Mobile' });
          const overlapping = await menu.getByRole('link').evaluateAll((links) => {
            const places = links.map((link) => {
              // The words, not the room that their line has.
              const words = document.createRange();
              words.selectNodeContents(link);
              return { name: link.textContent, ...words.getBoundingClientRect().toJSON() } as Rectangle & {
                name: string | null;
              };
            });
            return places.flatMap((one, index) =>
              places
                .slice(index + 1)
                .filter(
                  (other) =>
                    one.left < other.right + 8 &&
                    other.left < one.right + 8 &&
                    one.top < other.bottom &&
                    other.top < one.bottom,
                )
                .map((other) => [one.name, other.name]),
            );
          });
          expect(overlapping).to.deep.equal([]);
          expect(await menu.evaluate((element) => element.scrollWidth - element.clientWidth)).to.equal(0);
        },
        size,
      ),
    );
  }
});

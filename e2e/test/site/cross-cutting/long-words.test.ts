import { services } from '@dune-tide/domain/content/services';
import { onPage } from '../../../src/browser/browser-suite.ts';
import { expect } from 'chai';

const longWord = `https://example.com/${'a'.repeat(600)}`;

describe('A word that is longer than its line', () => {
  for (const path of ['/', '/project-inquiry', '/careers', '/kingrose', ...services.map(({ href }) => href)]) {
    for (const width of [320, 390]) {
      it(
        `does not widen ${path} beyond its window of ${width} px, in any text area`,
        onPage(
          path,
          async ({ page }) => {
            const areas = await page.locator('main textarea').all();
            expect(areas).not.to.deep.equal([]);
            for (const area of areas) {
              await area.fill(longWord);
              const form = await area.evaluate(
                (each) => each.closest('form')?.getBoundingClientRect().toJSON() as DOMRect,
              );
              const beyond = await page.evaluate(() => {
                const { scrollWidth, clientWidth } = document.documentElement;
                return scrollWidth - clientWidth;
              });
              expect(beyond, `pixels outside the window, ${await area.getAttribute('name')}`).to.equal(0);
              expect(form.right, 'the form is inside the window').to.be.at.most(width);
            }
          },
          { width, height: 844 },
        ),
      );
    }
  }
});

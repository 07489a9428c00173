import { services } from '@dune-tide/domain/content/services';
import { brokenWords } from '../../../src/browser/broken-words.ts';
import { onPage } from '../../../src/browser/browser-suite.ts';
import { cutOffTexts } from '../../../src/browser/cut-off.ts';
import { resize } from '../../../src/browser/still.ts';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const missing = '/nowhere';
const forms = ['/', '/project-inquiry', '/careers', '/kingrose', ...services.map(({ href }) => href)];
const longWord = `https://example.com/${'a'.repeat(600)}`;

/** Returns the options that are wider than their field. */
const cutOffOptions = (page: Page): Promise<string[]> =>
  page.locator('select').evaluateAll((fields) =>
    fields.flatMap((field) => {
      const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen || !(field instanceof HTMLSelectElement)) return ['not measured'];
      pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return [...field.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > room);
    }),
  );

/** Returns how far the page reaches beyond the window, and how far the form reaches, in pixels. */
const extentOf = (page: Page): Promise<{ overflow: number; formRight: number }> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const formRight = document.querySelector('main form')?.getBoundingClientRect().right ?? Infinity;
    return { overflow: scrollWidth - clientWidth, formRight };
  });

/** A fallback font may be wider. */
const untilFonts = (page: Page) => page.evaluate(() => document.fonts.ready.then(() => undefined));

describe('The layout', () => {
  for (const path of forms) {
    it(
      `of ${path} cuts off no option, breaks no word, and no long word widens it`,
      onPage(
        path,
        async ({ page }) => {
          await untilFonts(page);
          expect(await brokenWords(page)).to.deep.equal([]);
          for (const width of [1440, 1280, 1024, 900, 768, 390]) {
            await resize(page, width);
            expect(await cutOffOptions(page), `at ${width} px`).to.deep.equal([]);
          }
          const areas = await page.locator('main textarea').all();
          expect(areas).not.to.deep.equal([]);
          for (const area of areas) await area.fill(longWord);
          for (const width of [390, 320]) {
            await resize(page, width);
            const { overflow, formRight } = await extentOf(page);
            expect(overflow, `pixels outside of ${width} px`).to.equal(0);
            expect(formRight, 'the form is inside the window').to.be.at.most(width);
          }
        },
        { width: 320, height: 844 },
      ),
    );
  }

  it(
    'is readable on a phone with text of twice the size, and breaks no word',
    onPage(
      missing,
      async ({ page }) => {
        for (const path of [...forms, missing]) {
          await page.goto(new URL(path, page.url()).href);
          await untilFonts(page);
          expect(await cutOffTexts(page), path).to.deep.equal([]);
          expect(await brokenWords(page), path).to.deep.equal([]);
        }
      },
      { width: 390, fontSize: 32, failing: [missing], isUntouched: true },
    ),
  );
});

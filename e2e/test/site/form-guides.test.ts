import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { onPage, untouched } from '../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

/** Returns the names of the Arabic fonts that the page has loaded. */
const arabicFonts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => /assets\/(arabic(?:-line)?)-/.exec(name)?.[1] ?? [])
      .toSorted(),
  );

describe('The font for Arabic', () => {
  it(
    'is not loaded by a page without Arabic',
    onPage(
      '/case-studies/nara-solar',
      async ({ page }) => {
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        expect(await arabicFonts(page)).to.deep.equal([]);
      },
      { isFirstVisit: true },
    ),
  );

  it(
    'is loaded for the line beside a form, and in full when a visitor writes Arabic',
    onPage(
      '/careers',
      async ({ page }) => {
        await until('the line', async () => (await arabicFonts(page)).join() === 'arabic-line');
        const letter = page.getByLabel(/^Cover letter/);
        await letter.fill('أكتب لكم من الرياض');
        await until('all letters', async () => (await arabicFonts(page)).join() === 'arabic,arabic-line');
        expect(await letter.evaluate((area) => getComputedStyle(area).direction)).to.equal('rtl');
      },
      { isFirstVisit: true },
    ),
  );
});

describe('On a phone', () => {
  const phone = { width: 390, height: 844 };

  it(
    'the project inquiry shows the step that is in view',
    onPage(
      '/project-inquiry',
      async ({ page }) => {
        for (const [field, step] of [
          ['urgency', 'Step 2 of 4'],
          ['projectDescription', 'Step 3 of 4'],
          ['competitors', 'Step 4 of 4'],
        ] as const) {
          await page
            .locator(`[name="${field}"]`)
            .last()
            .evaluate((element) => element.scrollIntoView({ block: 'end' }));
          await until(step, async () => {
            const box = await page.getByText(step, { exact: true }).boundingBox();
            return box !== null && box.y > 70 && box.y < 844;
          });
        }
      },
      phone,
    ),
  );

  it(
    'the guide of each form is below the form, and the line in Arabic above it',
    onPage(
      '/',
      async ({ page }) => {
        for (const path of ['/', '/project-inquiry', '/careers', '/kingrose', '/services/consulting']) {
          await page.goto(new URL(path, page.url()).href);
          const topOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);
          const form = page.locator('main form');
          const guide = page.getByRole('heading', { name: formGuideTexts.heading, exact: true });
          const first = form.locator(':is(input, select):not([aria-hidden="true"] *)').first();
          expect(await topOf(guide), path).to.be.above(await topOf(form.locator('[type="submit"]')));
          expect(await topOf(page.getByText(formGuideTexts.arabic)), path).to.be.below(await topOf(first));
        }
      },
      { ...phone, ...untouched },
    ),
  );

  it(
    'the bar of a service page leaves the window while the visitor is in the form',
    onPage(
      '/services/ugc-creatives',
      async ({ page }) => {
        const jump = page.getByRole('link', { name: 'Request Quote' });
        await jump.click();
        await until('the bar is gone', async () => ((await jump.boundingBox())?.y ?? 0) < -40);
        const top = await page.locator('#request').evaluate((element) => element.getBoundingClientRect().top);
        expect(top).to.be.within(70, 80);
        await page.evaluate(() => window.scrollTo(0, 300));
        await until('the bar is back', async () => ((await jump.boundingBox())?.y ?? 0) > 70);
      },
      phone,
    ),
  );
});

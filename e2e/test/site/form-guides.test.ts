import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { services } from '@dune-tide/domain/content/services';
import { onPage, ownAddress, untouched } from '../../src/browser/browser-suite.ts';
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

describe('The guide of a form', () => {
  for (const path of ['/', '/project-inquiry', '/careers', '/kingrose', ...services.map(({ href }) => href)]) {
    it(
      `on ${path} has three steps, the readers and a line in Arabic`,
      onPage(path, async ({ page }) => {
        const guide = page.getByRole('heading', { name: formGuideTexts.heading, exact: true }).locator('..');
        expect(await guide.getByRole('listitem').count()).to.equal(3);
        expect(await guide.innerText()).to.include(formGuideTexts.reader);
        const arabic = page.getByRole('main').locator('[lang="ar"][dir="rtl"]');
        expect(await arabic.textContent()).to.equal(formGuideTexts.arabic);
      }),
    );
  }

  it(
    'is repeated after sending, with the values that were received, until the form is changed',
    onPage('/', async ({ page }) => {
      const form = page.getByRole('form', { name: 'Contact' });
      const email = ownAddress();
      await form.getByLabel(/^First name/).fill('نورة');
      await form.getByLabel(/^Last name/).fill('الحربي');
      await form.getByLabel(/^Email/).fill(email);
      await form.getByLabel(/^Service/).selectOption('leadgen');
      await form.getByLabel(/^Message/).fill('We sell water pumps and need buyers.');
      await form.locator('[type="submit"]').click();
      await form.getByText(formGuideTexts.received).waitFor();
      expect(await form.locator('dd').allTextContents()).to.deep.equal([
        'نورة الحربي',
        email,
        'Lead Generation Systems',
        'We sell water pumps and need buyers.',
      ]);
      expect(await form.getByRole('listitem').count()).to.equal(3);
      expect(await form.getByLabel(/^Message/).inputValue()).to.equal('');
      const guide = page.getByRole('heading', { name: formGuideTexts.heading, exact: true });
      expect(await guide.isVisible(), 'beside the form').to.equal(true);
      await page.setViewportSize({ width: 390, height: 844 });
      await until('the panel is not repeated below it', async () => !(await guide.isVisible()));
      await form.getByLabel(/^Message/).fill('Also valves.');
      await form.getByText(formGuideTexts.received).waitFor({ state: 'detached' });
    }),
  );
});

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

  for (const [path, field] of [
    ['/', 'firstName'],
    ['/project-inquiry', 'name'],
    ['/careers', 'firstName'],
    ['/kingrose', 'name'],
    ['/services/consulting', 'name'],
  ] as const) {
    it(
      `the guide of ${path} is below the form, and the line in Arabic above it`,
      onPage(
        path,
        async ({ page }) => {
          const topOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);
          const first = await topOf(page.locator(`main form [name="${field}"]`));
          const last = await topOf(page.locator('main form [type="submit"]'));
          const guide = page.getByRole('heading', { name: formGuideTexts.heading, exact: true });
          expect(await topOf(guide)).to.be.above(last);
          expect(await topOf(page.getByText(formGuideTexts.arabic))).to.be.below(first);
        },
        { ...phone, ...untouched },
      ),
    );
  }

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

import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { caseStudyPage } from '@dune-tide/domain/content/case-study-page';
import { expectAccessibleEverywhere, withAxe } from '../../src/browser/accessibility.ts';
import { onPage, untouched } from '../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const pathOf = (slug: string) => `/case-studies/${slug}`;
const address = (page: Page): string => new URL(page.url()).pathname;

/** Case studies whose work starts with the discovery form. */
const withDiscovery: ReadonlySet<string> = new Set(['wadi-sidr', 'sabkha-capital']);

const forms = {
  'MVP Development': '/services/mvp-development#request',
  'UGC Campaign': '/services/ugc-creatives#request',
  'Lead Generation': '/services/lead-generation#request',
} as const;

describe('The page of a case study', () => {
  for (const [index, study] of caseStudies.entries()) {
    it(
      `${study.slug} tells the problem, the work with three screens, the result and the way on`,
      onPage(
        pathOf(study.slug),
        async ({ page }) => {
          expect(await page.getByRole('heading', { level: 1 }).allTextContents()).to.deep.equal([study.title]);
          expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()).to.deep.equal([
            'The problem',
            'What we made',
            'The result',
            caseStudyPage.service,
          ]);
          expect(await page.locator('figure').count()).to.equal(3);
          expect(await page.locator('figure').getByRole('img').count()).to.equal(3);
          const result = page.locator('section', { has: page.getByRole('heading', { name: 'The result' }) });
          expect(await result.locator('dd').allTextContents()).to.deep.equal(study.metrics.map(({ value }) => value));
          const start = page.getByRole('link', { name: caseStudyPage.start });
          expect(await start.getAttribute('href')).to.equal(
            withDiscovery.has(study.slug) ? '/kingrose#contact' : forms[study.category],
          );
          const next = caseStudies[(index + 1) % caseStudies.length];
          expect(await page.getByRole('link', { name: caseStudyPage.next }).getAttribute('href')).to.equal(
            pathOf(next?.slug ?? ''),
          );
        },
        untouched,
      ),
    );
  }

  it(
    'opens from each card of the home page, and Back returns to the card',
    onPage('/', async ({ page }) => {
      await page.getByRole('button', { name: 'Show More' }).click();
      for (const { title, slug, description } of [caseStudies[0], caseStudies[4], caseStudies[10]].filter(
        (study) => study !== undefined,
      )) {
        // The link of the title covers the card.
        await page.locator('#portfolio').getByText(description).click({ force: true });
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        expect(address(page)).to.equal(pathOf(slug));
        expect(await page.title()).to.include('case study');
        await page.goBack();
        await page.locator('#portfolio').getByText(title).waitFor();
      }
      const links = page.locator('#portfolio h3 a');
      expect(await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))).to.deep.equal(
        caseStudies.map(({ slug }) => pathOf(slug)),
      );
    }),
  );

  for (const [slug, form] of [
    ['tamra-market', 'request'],
    ['sabkha-capital', 'contact'],
  ] as const) {
    it(
      `leads from ${slug} to the start of the form`,
      onPage(pathOf(slug), async ({ page }) => {
        await page.getByRole('link', { name: caseStudyPage.start }).click();
        const section = page.locator(`#${form}`);
        await section.locator('form').waitFor();
        await until('the form is in view', async () => {
          const top = await section.evaluate((element) => element.getBoundingClientRect().top);
          return top > -2 && top < 200;
        });
        expect(await page.evaluate(() => document.activeElement?.id)).to.equal(form);
      }),
    );
  }

  it(
    'is accessible in every window and colour scheme',
    onPage(
      pathOf('lulwa-skincare'),
      async ({ page }) => {
        await expectAccessibleEverywhere(page, 'case study');
      },
      withAxe,
    ),
  );
});

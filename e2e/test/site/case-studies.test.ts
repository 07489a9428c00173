import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { caseStudyPage } from '@dune-tide/domain/content/case-study-page';
import { onPage } from '../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('The page of a case study', () => {
  it(
    'opens from each kind of card of the home page, and Back returns to the card',
    onPage('/', async ({ page }) => {
      await page.getByRole('button', { name: 'Show More' }).click();
      for (const { title, slug, description } of [caseStudies[0], caseStudies[4], caseStudies[10]].filter(
        (study) => study !== undefined,
      )) {
        // The link of the title covers the card.
        await page.locator('#portfolio').getByText(description).click({ force: true });
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        expect(new URL(page.url()).pathname).to.equal(`/case-studies/${slug}`);
        expect(await page.title()).to.include('case study');
        await page.goBack();
        await page.locator('#portfolio').getByText(title).waitFor();
      }
    }),
  );

  it(
    'leads to the start of a form in the middle of another page',
    onPage('/case-studies/sabkha-capital', async ({ page }) => {
      await page.getByRole('link', { name: caseStudyPage.start }).click();
      const section = page.locator('#contact');
      await section.locator('form').waitFor();
      await until('the form is in view', async () => {
        const top = await section.evaluate((element) => element.getBoundingClientRect().top);
        return top > -2 && top < 200;
      });
      expect(await page.evaluate(() => document.activeElement?.id)).to.equal('contact');
    }),
  );
});

import { jobPostings } from '@dune-tide/domain/content/careers';
import { hold, movePointer, untilInteractive } from '../../src/browser/browser.ts';
import { firstVisit, onPage, withPage } from '../../src/browser/browser-suite.ts';
import { noteScrolls, scrollsOf } from '../../src/browser/scrolls.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/careers';

const [first, second, third] = jobPostings.map(({ title }) => title);

const applyButton = (page: Page, title = '') => page.getByRole('button', { name: `Apply Now ${title}` });
const field = (page: Page, name: string) => page.locator(`#application-form [name="${name}"]`);

/** Waits until the application form is at the top of the window, below the navigation bar. */
const untilAtForm = (page: Page): Promise<unknown> =>
  until('the application form at the top of the window', async () => {
    const top = await page.locator('#application-form').evaluate((element) => element.getBoundingClientRect().top);
    return Math.abs(top) < 84;
  });

describe('Apply Now on the careers page', () => {
  describe('with animations enabled', () => {
    const visit = withPage(path, { reducedMotion: 'no-preference', scripts: [noteScrolls] });

    it('selects the position before any other event', async () => {
      const { page } = visit();
      const chosen = await applyButton(page, second).evaluate(async (button: HTMLButtonElement) => {
        button.click();
        // Runs before the next event, but after every microtask of the press.
        for (let turns = 0; turns < 20; turns++) await Promise.resolve();
        return document.querySelector<HTMLSelectElement>('[name="position"]')?.value;
      });
      expect(chosen).to.equal(second);
      await untilAtForm(page);
    });

    it('scrolls smoothly, and without animation after the visitor enables reduced motion', async () => {
      const { page } = visit();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await applyButton(page, third).click();
      await untilAtForm(page);
      expect(await scrollsOf(page)).to.deep.equal([
        { id: 'application-form', behavior: 'smooth' },
        { id: 'application-form', behavior: 'auto' },
      ]);
    });

    it('continues with the first field for a visitor with a keyboard', async () => {
      const { page } = visit();
      await applyButton(page, first).focus();
      await page.keyboard.press('Enter');
      await untilAtForm(page);
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('firstName');
    });
  });

  it(
    'that is pressed early selects the position when the form has loaded, even over a draft',
    onPage(
      path,
      async ({ page }) => {
        const script = '/assets/CareerApplicationForm-*.js';
        await untilInteractive(page);
        await field(page, 'firstName').fill('Thandi');
        await field(page, 'position').selectOption('other');
        const release = await hold(page, script);
        const asked = page.waitForRequest(`**${script}`);
        await page.reload();
        await movePointer(page);
        await asked;
        await applyButton(page, third).click();
        await untilAtForm(page);
        release();
        await until('the position is chosen', async () => (await field(page, 'position').inputValue()) === third);
        await until('the draft is restored', async () => (await field(page, 'firstName').inputValue()) === 'Thandi');
        expect(await field(page, 'position').inputValue()).to.equal(third);
      },
      firstVisit,
    ),
  );
});

import { tabTo, withAxe } from '../../src/browser/accessibility.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { elsewhere, recipeCall, recipePath, recipesPath, stored } from '../../src/browser/recipes-page.ts';
import {
  dialog,
  endSessions,
  expectAccessibleInBoth,
  focused,
  focusedField,
  heading,
  onStaffPage,
  press,
  sendSignIn,
  untilAt,
  untilClosed,
  untilToast,
} from '../../src/browser/staff.ts';
import { maxLength } from '@dune-tide/domain/limits';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const alert = (page: Page) => dialog(page).getByRole('alert').filter({ hasText: /\S/ });
const goTo = (page: Page, path: string) => page.goto(new URL(path, stack().siteUrl).href);
const instructions = (page: Page) => page.getByRole('region', { name: 'Instructions' });

describe('The recipes page', () => {
  /** Calls that a test makes fail. */
  const meant: string[] = [];
  beforeEach(async () => {
    meant.length = 0;
    await stack().database('recipes').delete();
  });

  it(
    'can be used with the keyboard: add, read, edit despite a conflict, and delete',
    onStaffPage(
      recipesPath,
      async ({ page }) => {
        const { keyboard } = page;
        await page.getByText('No recipes yet', { exact: true }).waitFor();
        await tabTo(page, 'Add Recipe');
        await keyboard.press('Enter');
        await dialog(page).waitFor();
        expect(await focusedField(page), 'the first field').to.equal('title');
        await tabTo(page, 'Add Recipe');
        await keyboard.press('Enter');
        await dialog(page).getByText('Title is required').waitFor();
        await expectAccessibleInBoth(page, 'the form with invalid fields');
        await keyboard.type('By hand');
        await tabTo(page, 'description');
        await keyboard.type('Without a mouse');
        await tabTo(page, 'category');
        await keyboard.type('Mar');
        await tabTo(page, 'estimatedTime');
        await keyboard.type('1 hour');
        await tabTo(page, 'difficulty');
        await keyboard.press('ArrowDown');
        await tabTo(page, 'Write');
        await tabTo(page, 'instructions');
        await keyboard.type('# Keys');
        await keyboard.press('Shift+Tab');
        await keyboard.press('ArrowRight');
        await keyboard.press('Enter');
        await dialog(page).getByRole('heading', { name: 'Keys' }).waitFor();
        await tabTo(page, 'isPublic');
        await keyboard.press('Space');
        await tabTo(page, 'Add Recipe');
        await keyboard.press('Enter');
        await untilToast(page, 'Recipe Added');
        await untilClosed(page);
        const [recipe] = await stored();
        if (!recipe) throw new Error('The recipe is not stored');
        expect(recipe).to.deep.include({
          title: 'By hand',
          category: 'marketing',
          difficulty: 'hard',
          instructions: '# Keys',
          isPublic: true,
        });
        await expectAccessibleInBoth(page, 'the list');

        await tabTo(page, 'By hand');
        await keyboard.press('Enter');
        await heading(page, 'By hand').waitFor();
        expect(await focused(page), 'the heading').to.equal('By hand');
        await expectAccessibleInBoth(page, 'a recipe');
        await page.goBack();
        await heading(page, 'Recipe Management').waitFor();
        await until('the link has the focus again', async () => (await focused(page)) === 'By hand');

        meant.push(recipeCall(recipe.id));
        await elsewhere(page).change(recipe, { tools: ['Pencil'] });
        await tabTo(page, 'Edit By hand');
        await keyboard.press('Enter');
        await until('the first field', async () => (await focusedField(page)) === 'title');
        await keyboard.type('!');
        await tabTo(page, 'Save Changes');
        await keyboard.press('Enter');
        await alert(page).getByText('This recipe has changed since you opened it').waitFor();
        await expectAccessibleInBoth(page, 'a conflict');
        await tabTo(page, 'Save my changes');
        await keyboard.press('Enter');
        await untilToast(page, 'Recipe Updated');
        await untilClosed(page);
        expect((await stored())[0]).to.deep.include({ title: 'By hand!', tools: ['Pencil'], version: 3 });

        await tabTo(page, 'Delete By hand!');
        await keyboard.press('Enter');
        await tabTo(page, 'Delete Recipe');
        await keyboard.press('Space');
        await untilToast(page, 'Recipe Deleted');
        await until('the heading has the focus', async () => (await focused(page)) === 'Recipe Management');
        expect(await stored()).to.deep.equal([]);
      },
      { ...withAxe, failing: meant },
    ),
  );

  it(
    'restores a change after the session has ended, but not for another account',
    onStaffPage(
      recipesPath,
      async ({ page, account }) => {
        page.on('dialog', (question) => void question.accept());
        const recipe = await elsewhere(page).add();
        meant.push('/api/admin/session', recipeCall(recipe.id));
        await page.reload();
        const edit = () => press(page, `Edit ${recipe.title}`);
        const title = dialog(page).getByLabel(/^Title/);
        await edit();
        await title.fill('Half a thought');
        await endSessions(account);
        await press(dialog(page), 'Save Changes');
        await untilAt(page, `/admin/login?from=${encodeURIComponent(recipesPath)}`);
        await sendSignIn(page, account);
        await heading(page, 'Recipe Management').waitFor();
        await edit();
        expect(await title.inputValue()).to.equal('Half a thought');
        await goTo(page, recipesPath);
        await page.getByText(`Your changes to “${recipe.title}” are not saved yet.`).waitFor();
        await press(page, 'Logout');
        await sendSignIn(page, account);
        await heading(page, 'Dashboard').waitFor();
        await goTo(page, recipesPath);
        await edit();
        expect(await title.inputValue()).to.equal(recipe.title);
      },
      { failing: meant },
    ),
  );

  it(
    'renders a long recipe, unless that would block the page for long',
    onStaffPage(recipesPath, async ({ page }) => {
      const { id } = await elsewhere(page).add({ instructions: 'Read the *inquiry*.\n\n'.repeat(200) });
      await goTo(page, recipePath(id));
      await instructions(page).locator('em').nth(199).waitFor();
      // Takes a processor about ten seconds.
      const hostile = await elsewhere(page).add({ instructions: '~a'.repeat(maxLength.instructions / 2) });
      await goTo(page, recipePath(hostile.id));
      await instructions(page).locator('pre').getByText('~a~a').waitFor();
    }),
  );

  it(
    'fits a phone even with long words and wide tables, with the instructions first',
    onStaffPage(
      recipesPath,
      async ({ page }) => {
        const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(3).slice(0, 100);
        const wide = `| ${'Column | '.repeat(9)}\n|${' - |'.repeat(9)}\n| ${'Something | '.repeat(9)}`;
        const texts = { title: long, description: long, instructions: `${long}\n\n${wide}` };
        const { id } = await elsewhere(page).add(texts);
        await page.setViewportSize({ width: 1024, height: 800 });
        await page.reload();
        const row = page.getByRole('table', { name: 'Recipes' }).locator('tbody tr');
        await row.waitFor();
        expect(await row.ariaSnapshot(), 'labelled without a header row').to.match(
          /Tools: Notion[^]*Time: 2 hours[^]*Updated: /,
        );
        await page.setViewportSize({ width: 390, height: 844 });
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        await until('the list fits', async () => (await overflow()) <= 0);
        await goTo(page, recipePath(id));
        const table = page.getByRole('table');
        await table.waitFor();
        expect(await overflow(), 'the recipe').to.be.at.most(0);
        expect(await table.evaluate(({ parentElement: box }) => box && box.scrollWidth > box.clientWidth)).to.equal(
          true,
        );
        await tabTo(page, 'Table');
        const place = await instructions(page).boundingBox();
        const facts = await page.locator('main dl').boundingBox();
        expect(place?.y).to.be.below(facts?.y ?? 0);
        await press(page, 'Delete');
        await dialog(page).getByText('will be gone for everyone').waitFor();
        expect(await dialog(page).evaluate((box) => box.scrollWidth - box.clientWidth), 'a dialog').to.be.at.most(0);
      },
      withAxe,
    ),
  );
});

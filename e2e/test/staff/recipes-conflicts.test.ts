import { withAxe } from '../../src/browser/accessibility.ts';
import { openVisit } from '../../src/browser/browser.ts';
import {
  addressOf,
  alert,
  elsewhere,
  example,
  expectAccessibleInPassing,
  failing,
  failOnce,
  form,
  giveUp,
  goTo,
  listen,
  meant,
  recipeCall,
  recipePath,
  recipesCall,
  rows,
  signedIn,
  stored,
} from '../../src/browser/recipes-page.ts';
import { dialog, focused, press, signIn, toasts, untilClosed, untilToast } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('Recipe Management', () => {
  describe('editing', () => {
    it(
      'in two browsers concurrently shows a message before it overwrites anything',
      signedIn(async ({ page, context }) => {
        const { id } = await elsewhere(page).add();
        const url = addressOf(recipePath(id));
        const browser = context.browser();
        if (!browser) throw new Error('The page has no browser');
        meant.push(recipeCall(id));
        const other = await openVisit(browser, 'about:blank', { isUntouched: true, failing: meant });
        await signIn(other.context);
        for (const each of [page, other.page]) {
          await each.goto(url);
          await press(each, 'Edit');
        }
        const mine = form(page);
        await form(other.page).put('title', 'Their title');
        await form(other.page).put('instructions', 'Their steps');
        await press(dialog(other.page), 'Save Changes');
        await untilToast(other.page, 'Recipe Updated');

        await mine.put('title', 'My title');
        await mine.put('tools', 'Pencil');
        await press(dialog(page), 'Save Changes');
        await alert(page).getByText('This recipe has changed since you opened it').waitFor();
        expect(await alert(page).innerText()).to.include('Failed to update recipe');
        const differences = async () => ({
          fields: await alert(page).locator('dt').allTextContents(),
          theirs: await alert(page).locator('dd').allTextContents(),
        });
        expect(await differences(), 'their changes').to.deep.equal({
          fields: ['Title', 'Instructions'],
          theirs: ['Their titleYou changed it too', 'Their steps'],
        });
        expect((await mine.typed()).title, 'the typed text is kept').to.equal('My title');
        expect((await stored())[0], 'nothing is overwritten').to.include({ title: 'Their title', version: 2 });
        await expectAccessibleInPassing(page, 'a conflict');
        await mine.field('title').press('Enter');
        expect((await stored())[0], 'also not by Enter in a field').to.include({ version: 2 });

        const heard = listen(page);
        await press(dialog(page), 'Save my changes');
        await untilToast(page, 'Recipe Updated');
        await untilClosed(page);
        expect(heard.last('PATCH')).to.deep.include({
          body: { title: 'My title', tools: ['Pencil'] },
          ifMatch: '"2"',
        });
        expect((await stored())[0]).to.deep.include({
          title: 'My title',
          tools: ['Pencil'],
          instructions: 'Their steps',
          version: 3,
        });

        // The other browser still shows version 2: the same conflict, resolved the other way.
        await press(other.page, 'Edit');
        const theirs = form(other.page);
        await theirs.put('title', 'Their second title');
        await press(dialog(other.page), 'Save Changes');
        await press(dialog(other.page), 'Load their version');
        await other.page.keyboard.press('Escape');
        await dialog(other.page).getByRole('button', { name: 'Load their version' }).waitFor();
        await press(dialog(other.page), 'Load their version');
        await press(dialog(other.page), 'Keep editing');
        expect((await theirs.typed()).title, 'not discarded').to.equal('Their second title');
        await press(dialog(other.page), 'Load their version');
        await press(dialog(other.page), 'Discard');
        await until('the stored title', async () => (await theirs.typed()).title === 'My title');
        expect(await alert(other.page).count()).to.equal(0);
        await theirs.put('description', 'Given up');
        await giveUp(other.page);
        await press(other.page, 'Edit');
        expect((await theirs.typed()).description, 'the discarded text is gone').to.equal(example.description);
        await theirs.put('description', 'Agreed');
        await press(dialog(other.page), 'Save Changes');
        await untilClosed(other.page);
        expect((await stored())[0]).to.include({ title: 'My title', description: 'Agreed', version: 4 });

        // Both changes are equal, so there is nothing to resolve.
        await press(page, 'Edit');
        await mine.put('description', 'Agreed');
        await press(dialog(page), 'Save Changes');
        await untilClosed(page);
        expect((await stored())[0]).to.include({ version: 4 });
        await other.context.close();
        expect(other.faults).to.deep.equal([]);
      }, withAxe),
    );

    it(
      "merges another member's changes of other fields, even after a failed attempt",
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        meant.push(recipeCall(recipe.id));
        await goTo(page);
        await press(page, `Edit ${example.title}`);
        await form(page).put('estimatedTime', '1 hour');
        await others.change(recipe, { instructions: 'Their steps', isPublic: true });
        await press(dialog(page), 'Save Changes');
        await alert(page).getByText('You changed other fields, so saving keeps both.').waitFor();
        expect(await alert(page).locator('dt').allTextContents()).to.deep.equal(['Instructions', 'Public']);
        await failOnce(page, recipeCall(recipe.id));
        await press(dialog(page), 'Save my changes');
        await alert(page).getByText('Everything you wrote is still here').waitFor();
        await press(dialog(page), 'Save Changes');
        await untilToast(page, 'Recipe Updated');
        expect((await stored())[0]).to.include({
          estimatedTime: '1 hour',
          instructions: 'Their steps',
          isPublic: true,
          version: 3,
        });
      }),
    );

    it(
      'that fails keeps all values; a recipe that was deleted can be added again',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        await failOnce(page, recipeCall(recipe.id));
        await goTo(page);
        await press(page, `Edit ${example.title}`);
        await form(page).put('title', 'Begin well');
        await press(dialog(page), 'Save Changes');
        await alert(page)
          .getByText(/^Failed to update recipe\. .*try again\.$/)
          .waitFor();
        expect((await form(page).typed()).title).to.equal('Begin well');
        await others.remove(recipe);
        await press(dialog(page), 'Save Changes');
        await alert(page)
          .getByText(/^Failed to update recipe\. Another team member has deleted it\./)
          .waitFor();
        await page.getByText('No recipes yet').waitFor();
        expect(await toasts(page).innerText()).to.equal('');
        expect(
          await page.getByRole('dialog', { name: 'Add as a new recipe' }).count(),
          'named after its button',
        ).to.equal(1);
        const succeedAgain = await failing(page, 'POST');
        await press(dialog(page), 'Add as New Recipe');
        await alert(page)
          .getByText(/^Failed to add recipe\. .*try again\.$/)
          .waitFor();
        await succeedAgain();
        await press(dialog(page), 'Add as New Recipe');
        await untilToast(page, 'Recipe Added');
        await untilClosed(page);
        await until('the heading has the focus', async () => (await focused(page)) === 'Recipe Management');
        expect((await stored())[0]).to.deep.include({ ...example, title: 'Begin well', version: 1 });
      }),
    );

    it(
      'on the page of a deleted recipe leads to the recipe that replaces it',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        meant.push(recipeCall(recipe.id));
        await goTo(page, recipePath(recipe.id));
        await press(page, 'Edit');
        await form(page).put('title', 'Begin well');
        await others.remove(recipe);
        await press(dialog(page), 'Save Changes');
        await dialog(page).getByRole('button', { name: 'Add as New Recipe' }).waitFor();
        let letGo = (): void => undefined;
        const held = new Promise<void>((resolve) => (letGo = resolve));
        await page.route(`**${recipesCall}`, async (route) => {
          if (route.request().method() === 'GET') await held;
          await route.continue();
        });
        await press(dialog(page), 'Add as New Recipe');
        await untilToast(page, 'Recipe Added');
        await page.getByRole('heading', { level: 1, name: 'Begin well' }).waitFor();
        letGo();
        expect(new URL(page.url()).pathname).to.equal(recipePath((await stored())[0]?.id ?? ''));
      }),
    );
  });

  describe('deleting', () => {
    it(
      'of a recipe that another member changed shows the changes and asks again',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        meant.push(recipeCall(recipe.id));
        await goTo(page);
        const heard = listen(page);
        await others.change(recipe, { instructions: 'Worth keeping', tools: [] });
        await press(page, `Delete ${example.title}`);
        await press(dialog(page), 'Delete Recipe');
        await alert(page)
          .getByText(/^Failed to delete recipe\. Another team member has changed it/)
          .waitFor();
        expect(heard.last('DELETE')?.ifMatch).to.equal('"1"');
        expect(await stored()).to.have.length(1);
        expect(await dialog(page).locator('dt').allTextContents()).to.deep.equal(['Instructions', 'Tools']);
        expect(await dialog(page).locator('dd').allTextContents()).to.deep.equal(['Worth keeping', 'None']);
        await until(
          'the list shows it too',
          async () => !(await rows(page).first().innerText()).includes('Google Meet'),
        );
        await expectAccessibleInPassing(page, 'the confirmation for a changed recipe');
        await others.change(recipe, { estimatedTime: '3 hours' });
        await press(dialog(page), 'Delete Recipe');
        await dialog(page).getByText('3 hours').waitFor();
        expect(await dialog(page).locator('dt').allTextContents()).to.deep.equal([
          'Instructions',
          'Tools',
          'Estimated time',
        ]);
        await press(dialog(page), 'Delete Recipe');
        await untilToast(page, 'Recipe Deleted');
        expect(heard.last('DELETE')?.ifMatch).to.equal('"3"');
        expect(await stored()).to.deep.equal([]);
      }, withAxe),
    );
  });
});

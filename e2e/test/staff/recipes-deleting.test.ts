import { withAxe } from '../../src/browser/accessibility.ts';
import { endRoutes, hold, routeOnce } from '../../src/browser/browser.ts';
import {
  alert,
  elsewhere,
  example,
  expectAccessibleInPassing,
  failOnce,
  form,
  giveUp,
  goTo,
  listen,
  loseRecipeResponse,
  meant,
  recipeCall,
  recipePath,
  recipesCall,
  signedIn,
  stored,
  titles,
} from '../../src/browser/recipes-page.ts';
import {
  dialog,
  expectHeldOpen,
  focused,
  heading,
  press,
  toasts,
  untilClosed,
  untilToast,
} from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('Recipe Management deleting', () => {
  it(
    "asks for confirmation with the recipe's title, and then focuses the next recipe",
    signedIn(async ({ page }) => {
      const others = elsewhere(page);
      await others.add({ title: 'Third' });
      const second = await others.add({ title: 'Second' });
      const first = await others.add({ title: 'First' });
      await goTo(page);
      const heard = listen(page);
      await press(page, 'Delete First');
      await dialog(page).getByText('“First” will be gone for everyone.').waitFor();
      expect(
        await dialog(page).locator('bdi').textContent(),
        'a right-to-left title does not affect the text around it',
      ).to.equal('First');
      await expectAccessibleInPassing(page, 'the question before a recipe is deleted');
      await press(dialog(page), 'Cancel');
      await untilClosed(page);
      expect(await focused(page)).to.equal('Delete First');
      expect(heard.sent).to.deep.equal([]);

      await press(page, 'Delete First');
      await press(dialog(page), 'Delete Recipe');
      await untilToast(page, 'Recipe Deleted');
      await untilClosed(page);
      expect(await titles(page)).to.deep.equal(['Second', 'Third']);
      await until('the next recipe has the focus', async () => (await focused(page)) === 'Second');
      await until('the list is loaded again', () => heard.count(`GET ${recipesCall}`) === 1);
      expect(heard.sent[0]?.call).to.equal(`DELETE ${recipeCall(first.id)}`);

      await goTo(page, recipePath(second.id));
      await press(page, 'Delete');
      await press(dialog(page), 'Delete Recipe');
      await heading(page, 'Recipe Management').waitFor();
      expect(await titles(page)).to.deep.equal(['Third']);
      expect((await stored()).map(({ title }) => title)).to.deep.equal(['Third']);
    }, withAxe),
  );

  it(
    'keeps its dialog until it is done; if the page was left, a failure shows a toast',
    signedIn(async ({ page }) => {
      const { id } = await elsewhere(page).add();
      const call = recipeCall(id);
      const leaveWhileDeleting = async (): Promise<() => void> => {
        await page.getByRole('link', { name: example.title }).click();
        await heading(page, example.title).waitFor();
        const release = await hold(page, call);
        await press(page, 'Delete');
        await press(dialog(page), 'Delete Recipe');
        await expectHeldOpen(page, ['Close', 'Cancel']);
        await page.goBack();
        await heading(page, 'Recipe Management').waitFor();
        await untilClosed(page);
        return release;
      };

      await goTo(page);
      await failOnce(page, call);
      const fail = await leaveWhileDeleting();
      fail();
      await toasts(page)
        .getByText(/^Failed to delete recipe\. .*try again\.$/)
        .waitFor();
      await endRoutes(page);

      const succeed = await leaveWhileDeleting();
      const team = page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Team' });
      await team.click();
      await heading(page, 'Team').waitFor();
      succeed();
      await untilToast(page, 'Recipe Deleted');
      expect(new URL(page.url()).pathname).to.equal('/admin/team');
      expect(await stored()).to.deep.equal([]);
    }),
  );

  it(
    'or changing shows the current state to staff who cancel after a lost response',
    signedIn(async ({ page }) => {
      const { id } = await elsewhere(page).add();
      await elsewhere(page).add({ title: 'Another' });
      await goTo(page);
      await press(page, `Edit ${example.title}`);
      await form(page).put('title', 'Begin well');
      await loseRecipeResponse(page, recipeCall(id));
      await press(dialog(page), 'Save Changes');
      await alert(page).getByText('Everything you wrote is still here').waitFor();
      await giveUp(page);
      await until('the new title', async () => (await titles(page)).join() === 'Another,Begin well');
      await press(page, 'Delete Begin well');
      await loseRecipeResponse(page, recipeCall(id));
      await press(dialog(page), 'Delete Recipe');
      await alert(page).getByText('Check the connection and try again.').waitFor();
      await until('only the other recipe is listed', async () => (await titles(page)).join() === 'Another');
      await press(dialog(page), 'Cancel');
      await untilClosed(page);
      await until('the remaining recipe has the focus', async () => (await focused(page)) === 'Another');
    }),
  );

  it(
    'shows a failure in the dialog, and removes a recipe from the list that another member deleted',
    signedIn(async ({ page }) => {
      const others = elsewhere(page);
      const recipe = await others.add();
      await others.add({ title: 'Another' });
      meant.push(recipeCall(recipe.id));
      await routeOnce(page, `**${recipeCall(recipe.id)}`, (route) => route.abort());
      await goTo(page);
      await press(page, `Delete ${example.title}`);
      await press(dialog(page), 'Delete Recipe');
      await alert(page)
        .getByText(/^Failed to delete recipe\. .*try again\.$/)
        .waitFor();
      await until('the button has the focus', async () => (await focused(page)) === 'Delete Recipe');
      await others.remove(recipe);
      const release = await hold(page, recipesCall);
      await press(dialog(page), 'Delete Recipe');
      await alert(page)
        .getByText(/^Failed to delete recipe\. Another team member has already deleted it/)
        .waitFor();
      expect(await toasts(page).innerText()).to.equal('');
      await dialog(page).getByText('Close', { exact: true }).press('Enter');
      await untilClosed(page);
      await until('only the other recipe is listed', async () => (await titles(page)).join() === 'Another');
      await until('the other recipe has the focus', async () => (await focused(page)) === 'Another');
      release();
    }),
  );
});

import { withAxe } from '../../src/browser/accessibility.ts';
import { staffAccount } from '../../src/browser/browser-stack.ts';
import {
  alert,
  elsewhere,
  example,
  expectAccessibleInPassing,
  form,
  giveUp,
  goTo,
  meant,
  openAdd,
  recipeCall,
  recipePath,
  signedIn,
  stored,
} from '../../src/browser/recipes-page.ts';
import {
  closeDialog,
  dialog,
  focused,
  heading,
  press,
  sendSignIn,
  untilClosed,
  untilToast,
} from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Saves after the session has ended, and signs in again. */
async function saveAfterSession(page: Page): Promise<void> {
  meant.push('/api/admin/session');
  await page.context().clearCookies();
  await press(dialog(page), 'Save Changes');
  await heading(page, 'Admin Portal').waitFor();
  await sendSignIn(page, staffAccount);
  await heading(page, 'Recipe Management').waitFor();
}

describe('Recipe Management', () => {
  it(
    'shows a draft and a link to it until it is stored or discarded',
    signedIn(async ({ page }) => {
      page.on('dialog', (question) => void question.accept());
      const { id } = await elsewhere(page).add();
      const goOn = page.getByRole('button', { name: 'Continue draft' });
      await goTo(page);
      expect(await goOn.count()).to.equal(0);
      await press(page, `Edit ${example.title}`);
      await form(page).put('description', 'Half a thought');
      await page.reload();
      await page.getByText(`Your changes to “${example.title}” are not saved yet.`).waitFor();
      await expectAccessibleInPassing(page, 'a draft of a recipe');
      await goOn.click();
      expect((await form(page).typed()).description).to.equal('Half a thought');
      await press(dialog(page), 'Save Changes');
      await untilClosed(page);
      await until('the draft is gone', async () => (await goOn.count()) === 0);
      await until('the recipe has the focus', async () => (await focused(page)) === example.title);

      await openAdd(page);
      await form(page).put('title', 'Half an idea');
      await page.reload();
      await page.getByText('You have an unsaved new recipe.').waitFor();
      await goOn.click();
      expect((await form(page).typed()).title).to.equal('Half an idea');
      await giveUp(page);
      await until('the draft is gone', async () => (await goOn.count()) === 0);
      await until('the heading has the focus', async () => (await focused(page)) === 'Recipe Management');

      await goTo(page, recipePath(id));
      await press(page, 'Edit');
      await form(page).put('title', 'Half a title');
      await page.reload();
      await goOn.click();
      expect((await form(page).typed()).title).to.equal('Half a title');
      // The list shows it too.
      await goTo(page);
      await goOn.click();
      expect((await form(page).typed()).title).to.equal('Half a title');
    }, withAxe),
  );

  it(
    'names each recipe with a draft, and a new recipe too',
    signedIn(async ({ page }) => {
      page.on('dialog', (question) => void question.accept());
      const others = elsewhere(page);
      for (const title of ['Colour pass', 'Sound check']) {
        const { id } = await others.add({ title });
        await goTo(page, recipePath(id));
        await press(page, 'Edit');
        await form(page).put('description', `Half of ${title}`);
      }
      await goTo(page);
      await openAdd(page);
      await form(page).put('title', 'Half an idea');
      await page.reload();
      const goOn = page.getByRole('button', { name: 'Continue draft' });
      await until('three are named', async () => (await goOn.count()) === 3);
      await page.getByText('You have an unsaved new recipe.').waitFor();
      for (const title of ['Colour pass', 'Sound check']) {
        await page.getByText(`Your changes to “${title}” are not saved yet.`).waitFor();
      }
      await goOn.last().click();
      expect((await form(page).typed()).description).to.match(/^Half of (Colour pass|Sound check)$/);
    }),
  );

  it(
    'offers the draft of a deleted recipe as a new recipe',
    signedIn(async ({ page }) => {
      page.on('dialog', (question) => void question.accept());
      const goOn = page.getByRole('button', { name: 'Continue draft' });
      const others = elsewhere(page);
      const beginChange = async (title: string) => {
        const recipe = await others.add();
        await goTo(page, recipePath(recipe.id));
        await press(page, 'Edit');
        await form(page).put('title', title);
        await others.remove(recipe);
        return recipe;
      };
      const notice = page.getByText(
        `Your changes to “${example.title}” are not saved yet, and the recipe has been deleted.`,
      );
      const asNew = page.getByRole('dialog', { name: 'Add as a new recipe' });

      await beginChange('Begin well');
      await goTo(page);
      await notice.waitFor();
      for (const leave of ['reload', 'add']) {
        await goOn.click();
        await asNew.getByText('This recipe has been deleted. Everything you wrote is still here').waitFor();
        expect(await form(page).typed()).to.include({ title: 'Begin well', instructions: example.instructions });
        if (leave === 'reload') await page.reload();
      }
      await expectAccessibleInPassing(page, 'a draft of a deleted recipe');
      await press(asNew, 'Add as New Recipe');
      await untilToast(page, 'Recipe Added');
      await untilClosed(page);
      await until('the draft is gone', async () => (await goOn.count()) === 0);
      await until('the heading has the focus', async () => (await focused(page)) === 'Recipe Management');
      expect((await stored())[0]).to.deep.include({ ...example, title: 'Begin well', version: 1 });

      const gone = await beginChange('Not for the list');
      await page.reload();
      await page.getByText('Recipe not found').waitFor();
      await notice.waitFor();
      await goOn.click();
      await giveUp(page);
      await until('the draft is gone', async () => (await goOn.count()) === 0);
      await goTo(page);
      expect(await goOn.count(), 'also not on the list').to.equal(0);

      const { id } = await beginChange('End well');
      expect(id).not.to.equal(gone.id);
      await page.reload();
      await goOn.click();
      await press(asNew, 'Add as New Recipe');
      await heading(page, 'End well').waitFor();
      expect(await goOn.count()).to.equal(0);
    }, withAxe),
  );

  it(
    'deletes the draft of a recipe together with the recipe',
    signedIn(async ({ page }) => {
      page.on('dialog', (question) => void question.accept());
      const { id } = await elsewhere(page).add();
      await goTo(page, recipePath(id));
      await press(page, 'Edit');
      await form(page).put('title', 'Half a title');
      await page.reload();
      await page.getByRole('button', { name: 'Continue draft' }).waitFor();
      await press(page, 'Delete');
      await press(dialog(page), 'Delete Recipe');
      await page.getByText('No recipes yet').waitFor();
      expect(await page.getByRole('button', { name: 'Continue draft' }).count()).to.equal(0);
    }),
  );

  describe('adding', () => {
    it(
      'is discarded only after confirmation, and survives a reload',
      signedIn(async ({ page }) => {
        page.on('dialog', (question) => void question.accept());
        await goTo(page);
        const open = () => openAdd(page);
        await open();
        await closeDialog(page);
        await open();
        await form(page).put('title', 'Half a thought');
        await page.keyboard.press('Escape');
        await dialog(page).getByText('Discard what you have written?').waitFor();
        expect(await focused(page)).to.equal('Keep editing');
        await page.keyboard.press('Enter');
        expect((await form(page).typed()).title).to.equal('Half a thought');
        await page.reload();
        await open();
        expect((await form(page).typed()).title).to.equal('Half a thought');
        await press(dialog(page), 'Close');
        await press(dialog(page), 'Discard');
        await untilClosed(page);
        await open();
        expect((await form(page).typed()).title).to.equal('');
      }),
    );
  });

  describe('editing', () => {
    it(
      "is restored after the session has ended, beside another team member's changes",
      signedIn(async ({ page }) => {
        page.on('dialog', (question) => void question.accept());
        const recipe = await elsewhere(page).add();
        meant.push(recipeCall(recipe.id));
        await goTo(page);
        await press(page, `Edit ${example.title}`);
        await form(page).put('title', 'Half a thought');
        await form(page).put('estimatedTime', '');
        await saveAfterSession(page);
        await elsewhere(page).change(recipe, { tools: ['Pencil'] });
        await page.reload();
        for (const leave of ['reload', 'save']) {
          await press(page, `Edit ${example.title}`);
          await alert(page).getByText('This recipe has changed since you opened it').waitFor();
          expect(await alert(page).locator('dt').allTextContents()).to.deep.equal(['Tools']);
          expect(await alert(page).innerText(), 'no attempt was made').to.not.include('Failed');
          expect(await form(page).typed()).to.include({ title: 'Half a thought', estimatedTime: '' });
          if (leave === 'reload') await page.reload();
        }
        await press(dialog(page), 'Save my changes');
        await untilToast(page, 'Recipe Updated');
        await untilClosed(page);
        expect((await stored())[0]).to.deep.include({
          title: 'Half a thought',
          estimatedTime: null,
          tools: ['Pencil'],
          version: 3,
        });
        await press(page, 'Edit Half a thought');
        expect(await alert(page).count(), 'the draft is gone').to.equal(0);
      }),
    );

    it(
      'that finds the session expired is restored after signing in, until it is stored or discarded',
      signedIn(async ({ page }) => {
        page.on('dialog', (question) => void question.accept());
        const recipe = await elsewhere(page).add();
        meant.push(recipeCall(recipe.id));
        await goTo(page);
        const edit = () => press(page, `Edit ${example.title}`);
        const instructions = async () => (await form(page).typed()).instructions;
        await edit();
        await form(page).put('instructions', 'Half a thought');
        await dialog(page).getByRole('checkbox').check();
        await saveAfterSession(page);
        await edit();
        expect(await instructions()).to.equal('Half a thought');
        await press(dialog(page), 'Save Changes');
        await untilToast(page, 'Recipe Updated');
        await untilClosed(page);
        expect((await stored())[0]).to.include({ instructions: 'Half a thought', isPublic: true, version: 2 });

        await edit();
        expect(await instructions()).to.equal('Half a thought');
        await form(page).put('instructions', 'Another thought');
        await page.reload();
        await edit();
        expect(await instructions()).to.equal('Another thought');
        await giveUp(page);
        await edit();
        expect(await instructions()).to.equal('Half a thought');

        await form(page).put('instructions', 'Not for who comes next');
        await goTo(page);
        await press(page, 'Logout');
        await sendSignIn(page, staffAccount);
        await heading(page, 'Dashboard').waitFor();
        await goTo(page);
        await edit();
        expect(await instructions()).to.equal('Half a thought');
      }),
    );
  });
});

import { tabTo, withAxe } from '../../src/browser/accessibility.ts';
import { hold } from '../../src/browser/browser.ts';
import { fine } from '../../src/browser/form-page.ts';
import {
  alert,
  elsewhere,
  example,
  expectAccessibleInPassing,
  failing,
  form,
  giveUp,
  goTo,
  labels,
  listen,
  loseRecipeResponse,
  openAdd,
  recipeCall,
  recipesCall,
  recipesPath,
  signedIn,
  stored,
  titles,
} from '../../src/browser/recipes-page.ts';
import {
  dialog,
  expectHeldOpen,
  focused,
  focusedField,
  press,
  toasts,
  untilAt,
  untilClosed,
  untilToast,
} from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('Recipe Management', () => {
  describe('adding', () => {
    it(
      'validates the fields, sends the recipe, shows a toast and reloads the list',
      signedIn(async ({ page }) => {
        await goTo(page);
        const heard = listen(page);
        await openAdd(page);
        const { fill, put, typed, stateOf, leave, optionsOf } = form(page);
        expect((await typed()).difficulty, 'the default').to.equal('medium');
        const isPublic = dialog(page).getByRole('checkbox', { name: 'Public' });
        expect(await isPublic.isChecked(), 'not public by default').to.equal(false);
        expect(await optionsOf('category')).to.deep.equal([
          ['development', 'Development'],
          ['design', 'Design'],
          ['marketing', 'Marketing'],
          ['process', 'Process'],
          ['client-management', 'Client Management'],
        ]);

        await dialog(page)
          .getByLabel(/^Title/)
          .focus();
        await leave();
        expect(await stateOf('title'), 'only passed with Tab').to.deep.equal(fine);
        await put('title', 'Any');
        await put('title', '');
        await leave();
        expect((await stateOf('title')).message, 'changed and left').to.equal('Title is required');

        await press(dialog(page), 'Add Recipe');
        for (const [field, message] of [
          ['title', 'Title is required'],
          ['description', 'Description is required'],
          ['instructions', 'Instructions are required'],
          ['category', 'Category is required'],
        ] as const) {
          expect(await stateOf(field), field).to.deep.equal({ message, isInvalid: true });
        }
        for (const field of ['difficulty', 'tags', 'tools', 'notionPageUrl', 'estimatedTime'] as const) {
          expect(await stateOf(field), field).to.deep.equal(fine);
        }
        expect(await focusedField(page)).to.equal('title');

        for (const address of ['javascript:alert(1)', 'no address', 'ftp://example.com']) {
          await put('notionPageUrl', address);
          await leave();
          expect((await stateOf('notionPageUrl')).message, address).to.equal('Please enter a valid URL');
        }
        for (const [field, typedText, message] of [
          ['tags', 'a,'.repeat(31), 'Please enter at most 30 tags'],
          ['tools', `fine, ${'x'.repeat(51)}`, 'Each tool must be at most 50 characters'],
          ['title', 'x'.repeat(101), 'Title must be at most 100 characters'],
          ['instructions', 'x'.repeat(50_001), 'Instructions must be at most 50,000 characters'],
        ] as const) {
          await put(field, typedText);
          await leave();
          expect((await stateOf(field)).message).to.equal(message);
        }
        expect(heard.sent).to.deep.equal([]);

        await fill({ ...example, tags: ' calls ,, clients,', tools: 'Notion,Google Meet', notionPageUrl: '' });
        await put('difficulty', 'hard');
        await isPublic.check();
        await press(dialog(page), 'Add Recipe');
        await untilToast(page, 'Recipe Added');
        await untilClosed(page);
        await page.getByRole('link', { name: example.title }).waitFor();
        const { notionPageUrl: _none, ...sent } = { ...example, difficulty: 'hard', isPublic: true };
        expect(heard.last('POST')?.body).to.deep.equal(sent);
        expect(heard.sent.map(({ call }) => call)).to.deep.equal([`POST ${recipesCall}`, `GET ${recipesCall}`]);
        expect((await stored())[0]).to.deep.include({ ...sent, notionPageUrl: null, version: 1 });
      }),
    );

    it(
      'that fails keeps the dialog and its values, and a retry after a lost response adds no duplicate',
      signedIn(async ({ page }) => {
        await goTo(page);
        await openAdd(page);
        const { fill, typed, stateOf } = form(page);
        const values = { ...example, tags: 'calls, clients', tools: 'Notion' };
        await fill(values);
        const before = await typed();
        let mend = await failing(page, 'POST');
        await press(dialog(page), 'Add Recipe');
        await alert(page)
          .getByText(/^Failed to add recipe\. .*try again\.$/)
          .waitFor();
        expect(await typed()).to.deep.equal(before);
        expect(await focused(page), 'the button has the focus again').to.equal('Add Recipe');
        await mend();
        mend = await failing(page, 'POST', 422, { errors: [{ field: 'tools', message: 'Not these tools' }] });
        await press(dialog(page), 'Add Recipe');
        await until('the message', async () => (await stateOf('tools')).message === 'Not these tools');
        expect(await alert(page).textContent()).to.equal('Failed to add recipe. Please check the highlighted fields.');
        expect(await focusedField(page)).to.equal('tools');
        await mend();
        // The recipe is stored, but its response is lost. While the request is pending, the form cannot be changed or
        // closed.
        await loseRecipeResponse(page, recipesCall);
        const release = await hold(page, recipesCall);
        await press(dialog(page), 'Add Recipe');
        await dialog(page).getByRole('button', { name: 'Adding...' }).waitFor();
        const isPublic = dialog(page).getByRole('checkbox');
        await isPublic.click();
        expect(await isPublic.isChecked()).to.equal(false);
        await expectHeldOpen(page, ['Close', 'Cancel']);
        release();
        await alert(page).getByText('Everything you wrote is still here').waitFor();
        expect(await stored()).to.have.length(1);
        expect(await toasts(page).innerText()).to.equal('');
        await press(dialog(page), 'Add Recipe');
        await untilToast(page, 'Recipe Added');
        expect(await stored(), 'one for both attempts').to.have.length(1);
      }),
    );

    it(
      'shows the stored recipe after Cancel if the response was lost',
      signedIn(async ({ page }) => {
        await goTo(page);
        await openAdd(page);
        const { fill } = form(page);
        await fill({ ...example, tags: '', tools: '' });
        await loseRecipeResponse(page, recipesCall);
        await press(dialog(page), 'Add Recipe');
        await alert(page).getByText('Everything you wrote is still here').waitFor();
        await giveUp(page);
        await page.getByRole('link', { name: example.title }).waitFor();
      }),
    );

    it(
      'shows the new recipe even if it does not match the filter',
      signedIn(async ({ page }) => {
        await elsewhere(page).add({ title: 'Colour pass', category: 'design' });
        await goTo(page, `${recipesPath}?category=design`);
        const add = async (title: string, category: string) => {
          await openAdd(page);
          const { fill } = form(page);
          await fill({ ...example, title, category, tags: '', tools: '' });
          await press(dialog(page), 'Add Recipe');
          await untilClosed(page);
          await page.getByRole('link', { name: title }).waitFor();
        };
        await add('Grids', 'design');
        await untilAt(page, `${recipesPath}?category=design`);
        await add('Invoices', 'process');
        await untilAt(page, recipesPath);
        expect(await titles(page)).to.deep.equal(['Invoices', 'Grids', 'Colour pass']);
        await page.getByRole('search').getByRole('button', { name: 'Category', exact: true }).waitFor();
      }),
    );
  });

  describe('editing', () => {
    it(
      'sends only the changed fields, with the version on which they are based',
      signedIn(async ({ page }) => {
        const recipe = await elsewhere(page).add();
        await goTo(page);
        const heard = listen(page);
        await press(page, `Edit ${example.title}`);
        const { put, typed } = form(page);
        expect(await typed()).to.deep.equal({
          ...Object.fromEntries(Object.keys(labels).map((field) => [field, example[field as keyof typeof example]])),
          tags: 'calls, clients',
          tools: 'Notion, Google Meet',
        });
        await put('tags', 'calls');
        await put('notionPageUrl', '');
        await dialog(page).getByRole('tab', { name: 'Preview' }).click();
        await dialog(page).getByRole('heading', { level: 3, name: 'Before' }).waitFor();
        await press(dialog(page), 'Save Changes');
        await untilToast(page, 'Recipe Updated');
        await untilClosed(page);
        expect(heard.sent).to.deep.equal([
          {
            call: `PATCH ${recipeCall(recipe.id)}`,
            body: { tags: ['calls'], notionPageUrl: null },
            ifMatch: '"1"',
          },
          { call: `GET ${recipesCall}`, body: null, ifMatch: undefined },
        ]);
        expect((await stored())[0]).to.deep.include({ ...example, tags: ['calls'], notionPageUrl: null, version: 2 });
        // The preview hides the invalid field, so saving must switch to it.
        await press(page, `Edit ${example.title}`);
        await put('instructions', '');
        await dialog(page).getByRole('tab', { name: 'Preview' }).click();
        await dialog(page).getByText('Nothing to preview yet.').waitFor();
        await press(dialog(page), 'Save Changes');
        await dialog(page).getByText('Instructions are required').waitFor();
        expect(await focusedField(page)).to.equal('instructions');
        await giveUp(page);
      }),
    );

    it(
      'is the basis of the next change, even before the list has reloaded',
      signedIn(async ({ page }) => {
        await elsewhere(page).add();
        await goTo(page);
        const release = await hold(page, recipesCall);
        for (const [before, after] of [
          [example.description, 'Once'],
          ['Once', 'Twice'],
        ] as const) {
          await press(page, `Edit ${example.title}`);
          expect((await form(page).typed()).description).to.equal(before);
          await form(page).put('description', after);
          await press(dialog(page), 'Save Changes');
          await untilClosed(page);
        }
        release();
        expect((await stored())[0]).to.include({ description: 'Twice', version: 3 });
      }),
    );
  });

  it(
    'can be used with the keyboard, in accessible dialogs',
    signedIn(async ({ page }) => {
      await goTo(page);
      const { keyboard } = page;
      await tabTo(page, 'Add Recipe');
      await keyboard.press('Enter');
      await dialog(page).waitFor();
      expect(await focusedField(page), 'the first field').to.equal('title');
      await tabTo(page, 'Add Recipe');
      await keyboard.press('Enter');
      await dialog(page).getByText('Title is required').waitFor();
      await expectAccessibleInPassing(page, 'the form with invalid fields');
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
      await expectAccessibleInPassing(page, 'the preview');
      await tabTo(page, 'isPublic');
      await keyboard.press('Space');
      await tabTo(page, 'Add Recipe');
      await keyboard.press('Enter');
      await untilToast(page, 'Recipe Added');
      await untilClosed(page);
      expect((await stored())[0]).to.deep.include({
        title: 'By hand',
        category: 'marketing',
        difficulty: 'hard',
        instructions: '# Keys',
        isPublic: true,
      });
      await tabTo(page, 'Delete By hand');
      await keyboard.press('Enter');
      await tabTo(page, 'Delete Recipe');
      await keyboard.press('Space');
      await untilToast(page, 'Recipe Deleted');
      await until('the heading has the focus', async () => (await focused(page)) === 'Recipe Management');
    }, withAxe),
  );
});

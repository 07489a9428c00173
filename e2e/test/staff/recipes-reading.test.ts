import { tabTo, withAxe } from '../../src/browser/accessibility.ts';
import {
  addressOf,
  alert,
  elsewhere,
  example,
  expectAccessibleInPassing,
  form,
  goTo,
  meant,
  recipeCall,
  recipePath,
  recipesPath,
  rows,
  signedIn,
} from '../../src/browser/recipes-page.ts';
import { dialog, focused, heading, press, untilClosed } from '../../src/browser/staff.ts';
import { maxLength } from '@dune-tide/domain/limits';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('Recipe Management', () => {
  describe('reading', () => {
    it(
      'has its own address, with rendered instructions',
      signedIn(async ({ page }) => {
        const instructions = [
          '## Before',
          '1. Read the *inquiry*',
          '### Then',
          '[Site](https://example.com/a) and ![Board](https://example.com/b.png)',
          '| Who | What |\n| - | - |\n| Lead | Notes |',
          '- [x] sent',
        ].join('\n\n');
        const recipe = await elsewhere(page).add({ instructions });
        await goTo(page, `${recipesPath}?q=kick`);
        await page.getByRole('link', { name: example.title }).click();
        await heading(page, example.title).waitFor();
        expect(new URL(page.url()).pathname).to.equal(recipePath(recipe.id));
        expect(await focused(page)).to.equal(example.title);
        const body = page.getByRole('region', { name: 'Instructions' });
        await body.getByRole('heading', { level: 3, name: 'Before' }).waitFor();
        await body.getByRole('heading', { level: 4, name: 'Then' }).waitFor();
        expect(await body.locator('ol li').innerHTML()).to.equal('Read the <em>inquiry</em>');
        expect(await body.getByRole('cell').allTextContents()).to.deep.equal(['Lead', 'Notes']);
        expect(await body.getByRole('checkbox', { name: 'Done' }).isChecked()).to.equal(true);
        expect(await body.locator('img').count()).to.equal(0);
        const links = await page
          .locator('main a[target]')
          .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]));
        const rel = 'noopener noreferrer nofollow';
        expect(links).to.deep.equal([
          ['https://example.com/a', rel],
          ['https://example.com/b.png', rel],
          [example.notionPageUrl, rel],
        ]);
        const facts = await page.locator('main dl').innerText();
        for (const fact of ['Process', 'Medium', '2 hours', 'Internal', 'Notion', 'calls', 'www.notion.so']) {
          expect(facts).to.include(fact);
        }
        await page.reload();
        await heading(page, example.title).waitFor();
        await expectAccessibleInPassing(page, 'a recipe');
        await page.getByRole('link', { name: 'All recipes' }).click();
        await heading(page, 'Recipe Management').waitFor();
        expect(new URL(page.url()).search, 'with the previous filter').to.equal('?q=kick');
      }, withAxe),
    );

    it(
      'renders a long recipe, unless that would block the page for long',
      signedIn(async ({ page }) => {
        const body = page.getByRole('region', { name: 'Instructions' });
        const { id } = await elsewhere(page).add({ instructions: 'Read the *inquiry*.\n\n'.repeat(200) });
        await goTo(page, recipePath(id));
        await body.locator('em').nth(199).waitFor();
        // Takes a processor about ten seconds.
        const hostile = await elsewhere(page).add({ instructions: '~a'.repeat(maxLength.instructions / 2) });
        await goTo(page, recipePath(hostile.id));
        await body.locator('pre').getByText('~a~a').waitFor();
      }),
    );

    it(
      'fits a phone even with long words and wide tables, with the instructions first',
      signedIn(async ({ page }) => {
        const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(3).slice(0, 100);
        const wide = `| ${'Column | '.repeat(9)}\n|${' - |'.repeat(9)}\n| ${'Something | '.repeat(9)}`;
        const { id } = await elsewhere(page).add({
          title: long,
          description: long,
          instructions: `${long}\n\n${wide}`,
        });
        await page.setViewportSize({ width: 390, height: 844 });
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        await goTo(page);
        expect(await overflow(), 'the list').to.be.at.most(0);
        await goTo(page, recipePath(id));
        const table = page.getByRole('table');
        await table.waitFor();
        expect(await overflow(), 'the recipe').to.be.at.most(0);
        expect(await table.evaluate(({ parentElement: box }) => box && box.scrollWidth > box.clientWidth)).to.equal(
          true,
        );
        await tabTo(page, 'Table');
        const instructions = await page.getByRole('region', { name: 'Instructions' }).boundingBox();
        const facts = await page.locator('main dl').boundingBox();
        expect(instructions?.y).to.be.below(facts?.y ?? 0);
        await expectAccessibleInPassing(page, 'a recipe with a wide table');
        await page.setViewportSize({ width: 390, height: 844 });
        await press(page, 'Delete');
        await dialog(page).getByText('will be gone for everyone').waitFor();
        expect(await dialog(page).evaluate((box) => box.scrollWidth - box.clientWidth), 'a dialog').to.be.at.most(0);
      }, withAxe),
    );

    it(
      'is titled after the recipe, and reloads it on Refresh',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        const title = (name: string) => until(name, async () => (await page.title()) === `${name} – Dune & Tide Admin`);
        await goTo(page);
        await title('Recipes');
        await page.getByRole('link', { name: example.title }).click();
        await title(`${example.title} – Recipes`);
        await others.change(recipe, { title: 'Begin well', instructions: 'The newest steps' });
        await press(page, 'Refresh');
        await page.getByText('The newest steps').waitFor();
        await title('Begin well – Recipes');
        await page.goBack();
        await title('Recipes');
      }),
    );

    it(
      'shows a message if the recipe does not exist',
      signedIn(async ({ page }) => {
        await elsewhere(page).add();
        for (const id of ['6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01', 'abc', '%2e%2e%2fx']) {
          await page.goto(addressOf(recipePath(id)));
          await page.getByText('Recipe not found').waitFor();
        }
      }),
    );
  });

  it(
    'shows HTML and scripts as text everywhere',
    signedIn(async ({ page }) => {
      const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
      const instructions = [
        attack,
        '[link](javascript:window.hacked=1) <javascript:window.hacked=1>',
        '![picture](javascript:window.hacked=1) ![far](https://example.com/x.png)',
        '[data](data:text/html,<script>window.hacked=1</script>)',
        '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
        '`<b>` <a href="javascript:window.hacked=1" onclick="window.hacked=1">raw</a>',
      ].join('\n\n');
      const hostile = {
        title: attack,
        description: attack,
        instructions,
        tags: ['<b>tag</b>'],
        tools: ['<i onclick=window.hacked=1>'],
        estimatedTime: '<u>soon</u>',
      };
      const recipe = await elsewhere(page).add(hostile);
      await goTo(page);
      const row = rows(page).first();
      for (const text of [attack, '<b>tag</b>', hostile.tools[0], hostile.estimatedTime]) {
        expect(await row.innerText()).to.include(text);
      }
      await press(row, /^Delete/);
      await dialog(page).getByText(`“${attack}” will be gone`).waitFor();
      await press(dialog(page), 'Cancel');
      await untilClosed(page);
      await row.getByRole('link').click();
      await heading(page, attack).waitFor();
      const body = page.getByRole('region', { name: 'Instructions' });
      await body.getByText(attack).waitFor();
      const unsafe = 'img, script, iframe, style, b, u, [onclick], [onerror], a:not([href^="https://"])';
      expect(await page.locator('main').locator(unsafe).count()).to.equal(1);
      expect(await page.locator('main').locator(unsafe).textContent(), 'the way back').to.equal('All recipes');
      expect(await body.getByRole('link').allTextContents()).to.deep.equal(['far']);
      await press(page, 'Edit');
      expect((await form(page).typed()).instructions).to.equal(instructions);
      await dialog(page).getByRole('tab', { name: 'Preview' }).click();
      const preview = dialog(page).getByRole('tabpanel', { name: 'Preview' });
      await preview.getByText(attack).waitFor();
      expect(await preview.locator(unsafe).count()).to.equal(0);
      await elsewhere(page).change(recipe, { description: `${attack}!`, tags: [attack.slice(0, 40)] });
      meant.push(recipeCall(recipe.id));
      await dialog(page).getByRole('tab', { name: 'Write' }).click();
      await form(page).put('title', 'Mine');
      await press(dialog(page), 'Save Changes');
      await alert(page).getByText(`${attack}!`).waitFor();
      expect(await alert(page).locator(unsafe).count()).to.equal(0);
      expect(await page.evaluate(() => 'hacked' in window)).to.equal(false);
    }),
  );
});

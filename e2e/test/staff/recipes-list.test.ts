import { withAxe } from '../../src/browser/accessibility.ts';
import { endRoutes, hold, pauseClock } from '../../src/browser/browser.ts';
import {
  addressOf,
  elsewhere,
  example,
  expectAccessibleInPassing,
  failing,
  goTo,
  listen,
  meant,
  recipesCall,
  recipesPath,
  rows,
  signedIn,
  titles,
} from '../../src/browser/recipes-page.ts';
import { dialog, focused, heading, press, untilAt } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const ownLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Recipes' });

describe('Recipe Management', () => {
  it(
    'is empty at first and explains how to start',
    signedIn(async ({ page }) => {
      await goTo(page);
      await heading(page, 'Recipe Management').waitFor();
      await page.getByText('No recipes yet', { exact: true }).waitFor();
      await page.getByText('Start with a process that you explain often').waitFor();
      expect(await page.title()).to.equal('Recipes – Dune & Tide Admin');
      expect(await page.getByRole('search').count(), 'nothing to search').to.equal(0);
      await expectAccessibleInPassing(page, 'empty');
      await press(page.locator('main [aria-busy]'), 'Add Recipe');
      await dialog(page).getByRole('heading', { name: 'Add a recipe' }).waitFor();
    }, withAxe),
  );

  it(
    'opens a recipe with a click anywhere on its row except its buttons',
    signedIn(async ({ page }) => {
      const { id } = await elsewhere(page).add();
      await goTo(page);
      await press(page, `Edit ${example.title}`);
      await dialog(page).waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await rows(page).first().locator('time').click();
      await untilAt(page, `${recipesPath}/${id}`);
    }),
  );

  it(
    'lists the searchable fields of each recipe, newest first',
    signedIn(async ({ page }) => {
      const others = elsewhere(page);
      const { updatedAt } = await others.add();
      const bare = { tags: [], tools: [], notionPageUrl: '', estimatedTime: '', isPublic: true };
      await others.add({ ...bare, title: 'Colour pass', category: 'client-management', difficulty: 'expert' });
      await goTo(page);
      expect(await page.getByRole('columnheader').allTextContents()).to.deep.equal([
        'Recipe',
        'Category',
        'Difficulty',
        'Tools',
        'Time',
        'Visibility',
        'Updated',
        'Actions',
      ]);
      expect(await titles(page)).to.deep.equal(['Colour pass', example.title]);
      const updated = await page.evaluate(
        (time) => new Date(time).toLocaleDateString('en-US', { month: 'short', day: '2-digit', year: 'numeric' }),
        updatedAt,
      );
      expect(await rows(page).nth(1).locator('td').allInnerTexts()).to.deep.equal([
        'Process',
        'Medium',
        'Notion, Google Meet',
        '2 hours',
        'Internal',
        updated,
        'EditDelete',
      ]);
      expect(await rows(page).nth(1).getByRole('list', { name: 'Tags' }).locator('li').allTextContents()).to.deep.equal(
        ['calls', 'clients'],
      );
      expect(await rows(page).nth(1).locator('p').textContent()).to.equal(example.description);
      expect((await rows(page).nth(0).locator('td').allInnerTexts()).slice(0, 5)).to.deep.equal([
        'Client Management',
        'Expert',
        '',
        '',
        'Public',
      ]);
      await expectAccessibleInPassing(page, 'the list');
    }, withAxe),
  );

  it(
    "shows as many tags as fit and counts the rest; the recipe's page shows all",
    signedIn(async ({ page }) => {
      const tags = Array.from({ length: 30 }, (_, index) => `tag ${index + 1}`);
      await elsewhere(page).add({ tags });
      await goTo(page);
      const shown = () => page.getByRole('list', { name: 'Tags' }).locator('li').allTextContents();
      expect(await shown()).to.deep.equal([...tags.slice(0, 8), '22 more']);
      await page.getByRole('link', { name: example.title }).click();
      await page.getByRole('region', { name: 'Instructions' }).waitFor();
      expect(await shown()).to.deep.equal(tags);
    }),
  );

  it(
    'shows placeholder rows while loading, an error on failure, and loads again only on request',
    signedIn(
      async ({ page }) => {
        const heard = listen(page);
        meant.push(recipesCall);
        let respond: (() => void) | undefined;
        await page.route(`**${recipesCall}`, async (route) => {
          await new Promise<void>((resolve) => (respond = resolve));
          await route.fulfill({ status: 503, json: {} });
        });
        await page.goto(addressOf(recipesPath));
        await page.locator('main [aria-busy="true"] .MuiSkeleton-root').first().waitFor();
        await until('the call is made', () => respond !== undefined);
        respond?.();
        await page.getByRole('alert').getByText('Could not load the recipes.').waitFor();
        // Time, window focus and connection changes could trigger another call.
        await page.evaluate(() => {
          for (const event of ['focus', 'visibilitychange', 'online']) window.dispatchEvent(new Event(event));
        });
        expect(heard.count(`GET ${recipesCall}`)).to.equal(1);
        await endRoutes(page, `**${recipesCall}`);
        await elsewhere(page).add();
        await press(page, 'Try again');
        await rows(page).first().waitFor();
        expect(heard.count(`GET ${recipesCall}`)).to.equal(2);

        await elsewhere(page).add({ title: 'By another member' });
        await press(page, 'Refresh');
        await page.getByRole('link', { name: 'By another member' }).waitFor();
        const mend = await failing(page, 'GET');
        await press(page, 'Refresh');
        await page.getByText('Could not refresh the list').waitFor();
        expect(await focused(page)).to.equal('Refresh');
        expect(await titles(page), 'the list stays').to.have.length(2);
        await mend();
      },
      { failing: [recipesCall] },
    ),
  );

  it(
    'is filtered by text, category and difficulty, which are kept in the address',
    signedIn(async ({ page }) => {
      const others = elsewhere(page);
      await others.add({ title: 'Alpha', category: 'design', difficulty: 'hard', tags: ['shared'] });
      await others.add({ title: 'Beta', description: 'of shared things', category: 'design', tools: [] });
      await others.add({ title: 'Gamma', instructions: 'Nothing is SHARED', category: 'marketing' });
      await others.add({ title: 'Delta', tools: ['Pencil'] });
      await goTo(page);
      const search = page.getByRole('search');
      const count = search.getByRole('status');
      const shows = (expected: readonly string[]) =>
        until(expected.join() || 'nothing', async () => (await titles(page)).join() === expected.join());
      expect(await count.textContent()).to.equal('4 recipes');
      await search.getByLabel('Search').fill('shared');
      await shows(['Gamma', 'Beta', 'Alpha']);
      expect(await count.textContent()).to.equal('3 of 4 recipes');
      await search.getByRole('button', { name: 'Category', exact: true }).press('Enter');
      await page.keyboard.type('Design');
      await page.keyboard.press('Enter');
      await shows(['Beta', 'Alpha']);
      expect(await focused(page)).to.equal('Category: Design');
      await search.getByRole('button', { name: 'Difficulty', exact: true }).click();
      await page.getByRole('menuitemradio', { name: 'Hard' }).click();
      await shows(['Alpha']);
      await page.waitForURL('**/recipes?q=shared&category=design&difficulty=hard');
      await page.reload();
      await shows(['Alpha']);
      expect(await search.getByLabel('Search').inputValue()).to.equal('shared');
      await search.getByLabel('Search').fill('pencil');
      await page.getByText('No recipe matches').waitFor();
      expect(await count.textContent()).to.equal('0 of 4 recipes');
      await expectAccessibleInPassing(page, 'nothing matches');
      await search.getByRole('button', { name: 'Clear filters' }).click();
      await shows(['Delta', 'Gamma', 'Beta', 'Alpha']);
      await page.waitForURL((url) => url.search === '');
      await search.getByLabel('Search').fill('pencil');
      await page.waitForURL('**/recipes?q=pencil');
      await page.reload();
      await shows(['Delta']);
      await ownLink(page).press('Enter');
      await shows(['Delta', 'Gamma', 'Beta', 'Alpha']);
      expect(await search.getByLabel('Search').inputValue()).to.equal('');
      await page.goBack();
      await shows(['Delta']);
    }, withAxe),
  );

  it(
    'shows all recipes after its own link, even before the address has the typed text',
    signedIn(async ({ page }) => {
      await elsewhere(page).add({ title: 'Alpha' });
      await elsewhere(page).add({ title: 'Beta' });
      await goTo(page);
      const search = page.getByRole('search').getByLabel('Search');
      await search.fill('alpha');
      await page.waitForURL('**/recipes?q=alpha');
      await search.fill('');
      await page.waitForURL((url) => url.search === '');
      const link = await ownLink(page).elementHandle();
      // In one task, so that the page's delay cannot pass in between.
      await search.evaluate((input: HTMLInputElement, own) => {
        input.select();
        document.execCommand('insertText', false, 'beta');
        (own as HTMLElement).click();
      }, link);
      await until('an empty search', async () => (await search.inputValue()) === '');
      await until('both', async () => (await titles(page)).join() === 'Beta,Alpha');
      await until('the address without a filter', () => new URL(page.url()).search === '');
      await page.setViewportSize({ width: 1024, height: 800 });
      await rows(page).nth(1).getByText('Notion, Google Meet').waitFor();
      expect(await rows(page).nth(1).ariaSnapshot(), 'labelled without a header row').to.match(
        /Tools: Notion[^]*Time: 2 hours[^]*Updated: /,
      );
    }),
  );

  it(
    'follows a link whose page is still loading, even before the address has the typed text',
    signedIn(
      async ({ page }) => {
        await elsewhere(page).add();
        await goTo(page);
        const release = await hold(page, '/assets/AccountsPage-*');
        await pauseClock(page);
        await page.getByRole('search').getByLabel('Search').fill('alpha');
        await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Team' }).press('Enter');
        await untilAt(page, '/admin/team');
        await page.clock.runFor(1_000);
        release();
        await page.clock.resume();
        await heading(page, 'Team').waitFor();
        await untilAt(page, '/admin/team');
      },
      { hasOwnClock: true },
    ),
  );
});

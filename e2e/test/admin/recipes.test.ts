import { axe, expectAccessibleEverywhere, tabTo } from '@dune-tide/e2e/support/accessibility';
import { hold, openVisit, type Visit, type VisitOptions } from '@dune-tide/e2e/support/browser';
import { staffAccount } from '@dune-tide/e2e/support/browser-stack';
import { onPage, stack } from '@dune-tide/e2e/support/browser-suite';
import { fine, formOn } from '@dune-tide/e2e/support/form-page';
import { expectHeldOpen, sendSignIn, signIn, untilAt } from '@dune-tide/e2e/support/staff';
import { until } from '@dune-tide/e2e/support/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

const path = '/admin/recipes';
const calls = '/api/admin/recipes';

const labels = {
  title: /^Title/,
  description: /^Description/,
  category: /^Category/,
  estimatedTime: /^Estimated time/,
  difficulty: /^Difficulty/,
  instructions: /^Instructions/,
  tags: /^Tags/,
  tools: /^Tools/,
  notionPageUrl: /^Notion page URL/,
} as const;

const example = {
  title: 'Kick-off with a new client',
  description: 'What to prepare for the first call.',
  instructions: '# Before\n\n1. Read the *inquiry*',
  category: 'process',
  difficulty: 'medium',
  tags: ['calls', 'clients'],
  tools: ['Notion', 'Google Meet'],
  notionPageUrl: 'https://www.notion.so/kick-off',
  estimatedTime: '2 hours',
  isPublic: false,
};

interface Recipe extends Omit<typeof example, 'notionPageUrl' | 'estimatedTime'> {
  readonly id: string;
  readonly version: number;
  readonly notionPageUrl: string | null;
  readonly estimatedTime: string | null;
}

const stored = async (): Promise<Recipe[]> => {
  const rows = await stack().database('recipes').orderBy('created_at', 'desc').orderBy('id', 'desc');
  return rows.map(({ notion_page_url, estimated_time, is_public, ...row }: Record<string, unknown>) => ({
    ...row,
    notionPageUrl: notion_page_url,
    estimatedTime: estimated_time,
    isPublic: is_public,
  })) as unknown as Recipe[];
};

const addressOf = (url: string): string => new URL(url, stack().siteUrl).href;

/** Somebody else, who is signed in as well, at work at the same time. */
const elsewhere = (page: Page) => ({
  add: async (recipe: object = {}): Promise<Recipe & { readonly updatedAt: string }> =>
    (await page.request.post(addressOf(calls), { data: { ...example, ...recipe } })).json(),
  change: async ({ id }: Recipe, changes: object) => page.request.patch(addressOf(`${calls}/${id}`), { data: changes }),
  remove: async ({ id }: Recipe) => page.request.delete(addressOf(`${calls}/${id}`)),
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const dialog = (page: Page) => page.getByRole('dialog');
const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' }).click();
const form = (page: Page) => formOn(page, 'Recipe', labels);
const alert = (page: Page) => dialog(page).getByRole('alert').filter({ hasText: /\S/ });
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });
const ownLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Recipes' });
const rows = (page: Page) => page.getByRole('table', { name: 'Recipes' }).locator('tbody tr');
const titles = (page: Page) => rows(page).getByRole('link').allTextContents();
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });

/** Waits until a toast says exactly this. */
const toast = (page: Page, text: string) => toasts(page).getByText(text, { exact: true }).waitFor();

/** What is sent to the recipes' calls from now on, as "GET /api/admin/recipes". */
function listen(page: Page) {
  const sent: { call: string; body: unknown; ifMatch: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith(calls)) return;
    const body: unknown = request.postDataJSON();
    sent.push({ call: `${request.method()} ${pathname}`, body, ifMatch: request.headers()['if-match'] });
  });
  return {
    sent,
    count: (call: string) => sent.filter((each) => each.call === call).length,
    last: (method: string) => sent.findLast(({ call }) => call.startsWith(method)),
  };
}

/** Checks a page wide and narrow, light and dark, and leaves it as it was. */
async function expectAccessible(page: Page, state: string): Promise<void> {
  await expectAccessibleEverywhere(page, state);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Makes the next calls of a method fail, until the answer is called. */
async function failing(page: Page, method: string, status = 503, json: object = {}): Promise<() => Promise<void>> {
  meant.push(calls);
  await page.route(`**${calls}**`, (route) =>
    route.request().method() === method ? route.fulfill({ status, json }) : route.continue(),
  );
  return () => page.unroute(`**${calls}**`);
}

async function goTo(page: Page, url = path): Promise<void> {
  await page.goto(addressOf(url));
  await page.locator('main [aria-busy="false"], main dl, main [role="alert"]').first().waitFor();
}

/** The paths whose calls a test makes fail. */
const meant: string[] = [];

/** A test by somebody who is signed in. */
const signedIn = (test: (visit: Visit) => Promise<void>, options: VisitOptions = {}) =>
  onPage(
    '/robots.txt',
    async (visit) => {
      await signIn(visit.context);
      await test(visit);
    },
    { isUntouched: true, failing: meant, ...options },
  );

const looked = { scripts: [axe] };

describe('Recipe Management', () => {
  beforeEach(async () => {
    await stack().database('recipes').delete();
    meant.length = 0;
  });

  it(
    'is empty at first, and says how to begin',
    signedIn(async ({ page }) => {
      await goTo(page);
      await heading(page, 'Recipe Management').waitFor();
      await page.getByText('No recipes yet', { exact: true }).waitFor();
      await page.getByText('Begin with something that you explain again and again').waitFor();
      expect(await page.title()).to.equal('Recipes – Dune & Tide Admin');
      expect(await page.getByRole('search').count(), 'nothing to search').to.equal(0);
      await expectAccessible(page, 'empty');
      await press(page.locator('main [aria-busy]'), 'Add Recipe');
      await dialog(page).getByRole('heading', { name: 'Add a recipe' }).waitFor();
    }, looked),
  );

  it(
    'lists everything that one looks for a recipe by, the newest first',
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
      await expectAccessible(page, 'the list');
    }, looked),
  );

  it(
    'shows rows to come while it loads, says when that fails, and tries again when asked only',
    signedIn(
      async ({ page }) => {
        const heard = listen(page);
        meant.push(calls);
        let answer: (() => void) | undefined;
        await page.route(`**${calls}`, async (route) => {
          await new Promise<void>((resolve) => (answer = resolve));
          await route.fulfill({ status: 503, json: {} });
        });
        await page.goto(addressOf(path));
        await page.locator('main [aria-busy="true"] .MuiSkeleton-root').first().waitFor();
        await until('the call is made', () => answer !== undefined);
        answer?.();
        await page.getByRole('alert').getByText('The recipes could not be loaded.').waitFor();
        // What would lead to a second call by itself: time, the window's focus, the connection.
        await page.evaluate(() => {
          for (const event of ['focus', 'visibilitychange', 'online']) window.dispatchEvent(new Event(event));
        });
        expect(heard.count(`GET ${calls}`)).to.equal(1);
        await page.unroute(`**${calls}`);
        await elsewhere(page).add();
        await press(page, 'Try again');
        await rows(page).first().waitFor();
        expect(heard.count(`GET ${calls}`)).to.equal(2);

        await elsewhere(page).add({ title: 'By somebody else' });
        await press(page, 'Refresh');
        await page.getByRole('link', { name: 'By somebody else' }).waitFor();
        const mend = await failing(page, 'GET');
        await press(page, 'Refresh');
        await page.getByText('The list could not be refreshed').waitFor();
        expect(await focused(page)).to.equal('Refresh');
        expect(await titles(page), 'the list stays').to.have.length(2);
        await mend();
      },
      { failing: [calls] },
    ),
  );

  describe('adding', () => {
    it(
      'checks the rules, sends the recipe, says so and loads the list anew',
      signedIn(async ({ page }) => {
        await goTo(page);
        const heard = listen(page);
        await press(page.locator('main').locator('[aria-busy]'), 'Add Recipe');
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
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('title');

        for (const address of ['javascript:alert(1)', 'notion.so/x', 'ftp://example.com']) {
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
        await toast(page, 'Recipe Added');
        await closed(page);
        await page.getByRole('link', { name: example.title }).waitFor();
        const { notionPageUrl: _none, ...sent } = { ...example, difficulty: 'hard', isPublic: true };
        expect(heard.last('POST')?.body).to.deep.equal(sent);
        expect(heard.sent.map(({ call }) => call)).to.deep.equal([`POST ${calls}`, `GET ${calls}`]);
        expect((await stored())[0]).to.deep.include({ ...sent, notionPageUrl: null, version: 1 });
      }),
    );

    it(
      'that fails keeps the dialog and all that was typed, without a toast; a 422 speaks beside the fields, and a lost answer adds no second one',
      signedIn(async ({ page }) => {
        await goTo(page);
        await press(page.locator('main [aria-busy]'), 'Add Recipe');
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
        expect(await alert(page).textContent()).to.equal('Failed to add recipe. Some fields need another look.');
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('tools');
        await mend();
        // Stored, but the answer is lost; until it is, nothing changes or closes the form.
        await page.route(`**${calls}`, async (route) => route.fetch().then(() => route.abort()), { times: 1 });
        const release = await hold(page, calls);
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
        await toast(page, 'Recipe Added');
        expect(await stored(), 'one for both tries').to.have.length(1);
      }),
    );

    it(
      'whose answer is lost shows what was stored to those who give up',
      signedIn(async ({ page }) => {
        await goTo(page);
        await press(page.locator('main [aria-busy]'), 'Add Recipe');
        const { fill } = form(page);
        await fill({ ...example, tags: '', tools: '' });
        meant.push(calls);
        await page.route(`**${calls}`, async (route) => route.fetch().then(() => route.abort()), { times: 1 });
        await press(dialog(page), 'Add Recipe');
        await alert(page).getByText('Everything you wrote is still here').waitFor();
        await press(dialog(page), 'Cancel');
        await press(dialog(page), 'Discard');
        await closed(page);
        await page.getByRole('link', { name: example.title }).waitFor();
      }),
    );

    it(
      'under a filter that the recipe does not pass shows it all the same',
      signedIn(async ({ page }) => {
        await elsewhere(page).add({ title: 'Colour pass', category: 'design' });
        await goTo(page, `${path}?category=design`);
        const add = async (title: string, category: string) => {
          await press(page.locator('main'), 'Add Recipe');
          const { fill } = form(page);
          await fill({ ...example, title, category, tags: '', tools: '' });
          await press(dialog(page), 'Add Recipe');
          await closed(page);
          await page.getByRole('link', { name: title }).waitFor();
        };
        await add('Grids', 'design');
        await untilAt(page, `${path}?category=design`);
        await add('Invoices', 'process');
        await untilAt(page, path);
        expect(await titles(page)).to.deep.equal(['Invoices', 'Grids', 'Colour pass']);
        expect(await page.getByRole('search').getByLabel('Category').inputValue()).to.equal('');
      }),
    );

    it(
      'is given up only by those who say so, and survives a reload',
      signedIn(async ({ page }) => {
        page.on('dialog', (question) => void question.accept());
        await goTo(page);
        const open = () => press(page.locator('main [aria-busy]'), 'Add Recipe');
        await open();
        await page.keyboard.press('Escape');
        await closed(page);
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
        await closed(page);
        await open();
        expect((await form(page).typed()).title).to.equal('');
      }),
    );
  });

  it(
    'says what is half written, and leads to it until it is stored or given up',
    signedIn(async ({ page }) => {
      page.on('dialog', (question) => void question.accept());
      const { id } = await elsewhere(page).add();
      const goOn = page.getByRole('button', { name: 'Go on writing' });
      await goTo(page);
      expect(await goOn.count()).to.equal(0);
      await press(page, `Edit ${example.title}`);
      await form(page).put('description', 'Half a thought');
      await page.reload();
      await page.getByText(`Your changes to “${example.title}” are not saved yet.`).waitFor();
      await expectAccessible(page, 'a recipe that is half written');
      await goOn.click();
      expect((await form(page).typed()).description).to.equal('Half a thought');
      await press(dialog(page), 'Save Changes');
      await closed(page);
      await until('nothing is left of it', async () => (await goOn.count()) === 0);
      await until('the focus on the recipe', async () => (await focused(page)) === example.title);

      await press(page.locator('main'), 'Add Recipe');
      await form(page).put('title', 'Half an idea');
      await page.reload();
      await page.getByText('A recipe that you began is not saved yet.').waitFor();
      await goOn.click();
      expect((await form(page).typed()).title).to.equal('Half an idea');
      await press(dialog(page), 'Cancel');
      await press(dialog(page), 'Discard');
      await closed(page);
      await until('nothing is left of it', async () => (await goOn.count()) === 0);
      await until('the focus on the heading', async () => (await focused(page)) === 'Recipe Management');

      await goTo(page, `${path}/${id}`);
      await press(page, 'Edit');
      await form(page).put('title', 'Half a title');
      await page.reload();
      await goOn.click();
      expect((await form(page).typed()).title).to.equal('Half a title');
    }, looked),
  );

  describe('reading', () => {
    it(
      'is at an address of its own, with the instructions rendered',
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
        await goTo(page, `${path}?q=kick`);
        await page.getByRole('link', { name: example.title }).click();
        await heading(page, example.title).waitFor();
        expect(new URL(page.url()).pathname).to.equal(`${path}/${recipe.id}`);
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
        await expectAccessible(page, 'a recipe');
        await page.getByRole('link', { name: 'All recipes' }).click();
        await heading(page, 'Recipe Management').waitFor();
        expect(new URL(page.url()).search, 'with the filter one came from').to.equal('?q=kick');
      }, looked),
    );

    it(
      'of a long recipe renders it, unless that would stop the page for long',
      signedIn(async ({ page }) => {
        const body = page.getByRole('region', { name: 'Instructions' });
        const { id } = await elsewhere(page).add({ instructions: 'Read the *inquiry*.\n\n'.repeat(200) });
        await goTo(page, `${path}/${id}`);
        await body.locator('em').nth(199).waitFor();
        const hostile = await elsewhere(page).add({ instructions: '~~a~b'.repeat(9000) });
        await goTo(page, `${path}/${hostile.id}`);
        await body.locator('pre').getByText('~~a~b~~a~b').waitFor();
      }),
    );

    it(
      'fits a phone however long its words and wide its tables are, the instructions first',
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
        await goTo(page, `${path}/${id}`);
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
        await expectAccessible(page, 'a recipe with a wide table');
        await page.setViewportSize({ width: 390, height: 844 });
        await press(page, 'Delete');
        await dialog(page).getByText('will be gone for everyone').waitFor();
        expect(await dialog(page).evaluate((box) => box.scrollWidth - box.clientWidth), 'a dialog').to.be.at.most(0);
      }, looked),
    );

    it(
      'is titled as the recipe, and reads it anew when asked',
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
      'of a recipe that is not there says so',
      signedIn(async ({ page }) => {
        await elsewhere(page).add();
        for (const id of ['6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01', 'abc', '%2e%2e%2fx']) {
          await page.goto(addressOf(`${path}/${id}`));
          await page.getByText('There is no such recipe').waitFor();
        }
      }),
    );
  });

  describe('editing', () => {
    it(
      'sends what was changed only, with the version that it was changed from',
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
        await toast(page, 'Recipe Updated');
        await closed(page);
        expect(heard.sent).to.deep.equal([
          {
            call: `PATCH ${calls}/${recipe.id}`,
            body: { tags: ['calls'], notionPageUrl: null },
            ifMatch: '"1"',
          },
          { call: `GET ${calls}`, body: null, ifMatch: undefined },
        ]);
        expect((await stored())[0]).to.deep.include({ ...example, tags: ['calls'], notionPageUrl: null, version: 2 });
        // A fault of what the preview hides is led back to.
        await press(page, `Edit ${example.title}`);
        await put('instructions', '');
        await dialog(page).getByRole('tab', { name: 'Preview' }).click();
        await dialog(page).getByText('Nothing to preview yet.').waitFor();
        await press(dialog(page), 'Save Changes');
        await dialog(page).getByText('Instructions are required').waitFor();
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('instructions');
        await press(dialog(page), 'Cancel');
        await press(dialog(page), 'Discard');
      }),
    );

    it(
      'by two browsers at once overwrites nothing in silence',
      signedIn(async ({ page, context }) => {
        const { id } = await elsewhere(page).add();
        const url = addressOf(`${path}/${id}`);
        const browser = context.browser();
        if (!browser) throw new Error('The page has no browser');
        meant.push(`${calls}/${id}`);
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
        await toast(other.page, 'Recipe Updated');

        await mine.put('title', 'My title');
        await mine.put('tools', 'Pencil');
        await press(dialog(page), 'Save Changes');
        await alert(page).getByText('Somebody else changed this recipe meanwhile').waitFor();
        expect(await alert(page).innerText()).to.include('Failed to update recipe');
        const differences = async () => ({
          fields: await alert(page).locator('dt').allTextContents(),
          theirs: await alert(page).locator('dd').allTextContents(),
        });
        expect(await differences(), 'what they changed').to.deep.equal({
          fields: ['Title', 'Instructions'],
          theirs: ['Their titleYou changed it too', 'Their steps'],
        });
        expect((await mine.typed()).title, 'what was typed is kept').to.equal('My title');
        expect((await stored())[0], 'nothing is overwritten').to.include({ title: 'Their title', version: 2 });
        await expectAccessible(page, 'a conflict');
        await page.setViewportSize({ width: 1440, height: 900 });
        await mine.field('title').press('Enter');
        expect((await stored())[0], 'nor by Enter in a field').to.include({ version: 2 });

        const heard = listen(page);
        await press(dialog(page), 'Save my changes');
        await toast(page, 'Recipe Updated');
        await closed(page);
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

        // The other still shows version 2: the same from their side, ended the other way.
        await press(other.page, 'Edit');
        const theirs = form(other.page);
        await theirs.put('title', 'Their second title');
        await press(dialog(other.page), 'Save Changes');
        await press(dialog(other.page), 'Load their version');
        await press(dialog(other.page), 'Keep editing');
        expect((await theirs.typed()).title, 'not given up').to.equal('Their second title');
        await press(dialog(other.page), 'Load their version');
        await press(dialog(other.page), 'Discard');
        await until('the stored title', async () => (await theirs.typed()).title === 'My title');
        expect(await alert(other.page).count()).to.equal(0);
        await theirs.put('description', 'Given up');
        await press(dialog(other.page), 'Cancel');
        await press(dialog(other.page), 'Discard');
        await closed(other.page);
        await press(other.page, 'Edit');
        expect((await theirs.typed()).description, 'what was given up is gone').to.equal(example.description);
        await theirs.put('description', 'Agreed');
        await press(dialog(other.page), 'Save Changes');
        await closed(other.page);
        expect((await stored())[0]).to.include({ title: 'My title', description: 'Agreed', version: 4 });

        // Both want the very same: there is nothing to ask.
        await press(page, 'Edit');
        await mine.put('description', 'Agreed');
        await press(dialog(page), 'Save Changes');
        await closed(page);
        expect((await stored())[0]).to.include({ version: 4 });
        await other.context.close();
        expect(other.faults).to.deep.equal([]);
      }, looked),
    );

    it(
      'keeps both when somebody changed other fields meanwhile, also after a try that failed',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        meant.push(`${calls}/${recipe.id}`);
        await goTo(page);
        await press(page, `Edit ${example.title}`);
        await form(page).put('estimatedTime', '1 hour');
        await others.change(recipe, { instructions: 'Their steps', isPublic: true });
        await press(dialog(page), 'Save Changes');
        await alert(page).getByText('You changed other fields, so saving keeps both.').waitFor();
        expect(await alert(page).locator('dt').allTextContents()).to.deep.equal(['Instructions', 'Public']);
        await page.route(`**${calls}/${recipe.id}`, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
        await press(dialog(page), 'Save my changes');
        await alert(page).getByText('Everything you wrote is still here').waitFor();
        await press(dialog(page), 'Save Changes');
        await toast(page, 'Recipe Updated');
        expect((await stored())[0]).to.include({
          estimatedTime: '1 hour',
          instructions: 'Their steps',
          isPublic: true,
          version: 3,
        });
      }),
    );

    it(
      'that meets the end of the session and somebody else’s change is there again, beside what they changed',
      signedIn(async ({ page, context }) => {
        page.on('dialog', (question) => void question.accept());
        const recipe = await elsewhere(page).add();
        meant.push(`${calls}/${recipe.id}`, '/api/admin/session');
        await goTo(page);
        await press(page, `Edit ${example.title}`);
        await form(page).put('title', 'Half a thought');
        await form(page).put('estimatedTime', '');
        await context.clearCookies();
        await press(dialog(page), 'Save Changes');
        await heading(page, 'Admin Portal').waitFor();
        await sendSignIn(page, staffAccount);
        await heading(page, 'Recipe Management').waitFor();
        await elsewhere(page).change(recipe, { tools: ['Pencil'] });
        await page.reload();
        for (const leave of ['reload', 'save']) {
          await press(page, `Edit ${example.title}`);
          await alert(page).getByText('Somebody else changed this recipe meanwhile').waitFor();
          expect(await alert(page).locator('dt').allTextContents()).to.deep.equal(['Tools']);
          expect(await alert(page).innerText(), 'nothing was tried').to.not.include('Failed');
          expect(await form(page).typed()).to.include({ title: 'Half a thought', estimatedTime: '' });
          if (leave === 'reload') await page.reload();
        }
        await press(dialog(page), 'Save my changes');
        await toast(page, 'Recipe Updated');
        await closed(page);
        expect((await stored())[0]).to.deep.include({
          title: 'Half a thought',
          estimatedTime: null,
          tools: ['Pencil'],
          version: 3,
        });
        await press(page, 'Edit Half a thought');
        expect(await alert(page).count(), 'nothing is left of it').to.equal(0);
      }),
    );

    it(
      'that meets the end of the session is there again after signing in, until it is stored or given up',
      signedIn(async ({ page, context }) => {
        page.on('dialog', (question) => void question.accept());
        const recipe = await elsewhere(page).add();
        meant.push(`${calls}/${recipe.id}`, '/api/admin/session');
        await goTo(page);
        const edit = () => press(page, `Edit ${example.title}`);
        const instructions = async () => (await form(page).typed()).instructions;
        await edit();
        await form(page).put('instructions', 'Half a thought');
        await dialog(page).getByRole('checkbox').check();
        await context.clearCookies();
        await press(dialog(page), 'Save Changes');
        await heading(page, 'Admin Portal').waitFor();
        await sendSignIn(page, staffAccount);
        await heading(page, 'Recipe Management').waitFor();
        await edit();
        expect(await instructions()).to.equal('Half a thought');
        await press(dialog(page), 'Save Changes');
        await toast(page, 'Recipe Updated');
        await closed(page);
        expect((await stored())[0]).to.include({ instructions: 'Half a thought', isPublic: true, version: 2 });

        await edit();
        expect(await instructions()).to.equal('Half a thought');
        await form(page).put('instructions', 'Another thought');
        await page.reload();
        await edit();
        expect(await instructions()).to.equal('Another thought');
        await press(dialog(page), 'Cancel');
        await press(dialog(page), 'Discard');
        await closed(page);
        await edit();
        expect(await instructions()).to.equal('Half a thought');

        await form(page).put('instructions', 'Not for who comes next');
        await page.reload();
        await press(page, 'Logout');
        await sendSignIn(page, staffAccount);
        await heading(page, 'Dashboard').waitFor();
        await goTo(page);
        await edit();
        expect(await instructions()).to.equal('Half a thought');
      }),
    );

    it(
      'is what the next change begins with, also before the list is there anew',
      signedIn(async ({ page }) => {
        await elsewhere(page).add();
        await goTo(page);
        const release = await hold(page, calls);
        for (const [before, after] of [
          [example.description, 'Once'],
          ['Once', 'Twice'],
        ] as const) {
          await press(page, `Edit ${example.title}`);
          expect((await form(page).typed()).description).to.equal(before);
          await form(page).put('description', after);
          await press(dialog(page), 'Save Changes');
          await closed(page);
        }
        release();
        expect((await stored())[0]).to.include({ description: 'Twice', version: 3 });
      }),
    );

    it(
      'that fails keeps all; what was deleted meanwhile can be added anew',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        meant.push(`${calls}/${recipe.id}`);
        await page.route(`**${calls}/${recipe.id}`, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
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
          .getByText(/^Failed to update recipe\. Somebody deleted it meanwhile\./)
          .waitFor();
        await page.getByText('No recipes yet').waitFor();
        expect(await toasts(page).innerText()).to.equal('');
        await press(dialog(page), 'Add as New Recipe');
        await toast(page, 'Recipe Added');
        expect((await stored())[0]).to.deep.include({ ...example, title: 'Begin well', version: 1 });
      }),
    );
  });

  describe('deleting', () => {
    it(
      'asks first, naming the recipe, and goes on with the one after it',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const ids: string[] = [];
        for (const title of ['Third', 'Second', 'First']) ids.unshift((await others.add({ title })).id);
        await goTo(page);
        const heard = listen(page);
        await press(page, 'Delete First');
        await dialog(page).getByText('“First” will be gone for everyone.').waitFor();
        expect(await dialog(page).locator('bdi').textContent(), 'a right-to-left title turns nothing else').to.equal(
          'First',
        );
        await expectAccessible(page, 'the question before a recipe is deleted');
        await press(dialog(page), 'Cancel');
        await closed(page);
        expect(await focused(page)).to.equal('Delete First');
        expect(heard.sent).to.deep.equal([]);

        await press(page, 'Delete First');
        await press(dialog(page), 'Delete Recipe');
        await toast(page, 'Recipe Deleted');
        await closed(page);
        expect(await titles(page)).to.deep.equal(['Second', 'Third']);
        await until('the focus on the next one', async () => (await focused(page)) === 'Second');
        await until('the list is loaded anew', () => heard.count(`GET ${calls}`) === 1);
        expect(heard.sent[0]?.call).to.equal(`DELETE ${calls}/${ids[0]}`);

        await goTo(page, `${path}/${ids[1]}`);
        await press(page, 'Delete');
        await press(dialog(page), 'Delete Recipe');
        await heading(page, 'Recipe Management').waitFor();
        expect(await titles(page)).to.deep.equal(['Third']);
        expect((await stored()).map(({ title }) => title)).to.deep.equal(['Third']);
      }, looked),
    );

    it(
      'keeps its dialog until it is done; on a page that was left it moves nobody, and its failure is a toast',
      signedIn(async ({ page }) => {
        const { id } = await elsewhere(page).add();
        const call = `${calls}/${id}`;
        meant.push(call);
        const leaveWhileDeleting = async (): Promise<() => void> => {
          await page.getByRole('link', { name: example.title }).click();
          await heading(page, example.title).waitFor();
          const release = await hold(page, call);
          await press(page, 'Delete');
          await press(dialog(page), 'Delete Recipe');
          await expectHeldOpen(page, ['Close', 'Cancel']);
          await page.goBack();
          await heading(page, 'Recipe Management').waitFor();
          await closed(page);
          return release;
        };

        await goTo(page);
        await page.route(`**${call}`, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
        const fail = await leaveWhileDeleting();
        fail();
        await toasts(page)
          .getByText(/^Failed to delete recipe\. .*try again\.$/)
          .waitFor();
        await page.unrouteAll();

        const succeed = await leaveWhileDeleting();
        const team = page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name: 'Team' });
        await team.click();
        await heading(page, 'Team').waitFor();
        succeed();
        await toast(page, 'Recipe Deleted');
        expect(new URL(page.url()).pathname).to.equal('/admin/team');
        expect(await stored()).to.deep.equal([]);
      }),
    );

    it(
      'or changing without an answer shows what became of it to those who give up',
      signedIn(async ({ page }) => {
        const { id } = await elsewhere(page).add();
        await elsewhere(page).add({ title: 'Another' });
        meant.push(`${calls}/${id}`);
        const loseAnswer = () =>
          page.route(`**${calls}/${id}`, async (route) => route.fetch().then(() => route.abort()), { times: 1 });
        await goTo(page);
        await press(page, `Edit ${example.title}`);
        await form(page).put('title', 'Begin well');
        await loseAnswer();
        await press(dialog(page), 'Save Changes');
        await alert(page).getByText('Everything you wrote is still here').waitFor();
        await press(dialog(page), 'Cancel');
        await press(dialog(page), 'Discard');
        await closed(page);
        await until('the new title', async () => (await titles(page)).join() === 'Another,Begin well');
        await press(page, 'Delete Begin well');
        await loseAnswer();
        await press(dialog(page), 'Delete Recipe');
        await alert(page).getByText('Check the connection and try again.').waitFor();
        await until('the other one alone', async () => (await titles(page)).join() === 'Another');
        await press(dialog(page), 'Cancel');
        await closed(page);
        await until('the focus on what stays', async () => (await focused(page)) === 'Another');
      }),
    );

    it(
      'of what somebody changed meanwhile shows what is new, and asks again',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        meant.push(`${calls}/${recipe.id}`);
        await goTo(page);
        const heard = listen(page);
        await others.change(recipe, { instructions: 'Worth keeping', tools: [] });
        await press(page, `Delete ${example.title}`);
        await press(dialog(page), 'Delete Recipe');
        await alert(page)
          .getByText(/^Failed to delete recipe\. Somebody changed it meanwhile/)
          .waitFor();
        expect(heard.last('DELETE')?.ifMatch).to.equal('"1"');
        expect(await stored()).to.have.length(1);
        expect(await dialog(page).locator('dt').allTextContents()).to.deep.equal(['Instructions', 'Tools']);
        expect(await dialog(page).locator('dd').allTextContents()).to.deep.equal(['Worth keeping', 'None']);
        await until(
          'the list says it too',
          async () => !(await rows(page).first().innerText()).includes('Google Meet'),
        );
        await expectAccessible(page, 'a recipe to delete that was changed');
        await others.change(recipe, { estimatedTime: '3 hours' });
        await press(dialog(page), 'Delete Recipe');
        await dialog(page).getByText('3 hours').waitFor();
        expect(await dialog(page).locator('dt').allTextContents()).to.deep.equal([
          'Instructions',
          'Tools',
          'Estimated time',
        ]);
        await press(dialog(page), 'Delete Recipe');
        await toast(page, 'Recipe Deleted');
        expect(heard.last('DELETE')?.ifMatch).to.equal('"3"');
        expect(await stored()).to.deep.equal([]);
      }, looked),
    );

    it(
      'that fails says so in the dialog, and what was deleted meanwhile is gone from the list',
      signedIn(async ({ page }) => {
        const others = elsewhere(page);
        const recipe = await others.add();
        await others.add({ title: 'Another' });
        meant.push(`${calls}/${recipe.id}`);
        await page.route(`**${calls}/${recipe.id}`, (route) => route.abort(), { times: 1 });
        await goTo(page);
        await press(page, `Delete ${example.title}`);
        await press(dialog(page), 'Delete Recipe');
        await alert(page)
          .getByText(/^Failed to delete recipe\. .*try again\.$/)
          .waitFor();
        await until('the focus on the button', async () => (await focused(page)) === 'Delete Recipe');
        await others.remove(recipe);
        const release = await hold(page, calls);
        await press(dialog(page), 'Delete Recipe');
        await alert(page)
          .getByText(/^Failed to delete recipe\. Somebody deleted it meanwhile/)
          .waitFor();
        expect(await toasts(page).innerText()).to.equal('');
        await dialog(page).getByText('Close', { exact: true }).press('Enter');
        await closed(page);
        await until('the other one alone', async () => (await titles(page)).join() === 'Another');
        await until('the focus on the other one', async () => (await focused(page)) === 'Another');
        release();
      }),
    );
  });

  it(
    'is filtered by text, category and difficulty, which the address keeps',
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
      await search.getByLabel('Category').selectOption('design');
      await shows(['Beta', 'Alpha']);
      await search.getByLabel('Difficulty').selectOption('hard');
      await shows(['Alpha']);
      await page.waitForURL('**/recipes?q=shared&category=design&difficulty=hard');
      await page.reload();
      await shows(['Alpha']);
      expect(await search.getByLabel('Search').inputValue()).to.equal('shared');
      await search.getByLabel('Search').fill('pencil');
      await page.getByText('No recipe matches').waitFor();
      expect(await count.textContent()).to.equal('0 of 4 recipes');
      await expectAccessible(page, 'nothing matches');
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
    }, looked),
  );

  it(
    'shows all again by its own link, also before the address has what was typed',
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
      // In one task, so that no delay of the page passes between the two.
      await search.evaluate((input: HTMLInputElement, own) => {
        input.select();
        document.execCommand('insertText', false, 'beta');
        (own as HTMLElement).click();
      }, link);
      await until('an empty search', async () => (await search.inputValue()) === '');
      await until('both', async () => (await titles(page)).join() === 'Beta,Alpha');
      await until('the address without a filter', () => new URL(page.url()).search === '');
    }),
  );

  it(
    'lets a link lead away while its page is still on its way, also before the address has what was typed',
    signedIn(
      async ({ page }) => {
        await elsewhere(page).add();
        await goTo(page);
        const release = await hold(page, '/assets/TeamPage-*');
        await page.clock.pauseAt(Date.now() + 60_000);
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

  it(
    'shows what looks like HTML or script as text, everywhere',
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
      await closed(page);
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
      meant.push(`${calls}/${recipe.id}`);
      await dialog(page).getByRole('tab', { name: 'Write' }).click();
      await form(page).put('title', 'Mine');
      await press(dialog(page), 'Save Changes');
      await alert(page).getByText(`${attack}!`).waitFor();
      expect(await alert(page).locator(unsafe).count()).to.equal(0);
      expect(await page.evaluate(() => 'hacked' in window)).to.equal(false);
    }),
  );

  it(
    'is worked by keyboard alone, in dialogs that are accessible',
    signedIn(async ({ page }) => {
      await goTo(page);
      const { keyboard } = page;
      await tabTo(page, 'Add Recipe');
      await keyboard.press('Enter');
      await dialog(page).waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'the first field').to.equal(
        'title',
      );
      await tabTo(page, 'Add Recipe');
      await keyboard.press('Enter');
      await dialog(page).getByText('Title is required').waitFor();
      await expectAccessible(page, 'the form with faults');
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
      await expectAccessible(page, 'the preview');
      await tabTo(page, 'isPublic');
      await keyboard.press('Space');
      await tabTo(page, 'Add Recipe');
      await keyboard.press('Enter');
      await toast(page, 'Recipe Added');
      await closed(page);
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
      await toast(page, 'Recipe Deleted');
      await until('the focus on the heading', async () => (await focused(page)) === 'Recipe Management');
    }, looked),
  );
});

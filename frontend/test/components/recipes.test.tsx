import { randomUUID } from 'node:crypto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { StoredRecipe } from '../../src/features/recipes/recipes-api.ts';
import {
  address,
  type Call,
  click,
  dialog,
  field,
  focused,
  isDialogOpen,
  messageOf,
  openStaffPage,
  press,
  pressKey,
  put,
  refusal,
  reload,
  serveStaff,
  textsOf,
} from './staff-area.tsx';

const path = '/admin/recipes';
const list = 'GET /api/admin/recipes';
const [add, change, remove] = [
  'POST /api/admin/recipes',
  'PATCH /api/admin/recipes/:id',
  'DELETE /api/admin/recipes/:id',
] as const;

/** A recipe with a value in every field. */
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
} as const satisfies Partial<StoredRecipe>;
const asTyped = { ...example, tags: 'calls, clients', tools: 'Notion, Google Meet' };

describe('The recipes page', () => {
  let stored: StoredRecipe[] = [];

  /** Concurrent changes by other staff members. */
  const others = {
    add: (fields: Partial<StoredRecipe> = {}): StoredRecipe => {
      const now = '2026-03-07T12:00:00.000Z';
      const recipe = { ...example, ...fields, id: randomUUID(), version: 1, createdAt: now, updatedAt: now };
      stored = [recipe, ...stored];
      return recipe;
    },
    change: ({ id }: StoredRecipe, fields: Partial<StoredRecipe>): StoredRecipe | undefined => {
      stored = stored.map((each) => (each.id === id ? { ...each, ...fields, version: each.version + 1 } : each));
      return stored.find((each) => each.id === id);
    },
    remove: ({ id }: StoredRecipe): void => void (stored = stored.filter((each) => each.id !== id)),
  };

  /** Answers a change as the API does: only if it applies to the stored version. */
  const applied =
    (answer: (recipe: StoredRecipe, body: object) => unknown) =>
    ({ ids: [id], headers, body }: Call) => {
      const recipe = stored.find((each) => each.id === id);
      if (!recipe) return refusal(404);
      return headers.get('If-Match') === `"${recipe.version}"` ? answer(recipe, body as object) : refusal(412);
    };
  const keys = new Map<string | null, StoredRecipe>();
  const server = serveStaff(() => ({
    [list]: () => stored,
    [add]: ({ body, headers }) => {
      const key = headers.get('Idempotency-Key');
      const added = keys.get(key) ?? others.add({ ...(body as object), notionPageUrl: null });
      keys.set(key, added);
      return Response.json(added, { status: 201 });
    },
    [change]: applied(others.change),
    [remove]: applied(others.remove),
  }));
  beforeEach(() => {
    stored = [];
    keys.clear();
  });

  const titles = () => textsOf('main tbody th a');
  const untilTitles = (expected: readonly string[]) => waitFor(() => expect(titles()).to.deep.equal(expected));
  const untilClosed = () => waitFor(() => expect(isDialogOpen()).to.equal(false));
  const untilFocused = (name: string) => waitFor(() => expect(focused()).to.equal(name));
  const alert = (text: string | RegExp) => dialog().findByText(text);
  const toast = (text: string) => screen.findByText(text);
  const main = () => within(screen.getByRole('main'));
  const open = async (at = path) => {
    await openStaffPage(at);
    await waitFor(() => expect(document.querySelector('main [aria-busy="false"], main dl')).to.not.equal(null));
  };
  const openAdd = () => click(main().getAllByRole('button', { name: 'Add Recipe' }).at(-1));
  const pressIn = (name: string) => press(name, dialog());
  const fill = async (values: object) => {
    for (const [name, value] of Object.entries(values)) {
      if (name === 'difficulty') await click(document.querySelector(`[role="dialog"] [value="${value}"]`));
      else if (name !== 'isPublic') await put(name, String(value));
    }
  };
  const giveUp = async () => {
    await pressIn('Cancel');
    await pressIn('Discard');
    await untilClosed();
  };
  const typed = (name: string) => field(name).value;

  describe('the list', () => {
    it('is empty at first and explains how to start', async () => {
      await open();
      await screen.findByText('No recipes yet');
      screen.getByText(/^Start with a process that you explain often/);
      expect(document.title).to.equal('Recipes – Dune & Tide Admin');
      expect(document.querySelector('search')).to.equal(null);
      await openAdd();
      dialog().getByRole('heading', { name: 'Add a recipe' });
    });

    it('shows the fields of each recipe, newest first', async () => {
      others.add();
      const bare = { tags: [], tools: [], notionPageUrl: null, estimatedTime: null, isPublic: true };
      others.add({ ...bare, title: 'Colour pass', category: 'client-management', difficulty: 'expert' });
      await open();
      await untilTitles(['Colour pass', example.title]);
      expect(textsOf('main thead th')).to.deep.equal([
        'Recipe',
        'Category',
        'Difficulty',
        'Tools',
        'Time',
        'Visibility',
        'Updated',
        'Actions',
      ]);
      const [first, second] = [...document.querySelectorAll('main tbody tr')];
      expect(textsOf('td', second)).to.deep.equal([
        'Process',
        'Medium',
        'Notion, Google Meet',
        '2 hours',
        'Internal',
        'Mar 07, 2026',
        'EditDelete',
      ]);
      expect(textsOf('th li', second)).to.deep.equal(['calls', 'clients']);
      expect(textsOf('th p', second)).to.deep.equal([example.description]);
      expect(textsOf('td', first).slice(0, 5)).to.deep.equal(['Client Management', 'Expert', '', '', 'Public']);
    });

    it('opens a recipe with a click anywhere on its row except its buttons', async () => {
      const { id } = others.add();
      await open();
      await press(`Edit ${example.title}`);
      expect(isDialogOpen()).to.equal(true);
      expect(address()).to.equal(path);
      await pressIn('Cancel');
      await untilClosed();
      await click(document.querySelector('main tbody time'));
      await waitFor(() => expect(address()).to.equal(`${path}/${id}`));
    });

    it("shows as many tags as fit and counts the rest; the recipe's page shows all", async () => {
      const tags = Array.from({ length: 30 }, (_, index) => `tag ${index + 1}`);
      others.add({ tags });
      await open();
      const shown = () => textsOf('[aria-label="Tags"] li');
      await waitFor(() => expect(shown()).to.deep.equal([...tags.slice(0, 8), '22 more']));
      await press(example.title, screen, 'link');
      await screen.findByRole('region', { name: 'Instructions' });
      expect(shown()).to.deep.equal(tags);
    });

    it('shows an error if it cannot be loaded, and loads again only on request', async () => {
      server.once(list, () => refusal(503));
      await open();
      await screen.findByText('Could not load the recipes.');
      for (const event of ['focus', 'visibilitychange', 'online']) {
        await act(async () => void window.dispatchEvent(new Event(event)));
      }
      expect(server.count(list)).to.equal(1);
      others.add();
      await press('Try again');
      await untilTitles([example.title]);
      others.add({ title: 'By another member' });
      await press('Refresh');
      await untilTitles(['By another member', example.title]);
      server.once(list, () => refusal(503));
      await press('Refresh');
      await screen.findByText(/^Could not refresh the list/);
      expect(titles()).to.have.length(2);
      expect(focused()).to.equal('Refresh');
    });

    it('is filtered by text, category and difficulty, which the address keeps', async () => {
      others.add({ title: 'Alpha', category: 'design', difficulty: 'hard', tags: ['shared'] });
      others.add({ title: 'Beta', description: 'of shared things', category: 'design', tools: [] });
      others.add({ title: 'Gamma', instructions: 'Nothing is SHARED', category: 'marketing' });
      others.add({ title: 'Delta', tools: ['Pencil'] });
      await open();
      const search = () => screen.getByRole<HTMLInputElement>('searchbox');
      const type = (value: string) => act(async () => void fireEvent.change(search(), { target: { value } }));
      const count = () => document.querySelector('search output')?.textContent;
      await waitFor(() => expect(count()).to.equal('4 recipes'));
      await type('shared');
      await untilTitles(['Gamma', 'Beta', 'Alpha']);
      expect(count()).to.equal('3 of 4 recipes');
      await press('Category');
      await press('Design', screen, 'menuitemradio');
      await untilTitles(['Beta', 'Alpha']);
      expect(focused()).to.equal('Category: Design');
      await press('Difficulty');
      await press('Hard', screen, 'menuitemradio');
      await untilTitles(['Alpha']);
      await waitFor(() => expect(address()).to.equal(`${path}?q=shared&category=design&difficulty=hard`));
      await reload();
      await untilTitles(['Alpha']);
      expect(search().value).to.equal('shared');
      await type('pencil');
      await screen.findByText('No recipe matches');
      expect(count()).to.equal('0 of 4 recipes');
      await click(screen.getAllByRole('button', { name: 'Clear filters' })[0]);
      await untilTitles(['Delta', 'Gamma', 'Beta', 'Alpha']);
      await waitFor(() => expect(address()).to.equal(path));

      await type('pencil');
      await waitFor(() => expect(address()).to.equal(`${path}?q=pencil`));
      await press('Recipes', screen, 'link');
      await untilTitles(['Delta', 'Gamma', 'Beta', 'Alpha']);
      expect(search().value).to.equal('');
    });

    it('shows all recipes after its own link, even before the address has the typed text', async () => {
      others.add({ title: 'Alpha' });
      others.add({ title: 'Beta' });
      await open();
      const search = await screen.findByRole<HTMLInputElement>('searchbox');
      const link = screen.getByRole('link', { name: 'Recipes' });
      // In one task, so that the page's delay cannot pass in between.
      await act(async () => {
        fireEvent.change(search, { target: { value: 'beta' } });
        fireEvent.click(link);
      });
      await waitFor(() => expect(search.value).to.equal(''));
      await untilTitles(['Beta', 'Alpha']);
      expect(address()).to.equal(path);
    });
  });

  describe('reading', () => {
    it('has its own address and title, with rendered instructions', async () => {
      const instructions = [
        '## Before',
        '1. Read the *inquiry*',
        '### Then',
        '[Site](https://example.com/a) and ![Board](https://example.com/b.png)',
        '| Who | What |\n| - | - |\n| Lead | Notes |',
        '- [x] sent',
      ].join('\n\n');
      const recipe = others.add({ instructions });
      await open(`${path}?q=kick`);
      await press(example.title, screen, 'link');
      await screen.findByRole('heading', { level: 3, name: 'Before' });
      expect(address()).to.equal(`${path}/${recipe.id}`);
      await waitFor(() => expect(document.title).to.equal(`${example.title} – Recipes – Dune & Tide Admin`));
      const body = within(screen.getByRole('region', { name: 'Instructions' }));
      body.getByRole('heading', { level: 4, name: 'Then' });
      expect(document.querySelector('main ol li')?.innerHTML).to.equal('Read the <em>inquiry</em>');
      expect(textsOf('main td')).to.deep.equal(['Lead', 'Notes']);
      expect(body.getByRole('checkbox', { name: 'Done' })).to.have.property('checked', true);
      expect(document.querySelector('main img')).to.equal(null);
      const rel = 'noopener noreferrer nofollow';
      const links = [...document.querySelectorAll('main a[target]')];
      expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])).to.deep.equal(
        ['https://example.com/a', 'https://example.com/b.png', example.notionPageUrl].map((href) => [href, rel]),
      );
      const facts = textsOf('main dd').join();
      for (const fact of ['Process', 'Medium', '2 hours', 'Internal', 'Notion', 'calls', 'www.notion.so']) {
        expect(facts).to.include(fact);
      }
      others.change(recipe, { title: 'Begin well', instructions: 'The newest steps' });
      await press('Refresh');
      await screen.findByText('The newest steps');
      await waitFor(() => expect(document.title).to.equal('Begin well – Recipes – Dune & Tide Admin'));
      await press('All recipes', screen, 'link');
      await waitFor(() => expect(address(), 'with the previous filter').to.equal(`${path}?q=kick`));
      expect(document.title).to.equal('Recipes – Dune & Tide Admin');
    });

    for (const id of [randomUUID(), 'abc', '%2e%2e%2fx']) {
      it(`shows a message for the unknown id ${id.slice(0, 8)}`, async () => {
        others.add();
        await openStaffPage(`${path}/${id}`);
        await screen.findByText('Recipe not found');
      });
    }

    it('shows HTML and scripts as text everywhere', async () => {
      const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
      const instructions = [
        attack,
        '[link](javascript:window.hacked=1) <javascript:window.hacked=1>',
        '![picture](javascript:window.hacked=1) ![far](https://example.com/x.png)',
        '[data](data:text/html,<script>window.hacked=1</script>)',
        '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
        '`<b>` <a href="javascript:window.hacked=1" onclick="window.hacked=1">raw</a>',
      ].join('\n\n');
      const unsafe = 'img, script, iframe, style, b, u, [onclick], [onerror], a[href]:not([href^="https://"])';
      const hostile = { title: attack, description: attack, instructions, estimatedTime: '<u>soon</u>' };
      const recipe = others.add({ ...hostile, tags: ['<b>tag</b>'], tools: ['<i onclick=window.hacked=1>'] });
      await open();
      const row = (await screen.findByRole('table', { name: 'Recipes' })).querySelector('tbody tr');
      for (const text of [attack, '<b>tag</b>', '<i onclick=window.hacked=1>', '<u>soon</u>']) {
        expect(row?.textContent).to.include(text);
      }
      expect(row?.querySelector('img, script, b, i, u')).to.equal(null);
      await press(/^Delete/);
      expect(screen.getByRole('dialog').textContent).to.include(`“${attack}” will be gone`);
      await pressIn('Cancel');
      await untilClosed();
      await click(row?.querySelector('a'));
      await screen.findByRole('heading', { level: 1, name: attack });
      const body = await screen.findByRole('region', { name: 'Instructions' });
      await within(body).findByText(attack);
      expect([...body.querySelectorAll(unsafe)]).to.deep.equal([]);
      expect(textsOf('a', body)).to.deep.equal(['far']);
      await press('Edit');
      expect(field('instructions').value).to.equal(instructions);
      await press('Preview', dialog(), 'tab');
      const preview = dialog().getByRole('tabpanel', { name: 'Preview' });
      await within(preview).findByText(attack);
      expect([...preview.querySelectorAll(unsafe)]).to.deep.equal([]);
      others.change(recipe, { description: `${attack}!`, tags: [attack.slice(0, 40)] });
      await put('title', 'Mine');
      await pressIn('Save Changes');
      await alert(`${attack}!`);
      expect([...screen.getByRole('dialog').querySelectorAll('img, script')]).to.deep.equal([]);
    });
  });

  describe('adding', () => {
    it('validates each field, sends the recipe and loads the list again', async () => {
      await open();
      await openAdd();
      expect(dialog().getByRole('radio', { name: 'Medium' })).to.have.property('checked', true);
      expect(field('isPublic').checked).to.equal(false);
      expect(textsOf('[role="dialog"] option').slice(1)).to.deep.equal([
        'Development',
        'Design',
        'Marketing',
        'Process',
        'Client Management',
      ]);
      await act(async () => void fireEvent.blur(field('title')));
      expect(messageOf('title'), 'only passed with Tab').to.equal('');
      await pressIn('Add Recipe');
      for (const [name, message] of [
        ['title', 'Title is required'],
        ['description', 'Description is required'],
        ['instructions', 'Instructions are required'],
        ['category', 'Category is required'],
      ] as const) {
        expect(messageOf(name)).to.equal(message);
        expect(field(name).getAttribute('aria-invalid')).to.equal('true');
      }
      expect(document.activeElement).to.equal(field('title'));
      for (const [name, value, message] of [
        ['notionPageUrl', 'javascript:alert(1)', 'Please enter a web address, e.g. https://example.com'],
        ['notionPageUrl', 'ftp://example.com', 'Please enter a web address, e.g. https://example.com'],
        ['tags', 'a,'.repeat(31), 'Please enter at most 30 tags'],
        ['tools', `fine, ${'x'.repeat(51)}`, 'Each tool must be at most 50 characters'],
        ['title', 'x'.repeat(101), 'Title must be at most 100 characters'],
        ['instructions', 'x'.repeat(50_001), 'Instructions must be at most 50,000 characters'],
      ] as const) {
        await put(name, value);
        expect(messageOf(name)).to.equal(message);
      }
      expect(server.count(add)).to.equal(0);

      await fill({ ...asTyped, tags: ' calls ,, clients,', tools: 'Notion,Google Meet', notionPageUrl: '' });
      await fill({ difficulty: 'hard' });
      await click(field('isPublic'));
      await pressIn('Add Recipe');
      await toast('Recipe Added');
      await untilClosed();
      await untilTitles([example.title]);
      const { notionPageUrl: _none, ...sent } = { ...example, difficulty: 'hard', isPublic: true };
      expect(server.last(add)?.body).to.deep.equal(sent);
      expect(server.count(list)).to.equal(2);
    });

    it('that fails keeps the dialog and its values, and a retry after a lost response adds no duplicate', async () => {
      await open();
      await openAdd();
      await fill({ ...asTyped, tools: 'Notion' });
      server.once(add, () => refusal(503));
      await pressIn('Add Recipe');
      await alert(/^Failed to add recipe\. .*try again\.$/);
      expect([typed('title'), typed('tools')]).to.deep.equal([example.title, 'Notion']);
      await untilFocused('Add Recipe');
      server.once(add, () => refusal(422, { errors: [{ field: 'tools', message: 'Not these tools' }] }));
      await pressIn('Add Recipe');
      await alert('Failed to add recipe. Please check the highlighted fields.');
      expect(messageOf('tools')).to.equal('Not these tools');
      expect(document.activeElement).to.equal(field('tools'));
      server.lose(add);
      const release = server.hold(add);
      await pressIn('Add Recipe');
      for (const name of ['Adding...', 'Close', 'Cancel']) {
        expect(dialog().getByRole('button', { name }), name).to.have.property('disabled', true);
      }
      await pressKey('Escape', screen.getByRole('dialog'));
      expect(document.querySelector('[role="dialog"]')).to.not.equal(null);
      release();
      await alert(/Everything you wrote is still here/);
      expect(screen.queryByText('Recipe Added')).to.equal(null);
      await pressIn('Add Recipe');
      await toast('Recipe Added');
      expect(stored, 'one for both attempts').to.have.length(1);
    });

    it('shows the stored recipe after Cancel if the response was lost', async () => {
      await open();
      await openAdd();
      await fill(asTyped);
      server.lose(add);
      await pressIn('Add Recipe');
      await alert(/Everything you wrote is still here/);
      await giveUp();
      await untilTitles([example.title]);
    });

    it('shows the new recipe even if it does not match the filter', async () => {
      others.add({ title: 'Colour pass', category: 'design' });
      await open(`${path}?category=design`);
      const addOf = async (title: string, category: string) => {
        await openAdd();
        await fill({ ...asTyped, title, category });
        await pressIn('Add Recipe');
        await untilClosed();
        await screen.findByRole('link', { name: title });
      };
      await addOf('Grids', 'design');
      expect(address()).to.equal(`${path}?category=design`);
      await addOf('Invoices', 'process');
      await waitFor(() => expect(address()).to.equal(path));
      await untilTitles(['Invoices', 'Grids', 'Colour pass']);
    });
  });

  describe('editing', () => {
    it('sends only the changed fields, with the version on which they are based', async () => {
      const { id } = others.add();
      await open();
      await press(`Edit ${example.title}`);
      for (const name of ['title', 'description', 'category', 'tags', 'tools', 'notionPageUrl'] as const) {
        expect(typed(name)).to.equal(asTyped[name]);
      }
      await put('tags', 'calls');
      await put('notionPageUrl', '');
      await press('Preview', dialog(), 'tab');
      await dialog().findByRole('heading', { level: 3, name: 'Before' });
      await pressIn('Save Changes');
      await toast('Recipe Updated');
      await untilClosed();
      const sent = server.last(change);
      expect(sent?.ids).to.deep.equal([id]);
      expect(sent?.body).to.deep.equal({ tags: ['calls'], notionPageUrl: null });
      expect(sent?.headers.get('If-Match')).to.equal('"1"');

      await press(`Edit ${example.title}`);
      await put('instructions', '');
      await press('Preview', dialog(), 'tab');
      dialog().getByText('Nothing to preview yet.');
      await pressIn('Save Changes');
      expect(messageOf('instructions')).to.equal('Instructions are required');
      expect(document.activeElement, 'the preview gives way to the invalid field').to.equal(field('instructions'));
      expect(dialog().getByRole('tab', { name: 'Write' }).getAttribute('aria-selected')).to.equal('true');
    });

    it('is the basis of the next change, even before the list has reloaded', async () => {
      others.add();
      await open();
      await untilTitles([example.title]);
      server.hold(list);
      for (const [before, after] of [
        [example.description, 'Once'],
        ['Once', 'Twice'],
      ] as const) {
        await press(`Edit ${example.title}`);
        expect(typed('description')).to.equal(before);
        await put('description', after);
        await pressIn('Save Changes');
        await untilClosed();
      }
      expect(stored[0]).to.include({ description: 'Twice', version: 3 });
    });

    it("merges another member's changes of other fields, even after a failed attempt", async () => {
      const recipe = others.add();
      await open();
      await press(`Edit ${example.title}`);
      await put('estimatedTime', '1 hour');
      others.change(recipe, { instructions: 'Their steps', isPublic: true });
      await pressIn('Save Changes');
      await alert(/You changed other fields, so saving keeps both\./);
      expect(textsOf('[role="dialog"] [role="alert"] dt')).to.deep.equal(['Instructions', 'Public']);
      const submits = document.querySelector('[role="dialog"] [type="submit"]');
      expect(submits, 'Enter in a field would overwrite their change').to.equal(null);
      server.once(change, () => refusal(503));
      await pressIn('Save my changes');
      await alert(/Everything you wrote is still here/);
      await pressIn('Save Changes');
      await toast('Recipe Updated');
      expect(stored[0]).to.include({
        estimatedTime: '1 hour',
        instructions: 'Their steps',
        isPublic: true,
        version: 3,
      });
    });

    it('of a recipe that another member deleted adds it as a new one', async () => {
      const recipe = others.add();
      await open();
      await press(`Edit ${example.title}`);
      await put('title', 'Begin well');
      others.remove(recipe);
      await pressIn('Save Changes');
      await alert(/^Failed to update recipe\. Another team member has deleted it\./);
      await screen.findByText('No recipes yet');
      screen.getByRole('dialog', { name: 'Add as a new recipe' });
      server.once(add, () => refusal(503));
      await pressIn('Add as New Recipe');
      await alert(/^Failed to add recipe\. .*try again\.$/);
      await pressIn('Add as New Recipe');
      await toast('Recipe Added');
      await untilClosed();
      await untilFocused('Recipe Management');
      expect(stored[0]).to.deep.include({ title: 'Begin well', instructions: example.instructions, version: 1 });
    });

    it('on the page of a deleted recipe leads to the recipe that replaces it', async () => {
      const recipe = others.add();
      await open(`${path}/${recipe.id}`);
      await press('Edit');
      await put('title', 'Begin well');
      others.remove(recipe);
      await pressIn('Save Changes');
      await dialog().findByRole('button', { name: 'Add as New Recipe' });
      server.hold(list);
      await pressIn('Add as New Recipe');
      await screen.findByRole('heading', { level: 1, name: 'Begin well' });
      expect(address()).to.equal(`${path}/${stored[0]?.id}`);
    });
  });

  describe('a draft', () => {
    const goOn = () => screen.queryAllByRole('button', { name: 'Continue draft' });
    const untilGone = () => waitFor(() => expect(goOn()).to.deep.equal([]));
    const notice = (text: string) => waitFor(() => expect(textsOf('main p')).to.include(text));
    const continueDraft = async () => {
      await screen.findAllByRole('button', { name: 'Continue draft' });
      await click(goOn()[0]);
    };
    /** Changes a recipe on its page, and reloads. */
    const begin = async (recipe: StoredRecipe, title: string, isDeleted = false) => {
      await open(`${path}/${recipe.id}`);
      await press('Edit');
      await put('title', title);
      if (isDeleted) others.remove(recipe);
      await reload();
    };

    it('of a change is shown on both pages until it is stored', async () => {
      const recipe = others.add();
      await begin(recipe, 'Half a title');
      await notice(`Your changes to “${example.title}” are not saved yet.`);
      await open();
      await continueDraft();
      expect(typed('title')).to.equal('Half a title');
      await pressIn('Save Changes');
      await untilClosed();
      await untilGone();
      await untilFocused('Half a title');
    });

    it('of a new recipe is shown until it is discarded, after a confirmation', async () => {
      await open();
      await openAdd();
      await put('title', 'Half a thought');
      await pressKey('Escape', field('title'));
      dialog().getByText('Discard what you have written?');
      await untilFocused('Keep editing');
      await pressIn('Keep editing');
      expect(typed('title')).to.equal('Half a thought');
      await reload();
      await notice('You have an unsaved new recipe.');
      await continueDraft();
      expect(typed('title')).to.equal('Half a thought');
      await giveUp();
      await untilGone();
      await untilFocused('Recipe Management');
      await openAdd();
      expect(typed('title')).to.equal('');
    });

    it('is named for each recipe', async () => {
      for (const title of ['Colour pass', 'Sound check']) await begin(others.add({ title }), `Half of ${title}`);
      await open();
      await openAdd();
      await put('title', 'Half an idea');
      await reload();
      await notice('You have an unsaved new recipe.');
      for (const title of ['Colour pass', 'Sound check']) {
        await notice(`Your changes to “${title}” are not saved yet.`);
      }
      expect(goOn()).to.have.length(3);
    });

    it('of a deleted recipe is offered as a new recipe', async () => {
      const deleted = `Your changes to “${example.title}” are not saved yet, and the recipe has been deleted.`;
      await begin(others.add(), 'Begin well', true);
      await screen.findByText('Recipe not found');
      await notice(deleted);
      await open();
      await notice(deleted);
      await continueDraft();
      await alert(/^This recipe has been deleted\. Everything you wrote is still here/);
      await reload();
      await continueDraft();
      expect([typed('title'), typed('instructions')]).to.deep.equal(['Begin well', example.instructions]);
      await pressIn('Add as New Recipe');
      await toast('Recipe Added');
      await untilClosed();
      await untilGone();
      await untilFocused('Recipe Management');

      await begin(others.add(), 'Not for the list', true);
      await continueDraft();
      await giveUp();
      await untilGone();

      await begin(others.add(), 'End well', true);
      await continueDraft();
      await pressIn('Add as New Recipe');
      await screen.findByRole('heading', { level: 1, name: 'End well' });
      await untilGone();
    });

    it('is deleted together with its recipe', async () => {
      await begin(others.add(), 'Half a title');
      await screen.findByRole('button', { name: 'Continue draft' });
      await press('Delete');
      await pressIn('Delete Recipe');
      await screen.findByText('No recipes yet');
      expect(goOn()).to.deep.equal([]);
    });

    it('of a version that another member has changed shows the conflict, also after a reload', async () => {
      const recipe = others.add();
      await open();
      await press(`Edit ${example.title}`);
      await put('title', 'Half a thought');
      await put('estimatedTime', '');
      others.change(recipe, { tools: ['Pencil'] });
      for (const visit of ['first', 'second']) {
        await reload();
        await press(`Edit ${example.title}`);
        await alert('This recipe has changed since you opened it');
        expect(textsOf('[role="dialog"] [role="alert"] dt'), visit).to.deep.equal(['Tools']);
        expect(screen.getByRole('dialog').textContent, 'no attempt was made').to.not.include('Failed');
        expect([typed('title'), typed('estimatedTime')]).to.deep.equal(['Half a thought', '']);
      }
      await pressIn('Save my changes');
      await toast('Recipe Updated');
      await untilClosed();
      expect(stored[0]).to.deep.include({
        title: 'Half a thought',
        estimatedTime: null,
        tools: ['Pencil'],
        version: 3,
      });
    });
  });

  describe('deleting', () => {
    it('asks for confirmation, and then focuses the next recipe', async () => {
      for (const title of ['Third', 'Second', 'First']) others.add({ title });
      const [first, second] = stored;
      await open();
      await press('Delete First');
      expect(screen.getByRole('dialog').textContent).to.include('“First” will be gone for everyone.');
      expect(textsOf('[role="dialog"] bdi'), 'a right-to-left title does not affect its text').to.include('First');
      await pressIn('Cancel');
      await untilClosed();
      await untilFocused('Delete First');
      expect(server.count(remove)).to.equal(0);

      await press('Delete First');
      await pressIn('Delete Recipe');
      await toast('Recipe Deleted');
      await untilClosed();
      await untilTitles(['Second', 'Third']);
      await untilFocused('Second');
      await waitFor(() => expect(server.count(list)).to.equal(2));
      expect(server.last(remove)?.ids).to.deep.equal([first?.id]);

      await open(`${path}/${second?.id}`);
      await press('Delete');
      await pressIn('Delete Recipe');
      await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
      await untilTitles(['Third']);
    });

    it('keeps its dialog until it is done; if the page was left, the result is a toast', async () => {
      const { id } = others.add();
      await open();
      const leaveWhileDeleting = async () => {
        await press(example.title, screen, 'link');
        await screen.findByRole('heading', { level: 1, name: example.title });
        const release = server.hold(remove);
        await press('Delete');
        await pressIn('Delete Recipe');
        for (const name of ['Close', 'Cancel']) {
          expect(dialog().getByRole('button', { name }), name).to.have.property('disabled', true);
        }
        await act(async () => window.history.back());
        await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
        await untilClosed();
        return release;
      };
      server.once(remove, () => refusal(503));
      const fail = await leaveWhileDeleting();
      await act(async () => fail());
      await toast('Failed to delete recipe. Check the connection and try again.');

      const succeed = await leaveWhileDeleting();
      await press('Team', screen, 'link');
      await screen.findByRole('heading', { level: 1, name: 'Team' });
      await act(async () => succeed());
      await toast('Recipe Deleted');
      expect(address()).to.equal('/admin/team');
      expect(stored.some((each) => each.id === id)).to.equal(false);
    });

    it('or changing shows the current state after Cancel if the response was lost', async () => {
      others.add();
      others.add({ title: 'Another' });
      await open();
      await press(`Edit ${example.title}`);
      await put('title', 'Begin well');
      server.lose(change);
      await pressIn('Save Changes');
      await alert(/Everything you wrote is still here/);
      await giveUp();
      await untilTitles(['Another', 'Begin well']);
      await press('Delete Begin well');
      server.lose(remove);
      await pressIn('Delete Recipe');
      await alert(/Check the connection and try again\./);
      await untilTitles(['Another']);
      await pressIn('Cancel');
      await untilClosed();
      await untilFocused('Another');
    });

    it('removes a recipe from the list that another member deleted', async () => {
      const recipe = others.add();
      others.add({ title: 'Another' });
      await open();
      await press(`Delete ${example.title}`);
      others.remove(recipe);
      await pressIn('Delete Recipe');
      await alert(/Another team member has already deleted it/);
      await click(dialog().getAllByRole('button', { name: 'Close' }).at(-1));
      await untilClosed();
      await untilTitles(['Another']);
      await untilFocused('Another');
    });
  });
});

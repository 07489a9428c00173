import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { MemoryRouter } from 'react-router-dom';
import { DeleteRecipeDialog } from '../../src/features/recipes/DeleteRecipeDialog.tsx';
import { RecipeDialog } from '../../src/features/recipes/RecipeDialog.tsx';
import type { StoredRecipe } from '../../src/features/recipes/recipes-api.ts';
import { StoreProvider } from '../../src/store/StoreProvider.tsx';

const recipe: StoredRecipe = {
  id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001',
  title: 'Kick-off with a new client',
  description: 'What to prepare for the first call.',
  instructions: '# Before',
  category: 'process',
  difficulty: 'medium',
  tags: ['calls'],
  tools: ['Notion'],
  notionPageUrl: null,
  estimatedTime: '2 hours',
  isPublic: false,
  version: 1,
  createdAt: '2026-03-07T12:00:00.000Z',
  updatedAt: '2026-03-07T12:00:00.000Z',
};

interface Sent {
  readonly method: string;
  readonly body: unknown;
  readonly ifMatch: string | null;
}

/** Serves one recipe that another user has changed while the dialog was open. */
function serve(stored: StoredRecipe): readonly Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'GET') return Response.json([stored]);
    const ifMatch = request.headers.get('If-Match');
    sent.push({ method: request.method, body: await request.json(), ifMatch });
    if (ifMatch !== `"${stored.version}"`) return Response.json({ title: 'Precondition Failed' }, { status: 412 });
    return Response.json({ ...stored, version: stored.version + 1 });
  };
  return sent;
}

const dialog = () => within(screen.getByRole('dialog'));
const press = (name: string) => act(async () => void fireEvent.click(dialog().getByRole('button', { name })));
const titleField = () => dialog().getByRole<HTMLInputElement>('textbox', { name: /^Title/ });
const put = (label: RegExp, value: string) =>
  fireEvent.change(dialog().getByRole('textbox', { name: label }), { target: { value } });

/** @returns the number of times that the dialog was closed */
function open(): { readonly closed: () => number } {
  let closed = 0;
  render(
    <MemoryRouter>
      <StoreProvider>
        <RecipeDialog open recipe={recipe} onClose={() => closed++} onAdded={() => undefined} />
      </StoreProvider>
    </MemoryRouter>,
  );
  return { closed: () => closed };
}

const conflict = () => dialog().findByText('This recipe has changed since you opened it');

describe('The dialog of a recipe', () => {
  it('saves choices that were set without events', async () => {
    const sent = serve(recipe);
    open();
    put(/^Title/, 'My title');
    const control = (name: string) => screen.getByRole('dialog').querySelector(`[name="${name}"]`);
    Reflect.set(HTMLSelectElement.prototype, 'value', 'design', control('category'));
    Reflect.set(HTMLInputElement.prototype, 'checked', true, control('difficulty"][value="hard'));
    Reflect.set(HTMLInputElement.prototype, 'checked', true, control('isPublic'));
    await press('Save Changes');
    await waitFor(() => expect(sent).to.have.length(1));
    expect(sent[0]?.body).to.deep.equal({ title: 'My title', category: 'design', difficulty: 'hard', isPublic: true });
  });
});

describe('The dialog of a recipe that another user changed in the meantime', () => {
  const theirs = { ...recipe, title: 'Their title', instructions: 'Their steps', version: 2 };

  it('names the fields that they changed, and those that the user changed too', async () => {
    serve(theirs);
    open();
    put(/^Title/, 'My title');
    await press('Save Changes');
    await conflict();
    const alert = screen.getByRole('dialog').querySelector('[role="alert"]');
    expect([...(alert?.querySelectorAll('dt') ?? [])].map((each) => each.textContent)).to.deep.equal([
      'Title',
      'Instructions',
    ]);
    expect([...(alert?.querySelectorAll('dd') ?? [])].map((each) => each.textContent)).to.deep.equal([
      'Their titleYou changed it too',
      'Their steps',
    ]);
  });

  it('keeps the typed values', async () => {
    serve(theirs);
    open();
    put(/^Title/, 'My title');
    await press('Save Changes');
    await conflict();
    expect(titleField().value).to.equal('My title');
  });

  it("saves only the user's own changes over their version", async () => {
    const sent = serve(theirs);
    const { closed } = open();
    put(/^Title/, 'My title');
    await press('Save Changes');
    await conflict();
    await press('Save my changes');
    await waitFor(() => expect(closed()).to.equal(1));
    expect(sent.at(-1)).to.deep.equal({ method: 'PATCH', body: { title: 'My title' }, ifMatch: '"2"' });
  });

  it('loads the version of the other user after this user has discarded the changes', async () => {
    serve(theirs);
    open();
    put(/^Title/, 'My title');
    await press('Save Changes');
    await conflict();
    await press('Load their version');
    await press('Discard');
    await waitFor(() => expect(titleField().value).to.equal('Their title'));
    expect(dialog().queryByText('This recipe has changed since you opened it')).to.equal(null);
  });

  it('saves without a conflict if both made the same change', async () => {
    serve({ ...recipe, title: 'Agreed', version: 2 });
    const { closed } = open();
    put(/^Title/, 'Agreed');
    await press('Save Changes');
    await waitFor(() => expect(closed()).to.equal(1));
  });
});

describe('The dialog that deletes a recipe', () => {
  /**
   * Serves a list, and responds to the first deletion with a status and to the next with 204.
   * @returns the versions that were to be deleted
   */
  function serveDeletion(status: number, list: readonly StoredRecipe[]): readonly (string | null)[] {
    const versions: (string | null)[] = [];
    globalThis.fetch = async (input, init) => {
      const { method, headers } = new Request(input, init);
      if (method === 'GET') return Response.json(list);
      versions.push(headers.get('If-Match'));
      return versions.length > 1 ? new Response(null, { status: 204 }) : Response.json({ status }, { status });
    };
    return versions;
  }

  const openDeletion = () => {
    const calls = { closed: 0, deleted: 0 };
    render(
      <MemoryRouter>
        <StoreProvider>
          <DeleteRecipeDialog open recipe={recipe} onClose={() => calls.closed++} onDeleted={() => calls.deleted++} />
        </StoreProvider>
      </MemoryRouter>,
    );
    return calls;
  };
  const buttons = () =>
    dialog()
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
  const untilFocused = (name: string) => waitFor(() => expect(document.activeElement?.textContent).to.equal(name));

  it('stays open after a failure and can be tried again', async () => {
    serveDeletion(503, [recipe]);
    const calls = openDeletion();
    await press('Delete Recipe');
    await dialog().findByText('Failed to delete recipe. Check the connection and try again.');
    await untilFocused('Delete Recipe');
    expect(calls).to.deep.equal({ closed: 0, deleted: 0 });
    await press('Delete Recipe');
    await waitFor(() => expect(calls).to.deep.equal({ closed: 0, deleted: 1 }));
  });

  it('shows what another user changed, and then deletes that version', async () => {
    const versions = serveDeletion(412, [{ ...recipe, title: 'Their title', version: 2 }]);
    const calls = openDeletion();
    await press('Delete Recipe');
    await dialog().findByText(
      'Failed to delete recipe. Another team member has changed it. Review the changes before you delete it.',
    );
    expect(dialog().getByLabelText('Their changes').textContent).to.equal('TitleTheir title');
    await untilFocused('Delete Recipe');
    await press('Delete Recipe');
    await waitFor(() => expect(calls.deleted).to.equal(1));
    expect(versions).to.deep.equal(['"1"', '"2"']);
  });

  for (const [what, status] of [
    ['has deleted it', 404],
    ['changed it and then deleted it', 412],
  ] as const) {
    it(`can only be closed if another user ${what}`, async () => {
      serveDeletion(status, []);
      openDeletion();
      await press('Delete Recipe');
      await dialog().findByText('Failed to delete recipe. Another team member has already deleted it.');
      await untilFocused('Close');
      expect(buttons()).to.deep.equal(['', 'Close']);
    });
  }
});

import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { ActionNotice } from '../../staff-ui/dialogs/ActionNotice.tsx';
import { focusById } from '../../staff-ui/lists/focus-by-id.ts';
import { DeleteRecipeDialog } from '../../features/recipes/DeleteRecipeDialog.tsx';
import { begunChanges, recipeDraft } from '../../features/recipes/recipe-draft.ts';
import { filterRecipes, readFilter } from '../../features/recipes/recipe-filter.ts';
import { RecipeDialog } from '../../features/recipes/RecipeDialog.tsx';
import { linkIdOf } from '../../features/recipes/RecipeTable.tsx';
import { type StoredRecipe, useRecipesQuery } from '../../features/recipes/recipes-api.ts';
import { type LocationState, useLocationState } from '../../routing/location-state.ts';
import { recipePath, staffPath } from '../../routing/staff-paths.ts';
import { dialogsClosed } from '../../ui/use-back-to-close.ts';
import { RecipeList } from './RecipeList.tsx';
import { RecipeReading } from './RecipeReading.tsx';

interface Dialog {
  readonly action: 'add' | 'edit' | 'delete';
  readonly recipe?: StoredRecipe | undefined;
  /** The id of a deleted recipe with an unsaved edit. */
  readonly goneId?: string | undefined;
  /** The id of the element to focus if the one that opened the dialog has disappeared. */
  readonly next?: string | undefined;
  /** Whether a draft notice opened the dialog. The notice has disappeared when the dialog closes. */
  readonly isBegun?: boolean;
}

/** The list at /admin/recipes and a recipe at /admin/recipes/:id (docs/PRODUCT.md, "Recipes page"). */
export function RecipesPage() {
  const { id } = useParams();
  // A new page unmounts an open dialog, which could otherwise still receive responses.
  return <Recipes key={id} id={id} />;
}

function Recipes({ id }: { readonly id: string | undefined }) {
  const { search } = useLocation();
  const state = useLocationState();
  const navigate = useNavigate();
  const { data: recipes } = useRecipesQuery();
  // Kept while the dialog closes, so that its content does not change. Each opening starts fresh.
  const [{ dialog, openings }, setOpened] = useState<{ dialog?: Dialog; openings: number }>({ openings: 0 });
  const [isOpen, setIsOpen] = useState(false);
  const [focusNext, setFocusNext] = useState<{ readonly id: string | undefined }>();

  const open = (opened: Dialog) => {
    setOpened({ dialog: opened, openings: openings + 1 });
    setIsOpen(true);
  };
  const listAddress = staffPath.recipes + (state.search ?? '');

  // The recipe may be missing from the list without a response to this dialog, and its button with it.
  const isGone =
    dialog?.recipe !== undefined && (recipes?.every(({ id: each }) => each !== dialog.recipe?.id) ?? false);

  const replaceAddress = (address: string, entryState?: LocationState) =>
    void dialogsClosed().then(() => navigate(address, { replace: true, state: entryState }));

  const close = () => {
    setIsOpen(false);
    if (dialog?.isBegun || isGone) setFocusNext({ id: dialog?.next });
  };

  const afterDelete = () => {
    close();
    if (id === undefined) setFocusNext({ id: dialog?.next });
    else replaceAddress(listAddress);
  };

  const afterAdd = (recipe: StoredRecipe) => {
    // Replaces the page of the recipe that another user deleted.
    if (id !== undefined) replaceAddress(recipePath(recipe.id), state);
    // A filter must not hide a recipe that the user has just added.
    else if (filterRecipes([recipe], readFilter(search)).length === 0) {
      replaceAddress(staffPath.recipes);
    }
  };

  // Runs after the dialog has returned the focus to a button that has disappeared.
  useEffect(() => {
    if (focusNext) focusById(focusNext.id);
  }, [focusNext]);

  // Hidden while another element's dialog is open, because its own draft changes with each keystroke.
  const allBegun = isOpen && !dialog?.isBegun ? [] : begunOn(recipes, id);
  const notice = allBegun.map((draft) => (
    <ActionNotice key={draft.draftId} onAct={() => open({ ...draft, isBegun: true })}>
      {draft.title === undefined ? (
        'You have an unsaved new recipe.'
      ) : (
        <>
          Your changes to “<bdi>{draft.title}</bdi>” are not saved yet
          {draft.goneId !== undefined && ', and the recipe has been deleted'}.
        </>
      )}
    </ActionNotice>
  ));

  return (
    <>
      {id === undefined ? (
        <RecipeList
          notice={notice}
          onAdd={() => open({ action: 'add' })}
          onAct={(action, recipe, next) => open({ action, recipe, next })}
        />
      ) : (
        <RecipeReading
          notice={notice}
          id={id}
          listAddress={listAddress}
          onAct={(action, recipe) => open({ action, recipe })}
        />
      )}
      {dialog?.action === 'delete' ? (
        <DeleteRecipeDialog
          key={openings}
          open={isOpen}
          recipe={dialog.recipe}
          onClose={isGone ? afterDelete : close}
          onDeleted={afterDelete}
        />
      ) : (
        <RecipeDialog
          key={openings}
          open={isOpen}
          recipe={dialog?.recipe}
          goneId={dialog?.goneId}
          onClose={close}
          onAdded={afterAdd}
        />
      )}
    </>
  );
}

interface UnsavedDraft extends Dialog {
  /** The recipe's id; `new` for a recipe that is not stored yet. */
  readonly draftId: string;
  readonly title?: string;
}

/** Returns the drafts of this page: edits of its recipes and, in the list, a new recipe. */
function begunOn(recipes: readonly StoredRecipe[] | undefined, id: string | undefined): readonly UnsavedDraft[] {
  const added: readonly UnsavedDraft[] =
    id === undefined && recipeDraft().read() ? [{ draftId: 'new', action: 'add' }] : [];
  // Until the recipes have loaded, it is unknown which have been deleted.
  if (!recipes) return added;
  const changes = begunChanges().filter((each) => id === undefined || each.id === id);
  return [
    ...added,
    ...changes.map((change): UnsavedDraft => {
      const recipe = recipes.find((each) => each.id === change.id);
      if (!recipe) return { draftId: change.id, action: 'add', goneId: change.id, title: change.title };
      return { draftId: change.id, action: 'edit', recipe, title: recipe.title, next: linkIdOf(recipe) };
    }),
  ];
}

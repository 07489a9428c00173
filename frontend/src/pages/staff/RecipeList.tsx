import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { ClearFilters } from '../../staff-ui/lists/ClearFilters.tsx';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { PlusIcon } from '../../staff-ui/icons.tsx';
import { LoadedList } from '../../staff-ui/lists/LoadedList.tsx';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { filterRecipes, noFilter, readFilter, writeFilter } from '../../features/recipes/recipe-filter.ts';
import { RecipeFilters, searchId } from '../../features/recipes/RecipeFilters.tsx';
import { linkIdOf, type RecipeAction, RecipeTable } from '../../features/recipes/RecipeTable.tsx';
import { type StoredRecipe, useRecipesQuery } from '../../features/recipes/recipes-api.ts';
import { useSearchState } from '../../routing/use-search-state.ts';

interface RecipeListProps {
  readonly notice: ReactNode;
  readonly onAdd: () => void;
  /** @param next - the id of the element to focus when the recipe has been deleted */
  readonly onAct: (action: RecipeAction, recipe: StoredRecipe, next: string | undefined) => void;
}

/** The list of recipes with its filters (docs/PRODUCT.md, "Recipes page"). */
export function RecipeList({ notice, onAdd, onAct }: RecipeListProps) {
  const query = useRecipesQuery();
  const { isFetching, fulfilledTimeStamp, refetch } = query;
  const addButton = (
    <Button variant="contained" startIcon={<PlusIcon />} onClick={onAdd}>
      Add Recipe
    </Button>
  );

  return (
    <PageFrame
      title="Recipe Management"
      introduction="How the studio does things, step by step."
      actions={
        <>
          <RefreshButton isRefreshing={isFetching} loadedAt={fulfilledTimeStamp} onRefresh={() => void refetch()} />
          {addButton}
        </>
      }
    >
      {notice}
      <Box aria-busy={isFetching}>
        <LoadedList
          query={query}
          failedText="Could not load the recipes."
          rowsToCome={6}
          empty={
            <EmptyState
              text="No recipes yet"
              hint="Start with a process that you explain often, and write down its steps."
              action={addButton}
            />
          }
        >
          {(all) => <Found recipes={all} onAct={onAct} />}
        </LoadedList>
      </Box>
    </PageFrame>
  );
}

type FoundProps = Pick<RecipeListProps, 'onAct'> & { readonly recipes: readonly StoredRecipe[] };

function Found({ recipes, onAct }: FoundProps) {
  const [filter, setFilter] = useSearchState(readFilter, writeFilter);
  // Deferred, so that typing stays fast while a long list is filtered.
  const applied = useDeferredValue(filter);
  const found = useMemo(() => filterRecipes(recipes, applied), [recipes, applied]);

  const act = (action: RecipeAction, recipe: StoredRecipe) => {
    const place = found.indexOf(recipe);
    const next = found[place + 1] ?? found[place - 1];
    onAct(action, recipe, next && linkIdOf(next));
  };

  return (
    <>
      <RecipeFilters
        filter={filter}
        onType={setFilter}
        onChange={(changed) => setFilter(changed, 0)}
        count={countText(found.length, recipes.length)}
      />
      {found.length === 0 ? (
        <EmptyState
          text="No recipe matches"
          hint="Try fewer or other words, or look in all categories and difficulties."
          action={<ClearFilters variant="outlined" searchId={searchId} onClear={() => setFilter(noFilter, 0)} />}
        />
      ) : (
        <RecipeTable recipes={found} search={writeFilter(filter)} onAct={act} />
      )}
    </>
  );
}

function countText(found: number, all: number): string {
  const recipes = all === 1 ? 'recipe' : 'recipes';
  return found === all ? `${all} ${recipes}` : `${found} of ${all} ${recipes}`;
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { BackLink } from '../../layouts/staff/BackLink.tsx';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { SkeletonRows } from '../../staff-ui/lists/SkeletonRows.tsx';
import { useTitlePart } from '../../ui/page-title.ts';
import { RecipeDetails } from '../../features/recipes/RecipeDetails.tsx';
import type { RecipeAction } from '../../features/recipes/RecipeTable.tsx';
import { type StoredRecipe, useRecipesQuery } from '../../features/recipes/recipes-api.ts';

interface RecipeReadingProps {
  readonly id: string;
  readonly notice: ReactNode;
  readonly listAddress: string;
  readonly onAct: (action: RecipeAction, recipe: StoredRecipe) => void;
}

/** The page of one recipe. */
export function RecipeReading({ id, notice, listAddress, onAct }: RecipeReadingProps) {
  const { data: recipes, isError, isFetching, fulfilledTimeStamp, refetch } = useRecipesQuery();
  const recipe = recipes?.find((each) => each.id === id);
  useTitlePart(recipe?.title);

  const back = <BackLink to={listAddress}>All recipes</BackLink>;

  if (recipe) {
    return (
      <PageFrame
        back={back}
        title={recipe.title}
        introduction={
          <Box
            component="span"
            dir="auto"
            sx={{ display: 'block', maxWidth: '68ch', whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}
          >
            {recipe.description}
          </Box>
        }
        actions={
          <>
            <RefreshButton isRefreshing={isFetching} loadedAt={fulfilledTimeStamp} onRefresh={() => void refetch()} />
            <Button variant="outlined" onClick={() => onAct('delete', recipe)}>
              Delete
            </Button>
            <Button variant="contained" onClick={() => onAct('edit', recipe)}>
              Edit
            </Button>
          </>
        }
      >
        {notice}
        <RecipeDetails recipe={recipe} />
      </PageFrame>
    );
  }
  return (
    <PageFrame back={back} title="Recipe">
      {recipes ? (
        <>
          {notice}
          <EmptyState text="Recipe not found" hint="It may have been deleted." />
        </>
      ) : isError && !isFetching ? (
        <ErrorState text="Could not load the recipe." onRetry={() => void refetch()} />
      ) : (
        <Box aria-busy="true">
          <SkeletonRows count={4} />
        </Box>
      )}
    </PageFrame>
  );
}

import type { Recipe } from '@dune-tide/domain/forms/recipe';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { isRequestFailure, mayBeDone } from '../../api-client/request.ts';

export type StoredRecipe = Json<typeof recipeResponse>;

/** The fields to change; null empties a field. */
export type RecipeChanges = { readonly [Field in keyof Recipe]?: Recipe[Field] | null };

interface NewRecipe {
  readonly recipe: Recipe;
  readonly idempotencyKey: string;
}

/** One version of a recipe. If the stored version differs, the server responds with 412. */
interface RecipeVersion {
  readonly id: string;
  readonly version: number;
}

interface RecipeUpdate extends RecipeVersion {
  readonly changes: RecipeChanges;
}

const addressOf = (id: string): string => `/api/admin/recipes/${encodeURIComponent(id)}`;

/** Whether another user has already deleted the recipe. */
const isGone = (error: unknown): boolean => isRequestFailure(error) && error.status === 404;

/** Each success refetches the list (docs/PRODUCT.md, "Recipes page"). */
const recipesApi = api.enhanceEndpoints({ addTagTypes: ['Recipes'] }).injectEndpoints({
  endpoints: (build) => ({
    recipes: build.query<StoredRecipe[], void>({
      query: () => ({ url: '/api/admin/recipes' }),
      providesTags: ['Recipes'],
    }),
    addRecipe: build.mutation<StoredRecipe, NewRecipe>({
      query: ({ recipe, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/admin/recipes',
        body: recipe,
        idempotencyKey,
      }),
      invalidatesTags: (_recipe, error) => (mayBeDone(error) ? ['Recipes'] : []),
      // Updates the cache immediately, because the recipe's page may be shown next.
      onQueryStarted: (_recipe, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data: added }) =>
            dispatch(
              recipesApi.util.updateQueryData('recipes', undefined, (recipes) => [
                added,
                ...recipes.filter(({ id }) => id !== added.id),
              ]),
            ),
          // The caller reports the failure.
          () => undefined,
        );
      },
    }),
    updateRecipe: build.mutation<StoredRecipe, RecipeUpdate>({
      query: ({ id, version, changes }) => ({ method: 'PATCH', url: addressOf(id), body: changes, version }),
      invalidatesTags: (_recipe, error) => (mayBeDone(error) ? ['Recipes'] : []),
      // Updates the cache immediately, because the next edit must start from the new version.
      onQueryStarted: ({ id }, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data: changed }) =>
            dispatch(
              recipesApi.util.updateQueryData('recipes', undefined, (recipes) =>
                recipes.map((recipe) => (recipe.id === id ? changed : recipe)),
              ),
            ),
          // The caller reports the failure.
          () => undefined,
        );
      },
    }),
    deleteRecipe: build.mutation<null, RecipeVersion>({
      query: ({ id, version }) => ({ method: 'DELETE', url: addressOf(id), version }),
      invalidatesTags: (_nothing, error) => (mayBeDone(error) || isGone(error) ? ['Recipes'] : []),
      // Removed from the cache before the dialog closes, so that the focus goes to an element that stays.
      onQueryStarted: ({ id }, { dispatch, queryFulfilled }) => {
        const remove = () =>
          dispatch(
            recipesApi.util.updateQueryData('recipes', undefined, (recipes) =>
              recipes.filter((recipe) => recipe.id !== id),
            ),
          );
        // The caller reports other failures.
        queryFulfilled.then(remove, ({ error }: { error: unknown }) => isGone(error) && remove());
      },
    }),
  }),
});

export const { useRecipesQuery, useAddRecipeMutation, useUpdateRecipeMutation, useDeleteRecipeMutation } = recipesApi;

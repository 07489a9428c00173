import type { StoredRecipe } from '../../features/recipes/recipes-api.ts';

export const recipesPath = '/admin/recipes';

/** Where a recipe is read. */
export const recipePath = ({ id }: StoredRecipe): string => `${recipesPath}/${encodeURIComponent(id)}`;

import { appearanceOf } from '@dune-tide/domain/forms/appearance';
import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import type { StoredRecipe } from './recipes-api.ts';

/** The criteria of the recipe list; an empty text matches all. */
export interface RecipeFilter {
  readonly text: string;
  readonly category: string;
  readonly difficulty: string;
}

export const noFilter: RecipeFilter = { text: '', category: '', difficulty: '' };

/**
 * Reads the filter from a URL. Unknown categories and difficulties are ignored.
 * @param search - the query string, which may come from anyone
 */
export function readFilter(search: string): RecipeFilter {
  const asked = new URLSearchParams(search);
  const oneOf = (options: readonly { readonly value: string }[], value: string | null): string =>
    options.find((option) => option.value === value)?.value ?? '';
  return {
    text: asked.get('q') ?? '',
    category: oneOf(recipeCategories, asked.get('category')),
    difficulty: oneOf(recipeDifficulties, asked.get('difficulty')),
  };
}

/** Returns a filter as a query string; empty for no filter. */
export function writeFilter({ text, category, difficulty }: RecipeFilter): string {
  const search = new URLSearchParams();
  if (text.trim() !== '') search.set('q', text.trim());
  if (category !== '') search.set('category', category);
  if (difficulty !== '') search.set('difficulty', difficulty);
  return search.size === 0 ? '' : `?${search}`;
}

/** Returns the recipes that match a filter, in their order. Each search word must occur in the recipe's text. */
export function filterRecipes(recipes: readonly StoredRecipe[], filter: RecipeFilter): readonly StoredRecipe[] {
  const words = comparable(filter.text).split(' ').filter(Boolean);
  return recipes.filter(
    (recipe) =>
      (filter.category === '' || recipe.category === filter.category) &&
      (filter.difficulty === '' || recipe.difficulty === filter.difficulty) &&
      words.every((word) => textOf(recipe).includes(word)),
  );
}

const texts = new WeakMap<StoredRecipe, string>();

/** Returns the searchable text of a recipe. Cached, because instructions are long and each keystroke searches all. */
function textOf(recipe: StoredRecipe): string {
  const kept = texts.get(recipe);
  if (kept !== undefined) return kept;
  const { title, description, instructions, tags, tools } = recipe;
  const text = comparable([title, description, instructions, ...tags, ...tools].join('\n'));
  texts.set(recipe, text);
  return text;
}

/** Returns how a text looks, without accents: "cafe" matches "Café". */
export function comparable(text: string): string {
  return appearanceOf(text)
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
}

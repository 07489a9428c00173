import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import type { StoredRecipe } from './recipes-api.ts';

/** Which recipes are shown; an empty text stands for all. */
export interface RecipeFilter {
  readonly text: string;
  readonly category: string;
  readonly difficulty: string;
}

export const noFilter: RecipeFilter = { text: '', category: '', difficulty: '' };

/**
 * The filter that an address asks for; a category or difficulty that there is none of is left out.
 * @param search - the address's search part, which anyone may have written
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

/** A filter as the search part of an address; empty for none. */
export function writeFilter({ text, category, difficulty }: RecipeFilter): string {
  const search = new URLSearchParams();
  if (text.trim() !== '') search.set('q', text.trim());
  if (category !== '') search.set('category', category);
  if (difficulty !== '') search.set('difficulty', difficulty);
  return search.size === 0 ? '' : `?${search}`;
}

/** The recipes that a filter lets through, in their order: each word of its text stands in one of the recipe's. */
export function filterRecipes(recipes: readonly StoredRecipe[], filter: RecipeFilter): readonly StoredRecipe[] {
  const words = comparable(filter.text).split(/\s+/u).filter(Boolean);
  return recipes.filter(
    (recipe) =>
      (filter.category === '' || recipe.category === filter.category) &&
      (filter.difficulty === '' || recipe.difficulty === filter.difficulty) &&
      words.every((word) => textOf(recipe).includes(word)),
  );
}

const texts = new WeakMap<StoredRecipe, string>();

/** All that is searched of a recipe. Kept, since instructions are long and each letter typed searches them all. */
function textOf(recipe: StoredRecipe): string {
  const kept = texts.get(recipe);
  if (kept !== undefined) return kept;
  const { title, description, instructions, tags, tools } = recipe;
  const text = comparable([title, description, instructions, ...tags, ...tools].join('\n'));
  texts.set(recipe, text);
  return text;
}

/** Without capitals and accents: "cafe" finds "Café". */
function comparable(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

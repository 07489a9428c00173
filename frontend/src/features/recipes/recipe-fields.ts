import { type Recipe, recipeForm, splitList } from '@dune-tide/domain/forms/recipe';
import { prepare } from '@dune-tide/domain/forms/validation';
import type { Validate } from '../../form/validation.ts';
import type { RecipeChanges, StoredRecipe } from './recipes-api.ts';

type ListField = 'tags' | 'tools';
type OptionalText = 'notionPageUrl' | 'estimatedTime';

/** The form values of a recipe, with lists as comma-separated text. */
export type RecipeFields = Omit<Recipe, ListField | OptionalText> & {
  readonly [Field in ListField | OptionalText]?: string | undefined;
};

export type RecipeField = keyof Recipe;

/** The fields in the order of the form. */
const recipeFieldNames = Object.keys(recipeForm.properties) as readonly RecipeField[];

/** The initial values of the form. */
export const newRecipe: Partial<RecipeFields> = {
  difficulty: recipeForm.properties.difficulty.default,
  isPublic: recipeForm.properties.isPublic.default,
};

/** Converts a stored recipe to form values. Empty values are undefined, like those of an emptied field. */
export function toFields(recipe: StoredRecipe): RecipeFields {
  const { title, description, instructions, category, difficulty, tags, tools, isPublic } = recipe;
  return {
    title,
    description,
    instructions,
    category,
    difficulty,
    tags: tags.join(', ') || undefined,
    tools: tools.join(', ') || undefined,
    notionPageUrl: recipe.notionPageUrl ?? undefined,
    estimatedTime: recipe.estimatedTime ?? undefined,
    isPublic,
  };
}

/** Converts form values to a recipe without validating it. */
export function toRecipe(fields: Partial<RecipeFields>): Recipe {
  const prepared = prepare(recipeForm, fields) as Omit<Recipe, ListField> & Record<ListField, unknown>;
  return { ...prepared, tags: entriesOf(prepared.tags), tools: entriesOf(prepared.tools) };
}

/**
 * Returns a validator of the form values.
 * @param validate - the validator of `recipeForm`
 */
export function fieldsValidator(validate: Validate): Validate {
  const check: Validate = (fields) => {
    const isValid = validate(toRecipe(fields as RecipeFields));
    check.errors = validate.errors ?? null;
    return isValid;
  };
  return check;
}

/** Returns the fields in which two versions of a recipe differ, in the order of the form. */
export function differingFields(one: Recipe | StoredRecipe, other: Recipe | StoredRecipe): readonly RecipeField[] {
  const textOf = (recipe: Recipe | StoredRecipe, field: RecipeField) => JSON.stringify(recipe[field] ?? null);
  return recipeFieldNames.filter((field) => textOf(one, field) !== textOf(other, field));
}

/**
 * Returns the changes that turn one version of a recipe into another.
 * @param before - the version that the edit started from
 * @param after - the edited version
 * @returns the new values of the fields that differ; null for an emptied field
 */
export function changedFields(before: Recipe | StoredRecipe, after: Recipe): RecipeChanges {
  return Object.fromEntries(differingFields(before, after).map((field) => [field, after[field] ?? null]));
}

/**
 * Returns the fields that saving would overwrite in another user's version.
 * @param before - the version that both edits started from
 */
export function replacedFields(before: Recipe, theirs: StoredRecipe, mine: Recipe): readonly RecipeField[] {
  const changed = differingFields(before, mine);
  return differingFields(theirs, mine).filter((field) => changed.includes(field));
}

/** Returns the entries of a list field. The rules have already turned blank text into an empty list. */
function entriesOf(typed: unknown): string[] {
  return typeof typed === 'string' ? splitList(typed) : [];
}

import { type Recipe, recipeForm, splitList } from '@dune-tide/domain/forms/recipe';
import { prepare } from '@dune-tide/domain/forms/validation';
import type { Validate } from '../../form/validation.ts';
import type { RecipeChanges, StoredRecipe } from './recipes-api.ts';

type ListField = 'tags' | 'tools';
type OptionalText = 'notionPageUrl' | 'estimatedTime';

/** A recipe as it stands in the form: lists as comma-separated text. */
export type RecipeFields = Omit<Recipe, ListField | OptionalText> & {
  readonly [Field in ListField | OptionalText]?: string | undefined;
};

export type RecipeField = keyof Recipe;

/** In the order of the form. */
const recipeFieldNames = Object.keys(recipeForm.properties) as readonly RecipeField[];

/** What the form starts with. */
export const newRecipe: Partial<RecipeFields> = {
  difficulty: recipeForm.properties.difficulty.default,
  isPublic: recipeForm.properties.isPublic.default,
};

/** A stored recipe as its form shows it. What is empty is undefined, as in a field that was emptied. */
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

/** What stands in the form as a recipe; whether it is a good one, the rules say. */
export function toRecipe(fields: Partial<RecipeFields>): Recipe {
  const prepared = prepare(recipeForm, fields) as Omit<Recipe, ListField> & Record<ListField, unknown>;
  return { ...prepared, tags: entriesOf(prepared.tags), tools: entriesOf(prepared.tools) };
}

/**
 * The recipe's rules for what stands in the form.
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

/** The fields in which two versions of a recipe differ, in the order of the form. */
export function differingFields(one: Recipe | StoredRecipe, other: Recipe | StoredRecipe): readonly RecipeField[] {
  const textOf = (recipe: Recipe | StoredRecipe, field: RecipeField) => JSON.stringify(recipe[field] ?? null);
  return recipeFieldNames.filter((field) => textOf(one, field) !== textOf(other, field));
}

/**
 * What makes one version of a recipe another.
 * @param before - what the change began from
 * @param after - what is wanted
 * @returns the new values of the fields that differ; null where one is to be emptied
 */
export function changedFields(before: Recipe | StoredRecipe, after: Recipe): RecipeChanges {
  return Object.fromEntries(differingFields(before, after).map((field) => [field, after[field] ?? null]));
}

/**
 * Three versions at once.
 * @param before - what both began from
 * @returns the fields in which their version becomes another one when my changes are laid over it
 */
export function replacedFields(before: Recipe, theirs: StoredRecipe, mine: Recipe): readonly RecipeField[] {
  const changed = differingFields(before, mine);
  return differingFields(theirs, mine).filter((field) => changed.includes(field));
}

/** Of blank text the rules have made an empty list. */
function entriesOf(typed: unknown): string[] {
  return typeof typed === 'string' ? splitList(typed) : [];
}

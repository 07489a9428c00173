import { recipeCategories, recipeDifficulties, recipeForm } from '@dune-tide/domain/forms/recipe';
import type { Tone } from '../../staff-ui/lists/StatusChip.tsx';
import { optionLabel } from '../../format/option-label.ts';
import type { RecipeField } from './recipe-fields.ts';
import type { StoredRecipe } from './recipes-api.ts';

/** A category as the form shows it. */
export const categoryLabel = (category: string): string => optionLabel(recipeCategories, category);

/** A difficulty as the form shows it. */
export const difficultyLabel = (difficulty: string): string => optionLabel(recipeDifficulties, difficulty);

/** The colours of the difficulties. */
export const difficultyTones: Readonly<Record<StoredRecipe['difficulty'], Tone>> = {
  easy: 'cool',
  medium: 'warm',
  hard: 'hot',
  expert: 'alert',
};

/** Whether a recipe is public, in a word. */
export const visibilityLabel = (isPublic: boolean): string => (isPublic ? 'Public' : 'Internal');

/** What the form calls a field. */
export const fieldLabel = (field: RecipeField): string => recipeForm.properties[field].description;

/** What stands in a recipe's field, in words. */
export function fieldText(recipe: StoredRecipe, field: RecipeField): string {
  switch (field) {
    case 'category':
      return categoryLabel(recipe.category);
    case 'difficulty':
      return difficultyLabel(recipe.difficulty);
    case 'tags':
    case 'tools':
      return recipe[field].join(', ') || 'None';
    case 'isPublic':
      return visibilityLabel(recipe.isPublic);
    case 'notionPageUrl':
    case 'estimatedTime':
      return recipe[field] ?? 'None';
    case 'title':
    case 'description':
    case 'instructions':
      return recipe[field];
  }
}

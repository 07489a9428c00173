import { recipeCategories, recipeDifficulties, recipeForm } from '@dune-tide/domain/forms/recipe';
import type { Tone } from '../../staff-ui/lists/StatusChip.tsx';
import { optionLabel } from '@dune-tide/domain/forms/option';
import type { RecipeField } from './recipe-fields.ts';
import type { StoredRecipe } from './recipes-api.ts';

export const categoryLabel = (category: string): string => optionLabel(recipeCategories, category);

export const difficultyLabel = (difficulty: string): string => optionLabel(recipeDifficulties, difficulty);

export const difficultyTones: Readonly<Record<StoredRecipe['difficulty'], Tone>> = {
  easy: 'cool',
  medium: 'warm',
  hard: 'hot',
  expert: 'alert',
};

export const visibilityLabel = (isPublic: boolean): string => (isPublic ? 'Public' : 'Internal');

/** Returns the form's label of a field. */
export const fieldLabel = (field: RecipeField): string => recipeForm.properties[field].description;

/** Returns the value of a recipe's field as text. */
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

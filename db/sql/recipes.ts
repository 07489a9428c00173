import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import { maxLength } from '@dune-tide/domain/limits';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks, lengthOf } from './statements.ts';

/** The values of `recipes` (docs/PRODUCT.md, "Recipe form"). */
export const recipes = checks('recipes', {
  recipes_title_length: lengthOf('title', 1, maxLength.name),
  recipes_description_length: lengthOf('description', 1, maxLength.text),
  recipes_instructions_length: lengthOf('instructions', 1, maxLength.instructions),
  recipes_category_known: `category in (${quoted(recipeCategories.map(({ value }) => value))})`,
  recipes_difficulty_known: `difficulty in (${quoted(recipeDifficulties.map(({ value }) => value))})`,
  recipes_notion_page_url_is_web: `
    char_length(notion_page_url) <= ${maxLength.url} and notion_page_url ~* '^(http|https)://'
  `,
  recipes_estimated_time_length: lengthOf('estimated_time', 1, maxLength.selection),
  recipes_version_counts: 'version >= 1',
});

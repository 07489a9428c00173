import { maxLength } from '../limits.ts';
import { closedSelection, line, optionalLine, text, textList, webLink } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import { normaliseLine } from './normalise.ts';
import type { Option } from './option.ts';

export const recipeCategories = [
  { value: 'development', label: 'Development' },
  { value: 'design', label: 'Design' },
  { value: 'marketing', label: 'Marketing' },
  { value: 'process', label: 'Process' },
  { value: 'client-management', label: 'Client Management' },
] as const satisfies readonly Option[];

export const recipeDifficulties = [
  { value: 'easy', label: 'Easy' },
  { value: 'medium', label: 'Medium' },
  { value: 'hard', label: 'Hard' },
  { value: 'expert', label: 'Expert' },
] as const satisfies readonly Option[];

/**
 * The form of a recipe (docs/PRODUCT.md, "Recipe form"). For a change, the rules apply to the stored recipe merged with
 * the changed fields. An optional field that was emptied counts as left out.
 */
export const recipeForm = {
  $id: 'recipe',
  description: 'A recipe',
  type: 'object',
  properties: {
    title: line('Title', { min: 1, message: 'Title is required' }),
    description: text('Description', { min: 1, message: 'Description is required' }),
    instructions: text('Instructions', {
      min: 1,
      message: 'Instructions are required',
      max: maxLength.instructions,
    }),
    category: closedSelection(
      'Category',
      'Category is required',
      recipeCategories.map((category) => category.value),
    ),
    difficulty: {
      ...closedSelection(
        'Difficulty',
        'Please select a difficulty',
        recipeDifficulties.map((difficulty) => difficulty.value),
      ),
      default: 'medium',
    },
    tags: textList('Tags', 'Each tag'),
    tools: textList('Tools', 'Each tool'),
    notionPageUrl: webLink('Notion page URL', 'Please enter a web address, e.g. https://example.com'),
    estimatedTime: optionalLine('Estimated time', maxLength.selection),
    isPublic: {
      type: 'boolean',
      description: 'Public',
      default: false,
      messages: { default: 'Public must be on or off' },
    },
  },
  required: ['title', 'description', 'instructions', 'category', 'difficulty', 'tags', 'tools', 'isPublic'],
} as const satisfies FormSchema;

export type Recipe = FormValues<typeof recipeForm>;

/**
 * Splits a comma-separated text.
 * @param typed - the value of the field for tags or tools
 * @returns the entries, normalised and without empty ones
 */
export function splitList(typed: string): string[] {
  return typed
    .split(',')
    .map(normaliseLine)
    .filter((item) => item !== '');
}

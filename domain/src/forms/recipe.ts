import { maxLength } from '../limits.ts';
import { closedSelection, line, optionalLine, text, textList, webLink } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import type { Option } from './option.ts';

/** Specification §5, "Recipe categories". */
export const recipeCategories = [
  { value: 'development', label: 'Development' },
  { value: 'design', label: 'Design' },
  { value: 'marketing', label: 'Marketing' },
  { value: 'process', label: 'Process' },
  { value: 'client-management', label: 'Client Management' },
] as const satisfies readonly Option[];

/** Specification §4, "Recipe difficulty". */
export const recipeDifficulties = [
  { value: 'easy', label: 'Easy' },
  { value: 'medium', label: 'Medium' },
  { value: 'hard', label: 'Hard' },
  { value: 'expert', label: 'Expert' },
] as const satisfies readonly Option[];

/**
 * A recipe as staff write it (specification §3, §5 "Recipe form"). A change is checked by the same rules: on the stored
 * recipe with the changed fields laid over it, where an emptied optional field is one left out.
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
    notionPageUrl: webLink('Notion page URL', 'Please enter a valid URL'),
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
 * Comma-separated text as a list (specification §5, "Recipe form"): trimmed, without blanks.
 * @param typed - what stands in the field of tags or tools
 */
export function splitList(typed: string): string[] {
  return typed
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

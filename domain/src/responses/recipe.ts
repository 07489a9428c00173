import { recipeForm } from '../forms/recipe.ts';
import {
  array,
  boolean,
  dateTime,
  nullable,
  object,
  oneOf,
  string,
  uuid,
  wholeNumber,
  type ResponseSchema,
} from './schema.ts';

/** A recipe as it is stored: an optional field that was left out is null. */
export const recipeResponse = {
  title: 'stored-recipe',
  description: 'A recipe as it is stored',
  ...object({
    id: uuid,
    title: string,
    description: string,
    instructions: { ...string, description: 'Markdown' },
    category: oneOf(recipeForm.properties.category.enum),
    difficulty: oneOf(recipeForm.properties.difficulty.enum),
    tags: array(string),
    tools: array(string),
    notionPageUrl: nullable(string),
    estimatedTime: nullable(string),
    isPublic: boolean,
    createdAt: dateTime,
    updatedAt: dateTime,
    version: { ...wholeNumber, description: 'Counts the changes, from 1' },
  }),
} as const satisfies ResponseSchema;

import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { recipeResponse } from '@dune-tide/domain/responses/recipe';
import { array, string } from '@dune-tide/domain/responses/schema';
import { idempotencyKey } from '../http/requests/idempotency.ts';
import { ifMatch, versionHeader } from '../http/requests/if-match.ts';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';

const path = `${staffPrefix}/recipes`;

export const recipeOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists all recipes, newest first',
    answers: { 200: { description: 'Every recipe.', schema: array(recipeResponse) } },
  },
  {
    method: 'post',
    path,
    summary: 'Stores a new recipe',
    parameters: [idempotencyKey],
    body: [recipeForm],
    answers: {
      201: {
        description: 'The recipe as stored.',
        schema: recipeResponse,
        headers: {
          ...versionHeader,
          Location: { description: 'The path to change or delete the recipe.', schema: string },
        },
      },
    },
  },
  {
    method: 'patch',
    path: `${path}/{id}`,
    summary: 'Changes a recipe',
    description: 'A field that is left out is not changed.',
    parameters: [ifMatch],
    body: [{ ...recipeForm, $id: 'recipe-change', description: 'A change to a recipe', required: [] }],
    answers: { 200: { description: 'The recipe after the change.', schema: recipeResponse, headers: versionHeader } },
    problems: [404, 412],
  },
  {
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Deletes a recipe',
    parameters: [ifMatch],
    answers: { 204: { description: 'The recipe is deleted.' } },
    problems: [404, 412],
  },
];

import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { recipeResponse } from '@dune-tide/domain/responses/recipe';
import { array, string } from '@dune-tide/domain/responses/schema';
import type { ResponseHeaders } from '../http/response-description.ts';
import { idempotencyKey } from '../http/requests/idempotency.ts';
import type { Operation, Parameter } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';

const path = `${staffPrefix}/recipes`;
const ifMatch: Parameter = {
  in: 'header',
  name: 'If-Match',
  description: 'The version that is to be changed or deleted; without it the one that is there.',
  schema: string,
};
const version: ResponseHeaders = { ETag: { description: 'The recipe’s version.', schema: string } };

export const recipeOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists all recipes, newest first',
    answers: { 200: { description: 'All of them.', schema: array(recipeResponse) } },
  },
  {
    method: 'post',
    path,
    summary: 'Stores a new recipe',
    parameters: [idempotencyKey],
    body: [recipeForm],
    answers: {
      201: {
        description: 'As it is stored.',
        schema: recipeResponse,
        headers: { ...version, Location: { description: 'Where it is changed and deleted.', schema: string } },
      },
    },
  },
  {
    method: 'patch',
    path: `${path}/{id}`,
    summary: 'Changes a recipe',
    description: 'A field that is left out stays as it is.',
    parameters: [ifMatch],
    body: [{ ...recipeForm, $id: 'recipe-change', description: 'A change of a recipe', required: [] }],
    answers: { 200: { description: 'As it is now.', schema: recipeResponse, headers: version } },
    problems: [404, 412],
  },
  {
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Deletes a recipe',
    parameters: [ifMatch],
    answers: { 204: { description: 'It is gone.' } },
    problems: [404, 412],
  },
];

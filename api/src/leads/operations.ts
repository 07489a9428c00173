import { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import { leadItems, leadResponse, storedLeadResponse } from '@dune-tide/domain/responses/lead';
import { array, string } from '@dune-tide/domain/responses/schema';
import { formTokenHeader } from '@dune-tide/domain/spam';
import { idempotencyKey } from '../http/requests/idempotency.ts';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';
import { leadForms } from './lead-forms.ts';
import { pageHeaders, pageParameters } from '../http/requests/pagination.ts';
import { leadListPaths } from './list-routes.ts';

const formToken = {
  in: 'header',
  name: formTokenHeader,
  description: 'The token that was issued when the form was first touched.',
  schema: string,
} as const;

export const leadOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/form-token',
    summary: 'Issues a token that records when a form was first touched',
    answers: { 200: { description: 'The token.', schema: formTokenResponse } },
  },
  ...leadForms.map(({ path, schemas }): Operation => ({
    method: 'post',
    path,
    summary: `Stores a lead: ${schemas.map(({ description }) => description).join('; ')}`,
    parameters: [idempotencyKey, formToken],
    body: schemas,
    answers: {
      201: {
        description: 'The lead and its follow-ups are stored. The id is that of the lead.',
        schema: storedLeadResponse,
      },
    },
    problems: [429, 503],
  })),
  ...leadListPaths.map(({ path, kind }): Operation => ({
    method: 'get',
    path: staffPrefix + path,
    summary: `Lists the leads of the kind ${kind}, newest first`,
    parameters: pageParameters,
    answers: {
      200: {
        description: 'A page of leads.',
        schema: array(leadItems[kind]),
        headers: pageHeaders,
      },
    },
    problems: [422],
  })),
  {
    method: 'get',
    path: `${staffPrefix}/leads/{id}`,
    summary: 'Returns a lead of any kind',
    answers: { 200: { description: 'The lead.', schema: leadResponse } },
    problems: [404],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/{id}/release`,
    summary: 'Marks a lead as not spam and sends its emails',
    answers: { 204: { description: 'The lead is not marked as spam.' } },
    problems: [404],
  },
];

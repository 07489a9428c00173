import { leadViewForm, leadViewOrderForm } from '@dune-tide/domain/forms/lead-view';
import { leadViewResponse } from '@dune-tide/domain/responses/lead-view';
import { array } from '@dune-tide/domain/responses/schema';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation } from '../http/operation.ts';
import { idempotencyKey } from '../http/requests/idempotency.ts';

const path = `${staffPrefix}/views`;

export const viewOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists the saved views of the account in its order',
    answers: { 200: { description: 'Every view.', schema: array(leadViewResponse) } },
  },
  {
    method: 'post',
    path,
    summary: 'Saves a view of the leads page',
    parameters: [idempotencyKey],
    body: [leadViewForm],
    answers: { 201: { description: 'The view.', schema: leadViewResponse } },
    problems: [409],
  },
  {
    method: 'patch',
    path,
    summary: 'Changes the order of the saved views',
    description: 'Views that are not listed come after the others.',
    body: [leadViewOrderForm],
    answers: { 200: { description: 'Every view, in the new order.', schema: array(leadViewResponse) } },
  },
  {
    method: 'delete',
    path: `${path}/{id}`,
    summary: 'Deletes a saved view',
    answers: { 204: { description: 'The view is deleted.' } },
    problems: [404],
  },
];

import { followUpOrders } from '@dune-tide/db/follow-up-desk';
import { cancellableStates, followUpStates, retryableStates } from '@dune-tide/domain/follow-ups';
import { cancelAllForm, retryAllForm } from '@dune-tide/domain/forms/follow-up-change';
import { listOf, enumOf } from '../http/answer-schema.ts';
import { pageHeaders, pageParameters } from '../http/requests/pagination.ts';
import type { Operation, Parameter } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';
import { changedCount, defaultOrder, followUpCounts, followUpItem } from './routes.ts';

const path = `${staffPrefix}/follow-ups`;
const followUp = { title: 'follow-up', ...followUpItem };
const changedOne = { 200: { description: 'As it is now.', schema: followUp } };
const shownState = (states: readonly string[]): Parameter => ({
  in: 'query',
  name: 'state',
  description: 'The state in which it was seen; in another one by now it is left alone.',
  schema: enumOf(states),
});
const changedAll = { 200: { description: 'How many were changed in the time there is.', schema: changedCount } };

export const followUpOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists the follow-ups in one state',
    parameters: [
      { in: 'query', name: 'state', description: 'Their state.', isRequired: true, schema: enumOf(followUpStates) },
      {
        in: 'query',
        name: 'order',
        description: 'Which come first.',
        schema: { ...enumOf(followUpOrders), default: defaultOrder },
      },
      ...pageParameters,
    ],
    answers: { 200: { description: 'A page of them.', schema: listOf(followUp), headers: pageHeaders } },
    problems: [422],
  },
  {
    method: 'get',
    path: `${staffPrefix}/leads/{id}/follow-ups`,
    summary: 'Lists the follow-ups of a lead',
    answers: { 200: { description: 'All of them.', schema: listOf(followUp) } },
    problems: [404],
  },
  {
    method: 'get',
    path: `${path}/counts`,
    summary: 'Counts the follow-ups by their state',
    answers: { 200: { description: 'The counts.', schema: followUpCounts } },
  },
  {
    method: 'post',
    path: `${path}/retry`,
    summary: 'Retries all follow-ups in one state',
    body: [retryAllForm],
    answers: changedAll,
  },
  {
    method: 'post',
    path: `${path}/cancel`,
    summary: 'Cancels all follow-ups in one state',
    body: [cancelAllForm],
    answers: changedAll,
  },
  {
    method: 'post',
    path: `${path}/{id}/retry`,
    summary: `Retries a follow-up that is ${retryableStates.join(' or ')}`,
    parameters: [shownState(retryableStates)],
    answers: changedOne,
    problems: [404, 409, 422],
  },
  {
    method: 'post',
    path: `${path}/{id}/cancel`,
    summary: `Cancels a follow-up that is ${cancellableStates.join(' or ')}`,
    parameters: [shownState(cancellableStates)],
    answers: changedOne,
    problems: [404, 409, 422],
  },
];

import { followUpOrders } from '@dune-tide/db/follow-ups';
import { cancellableStates, followUpStates, retryableStates, transports } from '@dune-tide/domain/follow-ups';
import { cancelAllForm, retryAllForm } from '@dune-tide/domain/forms/follow-up-change';
import { recipientForm } from '@dune-tide/domain/forms/reply';
import {
  changedCountResponse,
  followUpCountsResponse,
  followUpResponse,
  optOutResponse,
} from '@dune-tide/domain/responses/follow-up';
import { array, oneOf } from '@dune-tide/domain/responses/schema';
import { pageHeaders, pageParameters } from '../http/requests/pagination.ts';
import type { Operation, Parameter } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';
import { defaultOrder } from './routes.ts';

const path = `${staffPrefix}/follow-ups`;
const changedOne = { 200: { description: 'The follow-up after the change.', schema: followUpResponse } };
const transportParameter: Parameter = {
  in: 'query',
  name: 'transport',
  description: 'How the follow-ups are sent. Without it, all are returned.',
  schema: oneOf(transports),
};
const shownState = (states: readonly string[]): Parameter => ({
  in: 'query',
  name: 'state',
  description: 'The state that the caller saw. If the state has changed since, the follow-up is not changed.',
  schema: oneOf(states),
});
const changedAll = {
  200: {
    description: 'The number of follow-ups that were changed within the time limit.',
    schema: changedCountResponse,
  },
};

export const followUpOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists the follow-ups in one state',
    parameters: [
      {
        in: 'query',
        name: 'state',
        description: 'The state of the follow-ups.',
        isRequired: true,
        schema: oneOf(followUpStates),
      },
      {
        in: 'query',
        name: 'order',
        description: 'The sort order.',
        schema: { ...oneOf(followUpOrders), default: defaultOrder },
      },
      transportParameter,
      ...pageParameters,
    ],
    answers: { 200: { description: 'A page of follow-ups.', schema: array(followUpResponse), headers: pageHeaders } },
    problems: [422],
  },
  {
    method: 'get',
    path: `${staffPrefix}/leads/{id}/follow-ups`,
    summary: 'Lists the follow-ups of a lead',
    answers: { 200: { description: 'Every follow-up of the lead.', schema: array(followUpResponse) } },
    problems: [404],
  },
  {
    method: 'get',
    path: `${path}/counts`,
    summary: 'Counts the follow-ups by state',
    parameters: [transportParameter],
    answers: { 200: { description: 'The counts.', schema: followUpCountsResponse } },
    problems: [422],
  },
  {
    method: 'post',
    path: `${path}/retry`,
    summary: 'Retries all follow-ups in one state; the email limits do not apply',
    description: 'Follow-ups to mailboxes that are opted out do not change.',
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
  {
    method: 'post',
    path: `${path}/{id}/recipient`,
    summary: 'Corrects the address of a failed email to a visitor, and retries it',
    description: 'The history of the lead records the correction.',
    body: [recipientForm],
    answers: changedOne,
    problems: [404, 409],
  },
  {
    method: 'get',
    path: `${staffPrefix}/opt-outs`,
    summary: 'Lists the mailboxes that are opted out of automatic emails',
    parameters: pageParameters,
    answers: { 200: { description: 'A page of opt-outs.', schema: array(optOutResponse), headers: pageHeaders } },
    problems: [422],
  },
  {
    method: 'delete',
    path: `${staffPrefix}/opt-outs/{id}`,
    summary: 'Allows automatic emails to a mailbox again',
    answers: { 204: { description: 'Automatic emails to the mailbox are allowed again.' } },
    problems: [404],
  },
];

import { ownAccountForm, ownPasswordForm, passwordConfirmationForm } from '@dune-tide/domain/forms/account';
import { ownAccountResponse, ownSessionResponse } from '@dune-tide/domain/responses/own-account';
import { array } from '@dune-tide/domain/responses/schema';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation } from '../http/operation.ts';

const path = `${staffPrefix}/account`;

export const ownAccountOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Returns the signed-in account with its settings',
    answers: { 200: { description: 'The account.', schema: ownAccountResponse } },
  },
  {
    method: 'patch',
    path,
    summary: 'Changes the name or the email address of the signed-in account',
    body: [ownAccountForm],
    answers: { 200: { description: 'The account after the change.', schema: ownAccountResponse } },
  },
  {
    method: 'get',
    path: `${path}/sessions`,
    summary: 'Lists the sessions of the signed-in account',
    answers: { 200: { description: 'At most 100, most recently used first.', schema: array(ownSessionResponse) } },
  },
  {
    method: 'delete',
    path: `${path}/sessions`,
    summary: 'Ends all other sessions of the signed-in account',
    answers: { 204: { description: 'They have ended.' } },
  },
  {
    method: 'delete',
    path: `${path}/sessions/{id}`,
    summary: 'Ends a session of the signed-in account',
    answers: { 204: { description: 'It has ended.' } },
    problems: [404],
  },
  {
    method: 'post',
    path: `${path}/confirm`,
    summary: 'Confirms the password, for changes that need a fresh one',
    body: [passwordConfirmationForm],
    answers: { 204: { description: 'The password is right.' } },
    problems: [429],
  },
  {
    method: 'post',
    path: `${path}/password`,
    summary: 'Changes the password of the signed-in account, and ends its other sessions',
    body: [ownPasswordForm],
    answers: { 204: { description: 'The password is changed.' } },
    problems: [429],
  },
];

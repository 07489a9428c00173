import { newAccountForm, accountChangeForm } from '@dune-tide/domain/forms/account';
import { accountResponse } from '@dune-tide/domain/responses/account';
import { array } from '@dune-tide/domain/responses/schema';
import { idempotencyKey } from '../http/requests/idempotency.ts';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';

const path = `${staffPrefix}/team`;

export const accountOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists the accounts of the staff',
    answers: { 200: { description: 'All of them.', schema: array(accountResponse) } },
  },
  {
    method: 'post',
    path,
    summary: 'Makes an account',
    parameters: [idempotencyKey],
    body: [newAccountForm],
    answers: { 201: { description: 'As it is stored.', schema: accountResponse } },
  },
  {
    method: 'patch',
    path: `${path}/{id}`,
    summary: 'Activates or deactivates an account, or sets its password',
    body: [accountChangeForm],
    answers: { 200: { description: 'As it is now.', schema: accountResponse } },
    problems: [404, 409],
  },
];

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
    summary: 'Lists the staff accounts',
    answers: { 200: { description: 'Every account, by name.', schema: array(accountResponse) } },
  },
  {
    method: 'post',
    path,
    summary: 'Adds an account',
    description: 'Needs a password that was entered within ten minutes.',
    parameters: [idempotencyKey],
    body: [newAccountForm],
    answers: { 201: { description: 'The account as stored.', schema: accountResponse } },
  },
  {
    method: 'patch',
    path: `${path}/{id}`,
    summary: 'Activates or deactivates an account, or sets its password or email address',
    description:
      'A change of another account needs a password that was entered within ten minutes. The owner must change a password that was set for them at the next sign-in.',
    body: [accountChangeForm],
    answers: { 200: { description: 'The account after the change.', schema: accountResponse } },
    problems: [404, 409],
  },
];

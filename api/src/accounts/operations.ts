import { newTeamMemberForm, teamMemberChangeForm } from '@dune-tide/domain/forms/account';
import { listOf } from '../http/answer-schema.ts';
import { idempotencyKey } from '../http/requests/idempotency.ts';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';
import { memberItem } from './routes.ts';

const path = `${staffPrefix}/team`;
const member = { title: 'team-member', ...memberItem };

export const teamOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Lists the accounts of the staff',
    answers: { 200: { description: 'All of them.', schema: listOf(member) } },
  },
  {
    method: 'post',
    path,
    summary: 'Makes an account',
    parameters: [idempotencyKey],
    body: [newTeamMemberForm],
    answers: { 201: { description: 'As it is stored.', schema: member } },
  },
  {
    method: 'patch',
    path: `${path}/{id}`,
    summary: 'Activates or deactivates an account, or sets its password',
    body: [teamMemberChangeForm],
    answers: { 200: { description: 'As it is now.', schema: member } },
    problems: [404, 409],
  },
];

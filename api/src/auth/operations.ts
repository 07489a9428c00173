import { signInForm } from '@dune-tide/domain/forms/sign-in';
import { string } from '@dune-tide/domain/responses/schema';
import { sessionResponse } from '@dune-tide/domain/responses/session';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from './paths.ts';

export const authOperations: readonly Operation[] = [
  {
    method: 'post',
    path: `${staffPrefix}/login`,
    summary: 'Starts a session',
    body: [signInForm],
    answers: {
      200: {
        description: 'The account that signed in.',
        schema: sessionResponse,
        headers: {
          'Set-Cookie': {
            description: 'The session’s cookie and its signature, and the cookie of the known device.',
            schema: string,
          },
        },
      },
    },
    problems: [401, 429, 503],
  },
  {
    method: 'post',
    path: `${staffPrefix}/logout`,
    summary: 'Ends the session',
    answers: {
      204: {
        description: 'The session has ended.',
        headers: { 'Set-Cookie': { description: 'Deletes the cookie.', schema: string } },
      },
    },
  },
  {
    method: 'get',
    path: `${staffPrefix}/session`,
    summary: 'Returns the signed-in account',
    answers: { 200: { description: 'The signed-in account.', schema: sessionResponse } },
  },
];

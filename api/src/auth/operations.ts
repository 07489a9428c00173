import { signInForm } from '@dune-tide/domain/forms/sign-in';
import { string } from '@dune-tide/domain/responses/schema';
import { sessionResponse } from '@dune-tide/domain/responses/session';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from './paths.ts';

export const authOperations: readonly Operation[] = [
  {
    method: 'post',
    path: `${staffPrefix}/login`,
    summary: 'Begins a session',
    body: [signInForm],
    answers: {
      200: {
        description: 'Who signed in.',
        schema: sessionResponse,
        headers: { 'Set-Cookie': { description: 'The session’s cookie and its signature.', schema: string } },
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
        description: 'It is over.',
        headers: { 'Set-Cookie': { description: 'Takes the cookie back.', schema: string } },
      },
    },
  },
  {
    method: 'get',
    path: `${staffPrefix}/session`,
    summary: 'Says who is signed in',
    answers: { 200: { description: 'Who it is.', schema: sessionResponse } },
  },
];

import { codeForm, passkeySignatureForm } from '@dune-tide/domain/forms/second-factor';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import { string } from '@dune-tide/domain/responses/schema';
import { passkeyRequestResponse, pendingSignInResponse, sessionResponse } from '@dune-tide/domain/responses/session';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from './paths.ts';

const signedIn = {
  description: 'The account that signed in.',
  schema: sessionResponse,
  headers: {
    'Set-Cookie': {
      description: 'The session’s cookie and its signature, and the cookie of the known device.',
      schema: string,
    },
  },
};

export const authOperations: readonly Operation[] = [
  {
    method: 'post',
    path: `${staffPrefix}/login`,
    summary: 'Starts a session',
    body: [signInForm],
    answers: {
      200: signedIn,
      202: {
        description: 'The password is right. The sign-in waits for the second factor.',
        schema: pendingSignInResponse,
        headers: { 'Set-Cookie': { description: 'The cookie of the sign-in.', schema: string } },
      },
    },
    problems: [401, 429, 503],
  },
  {
    method: 'post',
    path: `${staffPrefix}/login/code`,
    summary: 'Completes a sign-in with a code of the authenticator app or a recovery code',
    body: [codeForm],
    answers: { 200: signedIn },
    problems: [401, 429, 503],
  },
  {
    method: 'post',
    path: `${staffPrefix}/login/passkey/options`,
    summary: 'Returns what a browser needs to ask for a passkey, with a new challenge',
    answers: { 200: { description: 'The challenge works once.', schema: passkeyRequestResponse } },
    problems: [401, 409, 503],
  },
  {
    method: 'post',
    path: `${staffPrefix}/login/passkey`,
    summary: 'Completes a sign-in with a passkey',
    body: [passkeySignatureForm],
    answers: { 200: signedIn },
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

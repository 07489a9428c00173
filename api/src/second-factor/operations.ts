import { codeForm, newPasskeyForm } from '@dune-tide/domain/forms/second-factor';
import {
  passkeyCreationResponse,
  recoveryCodesResponse,
  totpSetupResponse,
} from '@dune-tide/domain/responses/own-account';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation } from '../http/operation.ts';

const path = `${staffPrefix}/account`;

export const secondFactorOperations: readonly Operation[] = [
  {
    method: 'post',
    path: `${path}/totp`,
    summary: 'Creates the secret of an authenticator app, which is used once a code has confirmed it',
    answers: { 201: { description: 'The secret, which is not returned again.', schema: totpSetupResponse } },
    problems: [409],
  },
  {
    method: 'post',
    path: `${path}/totp/confirm`,
    summary: 'Confirms the authenticator app with its first code',
    body: [codeForm],
    answers: { 200: { description: 'The recovery codes, once.', schema: recoveryCodesResponse } },
    problems: [409, 429],
  },
  {
    method: 'delete',
    path: `${path}/totp`,
    summary: 'Removes the authenticator app, and the recovery codes if it was the last second factor',
    answers: { 204: { description: 'The codes of the app are refused from now on.' } },
  },
  {
    method: 'post',
    path: `${path}/passkeys/options`,
    summary: 'Returns what a browser needs to create a passkey, with a new challenge',
    answers: { 200: { description: 'The challenge works once.', schema: passkeyCreationResponse } },
  },
  {
    method: 'post',
    path: `${path}/passkeys`,
    summary: 'Adds a passkey that the browser has created',
    body: [newPasskeyForm],
    answers: { 201: { description: 'The recovery codes, once.', schema: recoveryCodesResponse } },
    problems: [409],
  },
  {
    method: 'delete',
    path: `${path}/passkeys/{id}`,
    summary: 'Removes a passkey, and the recovery codes if it was the last second factor',
    answers: { 204: { description: 'The passkey is refused from now on.' } },
    problems: [404],
  },
  {
    method: 'post',
    path: `${path}/recovery-codes`,
    summary: 'Replaces the recovery codes',
    answers: { 201: { description: 'The new codes, once.', schema: recoveryCodesResponse } },
    problems: [409],
  },
];

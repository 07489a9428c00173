import { codeForm } from '@dune-tide/domain/forms/second-factor';
import { recoveryCodesResponse, totpSetupResponse } from '@dune-tide/domain/responses/own-account';
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
    summary: 'Removes the authenticator app and the recovery codes',
    answers: { 204: { description: 'A sign-in needs the password alone.' } },
  },
  {
    method: 'post',
    path: `${path}/recovery-codes`,
    summary: 'Replaces the recovery codes',
    answers: { 201: { description: 'The new codes, once.', schema: recoveryCodesResponse } },
    problems: [409],
  },
];

import type { Code, NewPasskey } from '@dune-tide/domain/forms/second-factor';
import type { recoveryCodesResponse, totpSetupResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { mayBeDone } from '../../api-client/request.ts';
import type { PasskeyCreation } from '../../staff-ui/passkeys/browser-passkeys.ts';

/** The secret of an authenticator app that is being set up. */
export type TotpSecret = Json<typeof totpSetupResponse>;

/** New recovery codes; none if the account had a second factor before. */
export type RecoveryCodeList = Json<typeof recoveryCodesResponse>;

const base = '/api/admin/account';

/** A change of a second factor ends the other sessions. */
const changed = ['OwnAccount', 'OwnSession'] as const;

const secondFactorApi = api.enhanceEndpoints({ addTagTypes: ['OwnAccount', 'OwnSession'] }).injectEndpoints({
  endpoints: (build) => ({
    beginTotp: build.mutation<TotpSecret, void>({ query: () => ({ method: 'POST', url: `${base}/totp` }) }),
    confirmTotp: build.mutation<RecoveryCodeList, Code>({
      query: (body) => ({ method: 'POST', url: `${base}/totp/confirm`, body }),
      invalidatesTags: (_codes, error) => (mayBeDone(error) ? changed : []),
    }),
    removeTotp: build.mutation<null, void>({
      query: () => ({ method: 'DELETE', url: `${base}/totp` }),
      invalidatesTags: (_nothing, error) => (mayBeDone(error) ? changed : []),
    }),
    beginPasskey: build.mutation<PasskeyCreation, void>({
      query: () => ({ method: 'POST', url: `${base}/passkeys/options` }),
    }),
    addPasskey: build.mutation<RecoveryCodeList, NewPasskey>({
      query: (body) => ({ method: 'POST', url: `${base}/passkeys`, body }),
      invalidatesTags: (_codes, error) => (mayBeDone(error) ? changed : []),
    }),
    removePasskey: build.mutation<null, string>({
      query: (id) => ({ method: 'DELETE', url: `${base}/passkeys/${encodeURIComponent(id)}` }),
      invalidatesTags: changed,
    }),
    replaceRecoveryCodes: build.mutation<RecoveryCodeList, void>({
      query: () => ({ method: 'POST', url: `${base}/recovery-codes` }),
      invalidatesTags: (_codes, error) => (mayBeDone(error) ? changed : []),
    }),
  }),
});

export const {
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useBeginPasskeyMutation,
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
  useReplaceRecoveryCodesMutation,
} = secondFactorApi;

import type { OwnAccountChange, OwnPassword, PasswordConfirmation } from '@dune-tide/domain/forms/account';
import type { LeadEmails } from '@dune-tide/domain/lead-emails';
import type { ownAccountResponse, ownSessionResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { mayBeDone } from '../../api-client/request.ts';

/** The signed-in account with its settings. */
export type OwnAccount = Json<typeof ownAccountResponse>;

/** A session of the signed-in account. */
export type OwnSession = Json<typeof ownSessionResponse>;

const base = '/api/admin/account';

const ownAccountApi = api
  .enhanceEndpoints({ addTagTypes: ['Account', 'OwnAccount', 'OwnSession', 'Session'] })
  .injectEndpoints({
    endpoints: (build) => ({
      ownAccount: build.query<OwnAccount, void>({
        query: () => ({ url: base }),
        providesTags: ['OwnAccount'],
      }),
      changeOwnAccount: build.mutation<OwnAccount, OwnAccountChange>({
        query: (body) => ({ method: 'PATCH', url: base, body }),
        // The navigation shows the name of the session.
        invalidatesTags: (_account, error) => (mayBeDone(error) ? ['OwnAccount', 'Account', 'Session'] : []),
        // Updates the cache before the form starts again, so that it never shows the former values.
        onQueryStarted: (_change, { dispatch, queryFulfilled }) => {
          queryFulfilled.then(
            ({ data }) => dispatch(ownAccountApi.util.updateQueryData('ownAccount', undefined, () => data)),
            // The caller reports the failure.
            () => undefined,
          );
        },
      }),
      chooseLeadEmails: build.mutation<null, LeadEmails>({
        query: (leadEmails) => ({ method: 'PATCH', url: `${base}/lead-emails`, body: { leadEmails } }),
        // Updates the cache before the request ends, so that the former choice is not shown again.
        onQueryStarted: async (leadEmails, { dispatch, queryFulfilled }) => {
          try {
            await queryFulfilled;
          } catch {
            // The caller reports the failure.
            return;
          }
          dispatch(
            ownAccountApi.util.updateQueryData('ownAccount', undefined, (account) => ({ ...account, leadEmails })),
          );
        },
      }),
      changeOwnPassword: build.mutation<null, OwnPassword>({
        query: (body) => ({ method: 'POST', url: `${base}/password`, body }),
        invalidatesTags: (_nothing, error) => (mayBeDone(error) ? ['OwnSession'] : []),
      }),
      confirmPassword: build.mutation<null, PasswordConfirmation>({
        query: (body) => ({ method: 'POST', url: `${base}/confirm`, body }),
      }),
      ownSessions: build.query<OwnSession[], void>({
        query: () => ({ url: `${base}/sessions` }),
        providesTags: ['OwnSession'],
      }),
      endOwnSession: build.mutation<null, string>({
        query: (id) => ({ method: 'DELETE', url: `${base}/sessions/${encodeURIComponent(id)}` }),
        invalidatesTags: ['OwnSession'],
      }),
      endOtherSessions: build.mutation<null, void>({
        query: () => ({ method: 'DELETE', url: `${base}/sessions` }),
        invalidatesTags: ['OwnSession'],
      }),
    }),
  });

export const {
  useOwnAccountQuery,
  useChangeOwnAccountMutation,
  useChooseLeadEmailsMutation,
  useChangeOwnPasswordMutation,
  useConfirmPasswordMutation,
  useOwnSessionsQuery,
  useEndOwnSessionMutation,
  useEndOtherSessionsMutation,
} = ownAccountApi;

import type { OwnAccountChange, OwnPassword, PasswordConfirmation } from '@dune-tide/domain/forms/account';
import type { ownAccountResponse, ownSessionResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import { mayBeDone } from '../../api-client/request.ts';
import { authApi } from '../auth/auth-api.ts';

/** The signed-in account with its settings. */
export type OwnAccount = Json<typeof ownAccountResponse>;

/** A session of the signed-in account. */
export type OwnSession = Json<typeof ownSessionResponse>;

const base = '/api/admin/account';

const ownAccountApi = authApi
  .enhanceEndpoints({ addTagTypes: ['Account', 'OwnAccount', 'OwnSession'] })
  .injectEndpoints({
    endpoints: (build) => ({
      ownAccount: build.query<OwnAccount, void>({
        query: () => ({ key: ['/api', 'admin', 'account'] }),
        providesTags: ['OwnAccount'],
      }),
      changeOwnAccount: build.mutation<OwnAccount, OwnAccountChange>({
        query: (body) => ({ method: 'PATCH', url: base, body }),
        invalidatesTags: (_account, error) => (mayBeDone(error) ? ['OwnAccount', 'Account'] : []),
        async onQueryStarted(_change, { dispatch, queryFulfilled }) {
          const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
          if (!data) return;
          // The navigation shows the name.
          dispatch(authApi.util.updateQueryData('session', undefined, (session) => ({ ...session, name: data.name })));
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
        query: () => ({ key: ['/api', 'admin', 'account', 'sessions'] }),
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
  useChangeOwnPasswordMutation,
  useConfirmPasswordMutation,
  useOwnSessionsQuery,
  useEndOwnSessionMutation,
  useEndOtherSessionsMutation,
} = ownAccountApi;

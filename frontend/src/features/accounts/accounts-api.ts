import type { NewAccount, AccountChange } from '@dune-tide/domain/forms/account';
import type { accountResponse } from '@dune-tide/domain/responses/account';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { mayBeDone } from '../../api-client/request.ts';

/** A staff account. */
export type Account = Json<typeof accountResponse>;

interface Addition {
  readonly account: NewAccount;
  readonly idempotencyKey: string;
}

const accountsApi = api.enhanceEndpoints({ addTagTypes: ['Account', 'AuditLog'] }).injectEndpoints({
  endpoints: (build) => ({
    accounts: build.query<Account[], void>({
      query: () => ({ url: '/api/admin/team' }),
      providesTags: ['Account'],
    }),
    addAccount: build.mutation<Account, Addition>({
      query: ({ account, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/admin/team',
        body: account,
        idempotencyKey,
      }),
      invalidatesTags: (_member, error) => (mayBeDone(error) ? ['Account', 'AuditLog'] : []),
    }),
    changeAccount: build.mutation<Account, { readonly id: string; readonly change: AccountChange }>({
      query: ({ id, change }) => ({ method: 'PATCH', url: `/api/admin/team/${encodeURIComponent(id)}`, body: change }),
      invalidatesTags: (_member, error) => (mayBeDone(error) ? ['Account', 'AuditLog'] : []),
    }),
  }),
});

export const { useAccountsQuery, useAddAccountMutation, useChangeAccountMutation } = accountsApi;

import type { NewAccount, TeamMemberChange } from '@dune-tide/domain/forms/account';
import type { accountResponse } from '@dune-tide/domain/responses/account';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { mayBeDone } from '../../api-client/request.ts';

/** An account of the staff (decisions, "/admin/team"). */
export type Account = Json<typeof accountResponse>;

interface Addition {
  readonly member: NewAccount;
  readonly idempotencyKey: string;
}

const teamApi = api.enhanceEndpoints({ addTagTypes: ['Team'] }).injectEndpoints({
  endpoints: (build) => ({
    team: build.query<Account[], void>({
      query: () => ({ key: ['/api', 'admin', 'team'] }),
      providesTags: ['Team'],
    }),
    addMember: build.mutation<Account, Addition>({
      query: ({ member, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/admin/team',
        body: member,
        idempotencyKey,
      }),
      invalidatesTags: (_member, error) => (mayBeDone(error) ? ['Team'] : []),
    }),
    changeMember: build.mutation<Account, { readonly id: string; readonly change: TeamMemberChange }>({
      query: ({ id, change }) => ({ method: 'PATCH', url: `/api/admin/team/${encodeURIComponent(id)}`, body: change }),
      invalidatesTags: (_member, error) => (mayBeDone(error) ? ['Team'] : []),
    }),
  }),
});

export const { useTeamQuery, useAddMemberMutation, useChangeMemberMutation } = teamApi;

import type { NewTeamMember, TeamMemberChange } from '@dune-tide/domain/forms/account';
import { api } from '../../api-client/base-api.ts';
import { mayBeDone } from '../../api-client/request.ts';

/** An account of the staff (decisions, "/admin/team"). */
export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  /** ISO 8601; null for one who never has. */
  readonly lastSignInAt: string | null;
  readonly isActive: boolean;
  readonly createdAt: string;
}

interface Addition {
  readonly member: NewTeamMember;
  readonly idempotencyKey: string;
}

const teamApi = api.enhanceEndpoints({ addTagTypes: ['Team'] }).injectEndpoints({
  endpoints: (build) => ({
    team: build.query<TeamMember[], void>({
      query: () => ({ key: ['/api', 'admin', 'team'] }),
      providesTags: ['Team'],
    }),
    addMember: build.mutation<TeamMember, Addition>({
      query: ({ member, idempotencyKey }) => ({
        method: 'POST',
        url: '/api/admin/team',
        body: member,
        idempotencyKey,
      }),
      invalidatesTags: (_member, error) => (mayBeDone(error) ? ['Team'] : []),
    }),
    changeMember: build.mutation<TeamMember, { readonly id: string; readonly change: TeamMemberChange }>({
      query: ({ id, change }) => ({ method: 'PATCH', url: `/api/admin/team/${encodeURIComponent(id)}`, body: change }),
      invalidatesTags: (_member, error) => (mayBeDone(error) ? ['Team'] : []),
    }),
  }),
});

export const { useTeamQuery, useAddMemberMutation, useChangeMemberMutation } = teamApi;

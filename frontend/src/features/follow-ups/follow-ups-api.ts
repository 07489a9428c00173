import {
  followUpRules,
  type cancellableStates,
  type FollowUpState,
  type retryableStates,
  type TransportName,
} from '@dune-tide/domain/follow-ups';
import type {
  changedCountResponse,
  followUpCountsResponse,
  followUpResponse,
  optOutResponse,
} from '@dune-tide/domain/responses/follow-up';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { byNextPage, type Page, pageOf } from '../../api-client/pagination.ts';

export type FollowUp = Json<typeof followUpResponse>;
export type OptOut = Json<typeof optOutResponse>;
export type FollowUpCounts = Json<typeof followUpCountsResponse>;

/** A change of an email in the state that was shown. */
interface Change {
  readonly followUp: FollowUp;
  readonly change: ChangeKind;
}

/** An email of a lead, whose history shows it. */
export interface EmailOfLead {
  readonly id: string;
  readonly leadId: string;
}

export type ChangeKind = StateChange['change'];

/** The follow-ups of one transport in a state. */
export interface FollowUpList {
  readonly state: FollowUpState;
  readonly transport: TransportName;
}

/** A change of all follow-ups of one transport in a state. */
export type ChangeAll = StateChange & { readonly transport: TransportName };

/** A change that a state allows. */
export type StateChange =
  | { readonly change: 'retry'; readonly state: (typeof retryableStates)[number] }
  | { readonly change: 'cancel'; readonly state: (typeof cancellableStates)[number] };

const addressOf = (id: string): string => `/api/admin/follow-ups/${encodeURIComponent(id)}`;

const followUpsApi = api
  .enhanceEndpoints({ addTagTypes: ['FollowUp', 'FollowUpCounts', 'OptOut', 'Lead', 'LeadHistory'] })
  .injectEndpoints({
    endpoints: (build) => ({
      followUpCounts: build.query<FollowUpCounts, TransportName>({
        query: (transport) => ({ url: `/api/admin/follow-ups/counts?transport=${transport}` }),
        providesTags: ['FollowUpCounts'],
      }),
      followUps: build.infiniteQuery<Page<FollowUp>, FollowUpList, string>({
        query: ({ queryArg: { state, transport }, pageParam }) => ({
          url: `/api/admin/follow-ups${pageParam === '' ? `?state=${state}&transport=${transport}` : pageParam}`,
        }),
        transformResponse: pageOf<FollowUp>,
        infiniteQueryOptions: byNextPage,
        providesTags: ['FollowUp'],
      }),
      optOuts: build.infiniteQuery<Page<OptOut>, void, string>({
        query: ({ pageParam }) => ({ url: `/api/admin/opt-outs${pageParam}` }),
        transformResponse: pageOf<OptOut>,
        infiniteQueryOptions: byNextPage,
        providesTags: ['OptOut'],
      }),
      removeOptOut: build.mutation<null, OptOut>({
        query: ({ id }) => ({ method: 'DELETE', url: `/api/admin/opt-outs/${encodeURIComponent(id)}` }),
        invalidatesTags: ['OptOut'],
      }),
      changeFollowUp: build.mutation<FollowUp, Change>({
        query: ({ followUp: { id, state }, change }) => ({
          method: 'POST',
          url: `${addressOf(id)}/${change}?state=${state}`,
        }),
        // On failure the list is refetched, because the email may no longer be in the state that was shown.
        invalidatesTags: (_, error) => (error ? ['FollowUp', 'FollowUpCounts'] : ['FollowUpCounts']),
        onQueryStarted: ({ followUp }, { dispatch, queryFulfilled }) => {
          queryFulfilled.then(
            () => {
              let isEmpty = true;
              dispatch(
                followUpsApi.util.updateQueryData(
                  'followUps',
                  { state: followUp.state, transport: followUpRules[followUp.kind].transport },
                  ({ pages, pageParams }) => {
                    const left = pages.map((page) => ({
                      ...page,
                      items: page.items.filter(({ id }) => id !== followUp.id),
                    }));
                    isEmpty = left.every(({ items }) => items.length === 0);
                    return { pages: left, pageParams };
                  },
                ),
              );
              // Pages that are not loaded yet may have more emails.
              if (isEmpty) dispatch(followUpsApi.util.invalidateTags(['FollowUp']));
            },
            // The caller reports the failure.
            () => undefined,
          );
        },
      }),
      retryEmail: build.mutation<FollowUp, EmailOfLead>({
        query: ({ id }) => ({ method: 'POST', url: `${addressOf(id)}/retry?state=failed` }),
        invalidatesTags: (_email, _error, { leadId }) => [
          'FollowUp',
          'FollowUpCounts',
          { type: 'LeadHistory', id: leadId },
        ],
      }),
      correctRecipient: build.mutation<
        FollowUp,
        EmailOfLead & { readonly email: string; readonly changeLead: boolean }
      >({
        query: ({ id, email, changeLead }) => ({
          method: 'POST',
          url: `${addressOf(id)}/recipient`,
          body: { email, changeLead },
        }),
        invalidatesTags: (_email, _error, { leadId }) => [
          'FollowUp',
          'FollowUpCounts',
          'Lead',
          { type: 'LeadHistory', id: leadId },
        ],
      }),
      changeAllFollowUps: build.mutation<Json<typeof changedCountResponse>, ChangeAll>({
        query: ({ change, ...body }) => ({ method: 'POST', url: `/api/admin/follow-ups/${change}`, body }),
        invalidatesTags: ['FollowUp', 'FollowUpCounts'],
      }),
    }),
  });

export const {
  useFollowUpCountsQuery,
  useFollowUpsInfiniteQuery,
  useOptOutsInfiniteQuery,
  useRemoveOptOutMutation,
  useChangeFollowUpMutation,
  useChangeAllFollowUpsMutation,
  useRetryEmailMutation,
  useCorrectRecipientMutation,
} = followUpsApi;

import type { LeadStatus } from '@dune-tide/domain/leads';
import type { historyEntryResponse, noteResponse } from '@dune-tide/domain/responses/history';
import type { Json } from '@dune-tide/domain/responses/schema';
import { api } from '../../api-client/base-api.ts';
import { nextSearch } from '../../api-client/pagination.ts';
import { type AnswerMeta, isRequestFailure } from '../../api-client/request.ts';
import type { AppDispatch } from '../../store/store.ts';
import { type Lead, type LeadItem, type ListedKind, listedKinds, type ListedLead, withKind } from './lead.ts';

/** One page of a kind's list, newest first. */
export interface LeadPage {
  readonly leads: readonly ListedLead[];
  /** The number of leads of the kind; undefined if the server did not return it. */
  readonly total: number | undefined;
  /** The query string of the next page; null on the last page. */
  readonly next: string | null;
  /** The time of the response, in milliseconds since the epoch. */
  readonly loadedAt: number;
}

const paths: Readonly<Record<ListedKind, string>> = {
  contact: 'contacts',
  service_inquiry: 'service-inquiries',
  career_application: 'careers',
};

const maxRetries = 2;

/** A change of a lead. A field that is left out does not change; `ownerId: null` removes the owner. */
export interface LeadChange {
  readonly status?: LeadStatus;
  readonly ownerId?: string | null;
  readonly answered?: boolean;
}

/** An entry in the history of a lead (docs/PRODUCT.md, "History"). */
export type HistoryEntry = Json<typeof historyEntryResponse>;
export type Note = Json<typeof noteResponse>;

/** One page of a history, oldest first. */
interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** The query string of the next page; null on the last page. */
  readonly next: string | null;
}

/** A note, and the version that a change of it applies to. If the stored version differs, the server responds with 412. */
interface NoteVersion {
  readonly leadId: string;
  readonly noteId: string;
  readonly version: number;
}

const addressOf = (id: string): string => `/api/admin/leads/${encodeURIComponent(id)}`;
const notesOf = (id: string): string => `${addressOf(id)}/notes`;
const noteAddress = ({ leadId, noteId }: NoteVersion): string => `${notesOf(leadId)}/${encodeURIComponent(noteId)}`;
const historyOf = (id: string) => [{ type: 'LeadHistory' as const, id }];

export const leadsApi = api.enhanceEndpoints({ addTagTypes: ['Lead', 'LeadHistory'] }).injectEndpoints({
  endpoints: (build) => ({
    leadList: build.infiniteQuery<LeadPage, ListedKind, string>({
      query: ({ queryArg: kind, pageParam }) => ({ key: ['/api', 'admin', paths[kind] + pageParam] }),
      transformResponse: (leads: readonly LeadItem[], meta: AnswerMeta | undefined, { queryArg }) =>
        leadPage(leads, meta, queryArg),
      infiniteQueryOptions: {
        initialPageParam: '',
        getNextPageParam: ({ next }) => next,
        // Refresh loads the first page; later pages load as the user scrolls.
        refetchCachedPages: false,
      },
      // Otherwise RTK Query compares each page with all cached ones.
      structuralSharing: false,
      extraOptions: {
        // docs/PRODUCT.md, "Fresh data": a 401 redirects to the sign-in page, other failures are retried.
        retryCondition: (error, _, { attempt }) =>
          attempt <= maxRetries && !(isRequestFailure(error) && error.status === 401),
      },
    }),
    lead: build.query<Lead, string>({
      query: (id) => ({ key: ['/api', 'admin', 'leads', encodeURIComponent(id)] }),
      providesTags: ['Lead'],
    }),
    /** Checks that the session is alive; without one, the guard opens the sign-in page. */
    liveSession: build.query<unknown, void>({ query: () => ({ key: ['/api', 'admin', 'session'] }) }),
    leadHistory: build.infiniteQuery<HistoryPage, string, string>({
      query: ({ queryArg: id, pageParam }) => ({
        key: ['/api', 'admin', 'leads', encodeURIComponent(id), `history${pageParam}`],
      }),
      transformResponse: (entries: readonly HistoryEntry[], meta: AnswerMeta | undefined) => ({
        entries,
        next: nextSearch(meta),
      }),
      infiniteQueryOptions: {
        initialPageParam: '',
        getNextPageParam: ({ next }) => next,
      },
      providesTags: (_page, _error, id) => historyOf(id),
    }),
    leadsOfAddress: build.query<readonly Lead[], string>({
      query: (email) => ({ key: ['/api', 'admin', `leads?${new URLSearchParams({ email }).toString()}`] }),
    }),
    changeLead: build.mutation<Lead, { readonly id: string; readonly version: number; readonly change: LeadChange }>({
      query: ({ id, version, change }) => ({ method: 'PATCH', url: addressOf(id), version, body: change }),
      invalidatesTags: (_lead, _error, { id }) => historyOf(id),
      onQueryStarted: (_change, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          ({ data }) => dispatch(replaceLead(data)),
          // The caller reports the failure.
          () => undefined,
        );
      },
    }),
    markLeadAsSpam: build.mutation<null, string>({
      query: (id) => ({ method: 'POST', url: `${addressOf(id)}/spam` }),
      invalidatesTags: (_nothing, _error, id) => historyOf(id),
      onQueryStarted: (id, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          () => dispatch(reloadLead(id)),
          () => undefined,
        );
      },
    }),
    releaseLead: build.mutation<null, string>({
      query: (id) => ({ method: 'POST', url: `${addressOf(id)}/release` }),
      invalidatesTags: (_nothing, _error, id) => historyOf(id),
      onQueryStarted: (id, { dispatch, queryFulfilled }) => {
        queryFulfilled.then(
          () => dispatch(reloadLead(id)),
          () => undefined,
        );
      },
    }),
    addNote: build.mutation<Note, { readonly leadId: string; readonly text: string; readonly idempotencyKey: string }>({
      query: ({ leadId, text, idempotencyKey }) => ({
        method: 'POST',
        url: notesOf(leadId),
        body: { text },
        idempotencyKey,
      }),
      invalidatesTags: (_note, _error, { leadId }) => historyOf(leadId),
    }),
    editNote: build.mutation<Note, NoteVersion & { readonly text: string }>({
      query: ({ text, version, ...note }) => ({
        method: 'PATCH',
        url: noteAddress({ ...note, version }),
        body: { text },
        version,
      }),
      invalidatesTags: (_note, _error, { leadId }) => historyOf(leadId),
    }),
    deleteNote: build.mutation<null, NoteVersion>({
      query: (note) => ({ method: 'DELETE', url: noteAddress(note), version: note.version }),
      invalidatesTags: (_nothing, _error, { leadId }) => historyOf(leadId),
    }),
  }),
});

/** Replaces a lead in all cached data, so that the lists need no refetch. */
function replaceLead(lead: Lead) {
  return (dispatch: AppDispatch): void => {
    dispatch(leadsApi.util.updateQueryData('lead', lead.id, () => lead));
    for (const kind of listedKinds) {
      if (kind !== lead.kind) continue;
      dispatch(
        leadsApi.util.updateQueryData('leadList', kind, ({ pages, pageParams }) => ({
          pageParams,
          pages: pages.map((page) => ({
            ...page,
            leads: page.leads.map((each) => (each.id === lead.id ? lead : each)),
          })),
        })),
      );
    }
  };
}

/**
 * Fetches a lead and replaces it in all cached data.
 * @returns undefined if the request failed
 */
export function reloadLead(id: string) {
  return async (dispatch: AppDispatch): Promise<Lead | undefined> => {
    const { data } = await dispatch(leadsApi.endpoints.lead.initiate(id, { forceRefetch: true, subscribe: false }));
    if (data) dispatch(replaceLead(data));
    return data;
  };
}

/**
 * Fetches the whole history of a lead.
 * @returns the entries, oldest first; undefined if a request failed
 */
export function reloadHistory(id: string) {
  return async (dispatch: AppDispatch): Promise<readonly HistoryEntry[] | undefined> => {
    const { initiate } = leadsApi.endpoints.leadHistory;
    let result = await dispatch(initiate(id, { forceRefetch: true, subscribe: false }));
    while (result.isSuccess && typeof result.data.pages.at(-1)?.next === 'string') {
      result = await dispatch(initiate(id, { direction: 'forward', subscribe: false }));
    }
    return result.isSuccess ? result.data.pages.flatMap(({ entries }) => entries) : undefined;
  };
}

export const {
  useLeadListInfiniteQuery,
  useLazyLiveSessionQuery,
  useLeadQuery,
  useLeadHistoryInfiniteQuery,
  useLeadsOfAddressQuery,
  useChangeLeadMutation,
  useMarkLeadAsSpamMutation,
  useReleaseLeadMutation,
  useAddNoteMutation,
  useEditNoteMutation,
  useDeleteNoteMutation,
} = leadsApi;

function leadPage(leads: readonly LeadItem[], meta: AnswerMeta | undefined, kind: ListedKind): LeadPage {
  const total = meta?.headers.get('X-Total-Count') ?? '';
  return {
    leads: leads.map((lead) => withKind(kind, lead)),
    total: /^\d+$/.test(total) ? Number(total) : undefined,
    next: nextSearch(meta),
    loadedAt: Date.now(),
  };
}

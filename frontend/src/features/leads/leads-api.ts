import type { LeadStatus } from '@dune-tide/domain/leads';
import type { bulkChangeResponse } from '@dune-tide/domain/responses/lead';
import type { historyEntryResponse, noteResponse, replyResponse } from '@dune-tide/domain/responses/history';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { WorkedKind } from '@dune-tide/domain/leads';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { api } from '../../api-client/base-api.ts';
import { byNextPage, itemsOf, type Page, pageOf } from '../../api-client/pagination.ts';
import { type ResponseMeta, isRequestFailure } from '../../api-client/request.ts';
import type { AppDispatch, RootState } from '../../store/store.ts';
import { isListed, type ListedLead } from './lead.ts';

/** The number of leads; if `isMore`, the number that they exceed. */
export interface LeadTotal {
  readonly count: number;
  readonly isMore: boolean;
}

/** One page of the leads of a search. */
export interface LeadPage extends Page<ListedLead> {
  /** The query string of the search. */
  readonly search: string;
  /** Undefined if the server did not return it. */
  readonly total: LeadTotal | undefined;
}

/** The number of all leads of each kind, with those that are held as spam. */
export type LeadTotals = Readonly<Record<WorkedKind, number>>;

const maxRetries = 2;

/** A change of a lead. A field that is left out does not change; `ownerId: null` removes the owner. */
export interface LeadChange {
  readonly status?: LeadStatus;
  readonly ownerId?: string | null;
  readonly answered?: boolean;
}

/** A change of several leads. `spam` marks them as spam or releases them. */
export interface BulkChange extends LeadChange {
  readonly ids: readonly string[];
  readonly spam?: boolean;
}

/** The undo of a change of several leads: those that nothing has changed since. */
export interface BulkUndo {
  readonly ids: readonly string[];
  /** The `Idempotency-Key` of the change. */
  readonly undoes: string;
}

/** A bulk change whose retry, e.g. after a lost response, changes nothing. */
interface BulkRequest {
  readonly change: BulkChange | BulkUndo;
  readonly idempotencyKey: string;
}

/** An entry in the history of a lead (docs/PRODUCT.md, "History"). */
export type HistoryEntry = Json<typeof historyEntryResponse>;
export type Note = Json<typeof noteResponse>;

type StoredReply = Json<typeof replyResponse>;

interface NewReply {
  readonly leadId: string;
  readonly subject: string;
  readonly text: string;
  /** A failed reply that this one is sent in place of. */
  readonly replaces?: string | undefined;
  readonly idempotencyKey: string;
  /** The version of the lead that its author saw, for a server of 0.3.0. */
  readonly version: number;
  /** The activity of the lead that its author saw. */
  readonly seenActivity: number;
}

/** A note, and the version that a change of it applies to. If the stored version differs, the server responds with 412. */
interface NoteVersion {
  readonly leadId: string;
  readonly noteId: string;
  readonly version: number;
}

const addressOf = (id: string): string => `/api/admin/leads/${encodeURIComponent(id)}`;
const repliesOf = (id: string): string => `${addressOf(id)}/replies`;
const notesOf = (id: string): string => `${addressOf(id)}/notes`;
const noteAddress = ({ leadId, noteId }: NoteVersion): string => `${notesOf(leadId)}/${encodeURIComponent(noteId)}`;
const historyOf = (id: string) => [{ type: 'LeadHistory' as const, id }];

export const leadsApi = api
  .enhanceEndpoints({ addTagTypes: ['Lead', 'LeadHistory', 'HeldAsSpam', 'OptOut'] })
  .injectEndpoints({
    endpoints: (build) => ({
      /** The leads of a query string (docs/PRODUCT.md, "Search"). */
      leadList: build.infiniteQuery<LeadPage, string, string>({
        query: ({ queryArg: search, pageParam }) => ({ url: `/api/admin/leads${pageParam || search}` }),
        transformResponse: (leads: readonly ListedLead[], meta: ResponseMeta | undefined, { queryArg: search }) => ({
          ...pageOf(leads, meta),
          search,
          total: totalOf(meta),
        }),
        infiniteQueryOptions: {
          ...byNextPage,
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
      leadTotals: build.query<LeadTotals, void>({
        queryFn: async (_nothing, _api, _options, call) => {
          const [contact, inquiry, career] = await Promise.all([
            call({ url: '/api/admin/contacts?limit=1' }),
            call({ url: '/api/admin/service-inquiries?limit=1' }),
            call({ url: '/api/admin/careers?limit=1' }),
          ]);
          const error = contact.error ?? inquiry.error ?? career.error;
          if (error) return { error };
          const [contacts, inquiries, applications] = [contact, inquiry, career].map(
            ({ meta }) => totalOf(meta)?.count ?? 0,
          );
          return {
            data: {
              contact: contacts ?? 0,
              service_inquiry: inquiries ?? 0,
              career_application: applications ?? 0,
            },
          };
        },
      }),
      /** The number of leads that are held as spam. */
      heldAsSpam: build.query<LeadTotal | undefined, void>({
        query: () => ({ url: '/api/admin/leads?spam=only&limit=1' }),
        transformResponse: (_leads: readonly ListedLead[], meta: ResponseMeta | undefined) => totalOf(meta),
        providesTags: ['HeldAsSpam'],
      }),
      /** Whether a mailbox is opted out of automatic emails. */
      isOptedOut: build.query<boolean, string>({
        query: (email) => ({ url: `/api/admin/opt-outs?email=${encodeURIComponent(email)}` }),
        transformResponse: (found: readonly unknown[]) => found.length > 0,
        providesTags: ['OptOut'],
      }),
      removeLeadMark: build.mutation<null, string>({
        query: (id) => ({ method: 'DELETE', url: `${addressOf(id)}/mark` }),
      }),
      lead: build.query<Lead, string>({
        query: (id) => ({ url: addressOf(id) }),
        providesTags: ['Lead'],
      }),
      leadHistory: build.infiniteQuery<Page<HistoryEntry>, string, string>({
        query: ({ queryArg: id, pageParam }) => ({
          url: `${addressOf(id)}/history${pageParam}`,
        }),
        transformResponse: pageOf<HistoryEntry>,
        infiniteQueryOptions: byNextPage,
        providesTags: (_page, _error, id) => historyOf(id),
      }),
      leadsOfAddress: build.query<readonly Lead[], string>({
        query: (email) => ({ url: `/api/admin/leads?${new URLSearchParams({ email }).toString()}` }),
      }),
      /** Changes a lead if its status, its owner and its answer are as `lead` shows them. */
      changeLead: build.mutation<Lead, { readonly lead: Lead; readonly change: LeadChange }>({
        query: ({ lead, change }) => ({
          method: 'PATCH',
          url: addressOf(lead.id),
          // For a server of 0.3.0.
          version: lead.version,
          body: { ...change, ...seenValues(lead) },
        }),
        invalidatesTags: (_changed, _error, { lead: { id } }) => historyOf(id),
        onQueryStarted: (_change, { dispatch, queryFulfilled }) => {
          queryFulfilled.then(
            ({ data }) => dispatch(replaceLead(data)),
            // The caller reports the failure.
            () => undefined,
          );
        },
      }),
      changeLeads: build.mutation<Json<typeof bulkChangeResponse>, BulkRequest>({
        query: ({ change, idempotencyKey }) => ({
          method: 'POST',
          url: '/api/admin/leads/bulk',
          body: change,
          idempotencyKey,
        }),
        invalidatesTags: ['Lead', 'LeadHistory', 'HeldAsSpam'],
      }),
      setLeadSpam: build.mutation<null, { readonly id: string; readonly isSpam: boolean }>({
        query: ({ id, isSpam }) => ({ method: 'POST', url: `${addressOf(id)}/${isSpam ? 'spam' : 'release'}` }),
        invalidatesTags: (_nothing, _error, { id }) => ['HeldAsSpam', ...historyOf(id)],
        onQueryStarted: ({ id }, { dispatch, queryFulfilled }) => {
          queryFulfilled.then(
            () => dispatch(reloadLead(id)),
            () => undefined,
          );
        },
      }),
      addNote: build.mutation<
        Note,
        { readonly leadId: string; readonly text: string; readonly idempotencyKey: string }
      >({
        query: ({ leadId, text, idempotencyKey }) => ({
          method: 'POST',
          url: notesOf(leadId),
          body: { text },
          idempotencyKey,
        }),
        invalidatesTags: (_note, _error, { leadId }) => historyOf(leadId),
      }),
      sendReply: build.mutation<StoredReply, NewReply>({
        query: ({ leadId, version, idempotencyKey, ...body }) => ({
          method: 'POST',
          url: repliesOf(leadId),
          body,
          idempotencyKey,
          version,
        }),
        invalidatesTags: (_reply, _error, { leadId }) => historyOf(leadId),
      }),
      undoReply: build.mutation<StoredReply, { readonly leadId: string; readonly id: string }>({
        query: ({ leadId, id }) => ({ method: 'POST', url: `${repliesOf(leadId)}/${encodeURIComponent(id)}/undo` }),
        invalidatesTags: (_reply, _error, { leadId }) => historyOf(leadId),
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
  return (dispatch: AppDispatch, getState: () => RootState): void => {
    dispatch(leadsApi.util.updateQueryData('lead', lead.id, () => lead));
    if (!isListed(lead)) return;
    for (const search of leadsApi.util.selectCachedArgsForQuery(getState(), 'leadList')) {
      dispatch(
        leadsApi.util.updateQueryData('leadList', search, ({ pages, pageParams }) => ({
          pageParams,
          pages: pages.map((page) => ({
            ...page,
            items: page.items.map((each) => (each.id === lead.id ? lead : each)),
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

/** Fetches a lead, and returns whether it does not exist any more. */
export function isLeadDeleted(id: string) {
  return async (dispatch: AppDispatch): Promise<boolean> => {
    const { error } = await dispatch(leadsApi.endpoints.lead.initiate(id, { forceRefetch: true, subscribe: false }));
    return isRequestFailure(error) && error.status === 404;
  };
}

/**
 * Fetches the whole history of a lead.
 * @returns the entries, oldest first; rejects with the failure of a request
 */
export function reloadHistory(id: string) {
  return async (dispatch: AppDispatch): Promise<readonly HistoryEntry[]> => {
    const { initiate } = leadsApi.endpoints.leadHistory;
    let data = await dispatch(initiate(id, { forceRefetch: true, subscribe: false })).unwrap();
    while (typeof data.pages.at(-1)?.next === 'string') {
      data = await dispatch(initiate(id, { direction: 'forward', subscribe: false })).unwrap();
    }
    return itemsOf(data) ?? [];
  };
}

export const {
  useLeadListInfiniteQuery,
  useLeadTotalsQuery,
  useHeldAsSpamQuery,
  useIsOptedOutQuery,
  useLeadQuery,
  useRemoveLeadMarkMutation,
  useLeadHistoryInfiniteQuery,
  useLeadsOfAddressQuery,
  useChangeLeadMutation,
  useChangeLeadsMutation,
  useSetLeadSpamMutation,
  useSendReplyMutation,
  useUndoReplyMutation,
  useAddNoteMutation,
  useEditNoteMutation,
  useDeleteNoteMutation,
} = leadsApi;

/** Returns the values of a lead that a change of one of them is compared with. */
function seenValues({ status, owner, response }: Lead) {
  return {
    ...(status !== null && { seenStatus: status }),
    seenOwnerId: owner?.id ?? null,
    // Without a clock, the page does not show whether the lead was answered.
    ...(response !== 'none' && { seenAnswered: response === 'answered' }),
  };
}

function totalOf(meta: ResponseMeta | undefined): LeadTotal | undefined {
  const number = (name: string): number => Number.parseInt(meta?.headers.get(name) ?? '', 10);
  const [count, over] = [number('X-Total-Count'), number('X-Total-Count-Over')];
  if (Number.isNaN(count) && Number.isNaN(over)) return undefined;
  return Number.isNaN(count) ? { count: over, isMore: true } : { count, isMore: false };
}

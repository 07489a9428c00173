import { api } from '../../api-client/base-api.ts';
import { nextSearch } from '../../api-client/pagination.ts';
import { type AnswerMeta, isRequestFailure } from '../../api-client/request.ts';
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

/** Removes the spam mark from a cached lead, so that the lists need no refetch. */
function unmark(lead: { readonly id: string; spamSign: Lead['spamSign'] }, id: string): void {
  if (lead.id === id) lead.spamSign = null;
}

export const leadsApi = api.enhanceEndpoints({ addTagTypes: ['Lead'] }).injectEndpoints({
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
    releaseLead: build.mutation<null, string>({
      query: (id) => ({ method: 'POST', url: `/api/admin/leads/${encodeURIComponent(id)}/release` }),
      async onQueryStarted(id, { dispatch, queryFulfilled }) {
        try {
          await queryFulfilled;
        } catch {
          // The caller reports the failure.
          return;
        }
        dispatch(leadsApi.util.updateQueryData('lead', id, (lead) => unmark(lead, id)));
        for (const kind of listedKinds) {
          dispatch(
            leadsApi.util.updateQueryData('leadList', kind, ({ pages }) => {
              for (const { leads } of pages) for (const lead of leads) unmark(lead, id);
            }),
          );
        }
      },
    }),
  }),
});

export const { useLeadListInfiniteQuery, useLazyLiveSessionQuery, useLeadQuery, useReleaseLeadMutation } = leadsApi;

function leadPage(leads: readonly LeadItem[], meta: AnswerMeta | undefined, kind: ListedKind): LeadPage {
  const total = meta?.headers.get('X-Total-Count') ?? '';
  return {
    leads: leads.map((lead) => withKind(kind, lead)),
    total: /^\d+$/.test(total) ? Number(total) : undefined,
    next: nextSearch(meta),
    loadedAt: Date.now(),
  };
}

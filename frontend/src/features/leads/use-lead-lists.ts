import { useCallback, useMemo, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../store/store.ts';
import { type ListedKind, listedKinds, type ListedLead } from './lead.ts';
import { leadsApi, useLeadListInfiniteQuery } from './leads-api.ts';

/** What is loaded of one kind, and how it goes on. */
export interface LeadList {
  readonly leads: readonly ListedLead[];
  readonly total: number | undefined;
  /** Also true before the first page is there. */
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  /** What could not be loaded, after all tries. What is loaded stays. */
  readonly failure: 'first' | 'next' | 'refresh' | undefined;
  /** Loads the next page, unless one is on its way or could not be loaded. */
  readonly loadMore: () => void;
  /** Tries again what has failed. */
  readonly retry: () => void;
}

export type LeadLists = Readonly<Record<ListedKind, LeadList>>;

/** The three lists, each loaded page by page and never by itself again (docs/PRODUCT.md, "Fresh data"). */
export function useLeadLists(): {
  readonly lists: LeadLists;
  /** Also while a first page is on its way. */
  readonly isRefreshing: boolean;
  /** Reads all lists anew, from the top. */
  readonly refresh: () => Promise<void>;
} {
  const dispatch = useDispatch<AppDispatch>();
  const [isRefreshing, setIsRefreshing] = useState(false);
  const contact = useLeadList('contact', isRefreshing);
  const inquiry = useLeadList('service_inquiry', isRefreshing);
  const career = useLeadList('career_application', isRefreshing);

  const refresh = useCallback(async () => {
    setIsRefreshing(true);
    dispatch(leadsApi.util.invalidateTags(['Lead']));
    await Promise.all(
      listedKinds.map(async (kind) => {
        // A list under way would take no second request.
        await dispatch(leadsApi.util.getRunningQueryThunk('leadList', kind));
        await dispatch(leadsApi.endpoints.leadList.initiate(kind, { forceRefetch: true, subscribe: false }));
      }),
    );
    setIsRefreshing(false);
  }, [dispatch]);

  const lists = useMemo(
    () => ({ contact, service_inquiry: inquiry, career_application: career }),
    [contact, inquiry, career],
  );
  const isLoadingFirst = [contact, inquiry, career].some(({ isFetching, total }) => isFetching && total === undefined);
  return { lists, isRefreshing: isRefreshing || isLoadingFirst, refresh };
}

function useLeadList(kind: ListedKind, isRefreshing: boolean): LeadList {
  const { data, isFetching, isError, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } =
    useLeadListInfiniteQuery(kind);
  const pages = data?.pages;
  const leads = useMemo(() => pages?.flatMap((page) => page.leads) ?? [], [pages]);

  return useMemo(() => {
    const laterFailure = isFetchNextPageError ? 'next' : 'refresh';
    return {
      leads,
      total: pages?.at(-1)?.total,
      hasMore: pages === undefined || hasNextPage,
      isFetching,
      failure: isError ? (pages === undefined ? 'first' : laterFailure) : undefined,
      loadMore: () => {
        if (pages !== undefined && hasNextPage && !isFetching && !isError && !isRefreshing) void fetchNextPage();
      },
      retry: () => {
        if (isError) void (isFetchNextPageError ? fetchNextPage() : refetch());
      },
    };
  }, [leads, pages, hasNextPage, isFetching, isError, isFetchNextPageError, isRefreshing, fetchNextPage, refetch]);
}

import { useCallback, useMemo, useState } from 'react';
import { useDispatch } from 'react-redux';
import { oldestTime } from '../../format/dates.ts';
import type { AppDispatch } from '../../store/store.ts';
import { type ListedKind, listedKinds, type ListedLead } from './lead.ts';
import { leadsApi, useLeadListInfiniteQuery } from './leads-api.ts';

/** The loaded leads of one kind and the state of the loading. */
export interface LeadList {
  readonly leads: readonly ListedLead[];
  readonly total: number | undefined;
  /** The time at which the first page was loaded, in milliseconds since the epoch. */
  readonly loadedAt: number | undefined;
  /** Also true until the first page has loaded. */
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  /** The part that failed to load after all retries. Loaded leads stay. */
  readonly failure: 'first' | 'next' | 'refresh' | undefined;
  /** Loads the next page, unless it is loading or has failed. */
  readonly loadMore: () => void;
  /** Retries the failed request. */
  readonly retry: () => void;
}

export type LeadLists = Readonly<Record<ListedKind, LeadList>>;

/** Loads the three lists page by page, without refetching on its own (docs/PRODUCT.md, "Fresh data"). */
export function useLeadLists(): {
  readonly lists: LeadLists;
  /** Also true while a first page loads. */
  readonly isRefreshing: boolean;
  /** The time at which the oldest of the lists was loaded from its start, in milliseconds; undefined until all are. */
  readonly loadedAt: number | undefined;
  /** Refetches all lists from the first page. */
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
        // A running query would ignore a second request.
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
  const loadedAt = oldestTime([contact, inquiry, career].map((list) => list.loadedAt));
  return { lists, isRefreshing: isRefreshing || isLoadingFirst, loadedAt, refresh };
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
      loadedAt: pages?.[0]?.loadedAt,
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

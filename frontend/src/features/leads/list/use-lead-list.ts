import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../../store/store.ts';
import type { ListedLead } from '../lead.ts';
import { kindOfSearch } from '../lead-filter.ts';
import { leadsApi, type LeadPage, useLeadListInfiniteQuery } from '../leads-api.ts';

/** The loaded leads of a search and the state of the loading. */
export interface LeadList {
  readonly rows: readonly ListedLead[];
  /** Whether the rows are those of the previous search, because this one has not loaded yet. */
  readonly isOutdated: boolean;
  /** The number of leads once all are loaded; undefined if unknown. */
  readonly total: LeadPage['total'];
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

/** Returns the number of leads of a list; undefined if it is unknown or not exact. */
export function exactTotal({ rows, hasMore, total }: LeadList): number | undefined {
  if (!hasMore) return rows.length;
  return total?.isMore === false ? total.count : undefined;
}

/**
 * Loads the leads of a search page by page, without refetching on its own (docs/PRODUCT.md, "Fresh data"). Another
 * search is always loaded. Until it has been, the leads of the previous one stay if they are in the same tab.
 * @param search - the query string for the API
 */
export function useLeadList(search: string): {
  readonly list: LeadList;
  /** Also true while the first page loads. */
  readonly isRefreshing: boolean;
  /** The time at which the list was loaded from its start, in milliseconds; undefined until it is. */
  readonly loadedAt: number | undefined;
  /** Refetches the list from the first page. */
  readonly refresh: () => Promise<void>;
  /** Refetches the pages that are loaded. */
  readonly reload: () => Promise<unknown>;
} {
  const dispatch = useDispatch<AppDispatch>();
  const [isRefreshing, setIsRefreshing] = useState(false);
  const [first, setFirst] = useState<string | undefined>(search);
  if (first !== undefined && first !== search) setFirst(undefined);
  const { data, currentData, isFetching, isError, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } =
    useLeadListInfiniteQuery(search, { refetchOnMountOrArgChange: first === undefined });
  const isOfTab = data?.pages[0] && kindOfSearch(data.pages[0].search) === kindOfSearch(search);
  const pages = (currentData ?? (isOfTab === true && !isError ? data : undefined))?.pages;
  const isCurrent = currentData !== undefined;
  // On a slow connection, the requests of earlier searches would delay the current one.
  useEffect(() => () => dispatch(leadsApi.util.getRunningQueryThunk('leadList', search))?.abort(), [dispatch, search]);
  const rows = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages]);

  const list = useMemo((): LeadList => {
    const laterFailure = isFetchNextPageError ? 'next' : 'refresh';
    return {
      rows,
      isOutdated: !isCurrent,
      total: isCurrent ? pages?.at(-1)?.total : undefined,
      hasMore: !isCurrent || hasNextPage,
      isFetching,
      failure: isError ? (isCurrent ? laterFailure : 'first') : undefined,
      loadMore: () => {
        if (isCurrent && hasNextPage && !isFetching && !isError && !isRefreshing) void fetchNextPage();
      },
      retry: () => {
        if (isError) void (isFetchNextPageError ? fetchNextPage() : refetch());
      },
    };
  }, [
    rows,
    pages,
    isCurrent,
    hasNextPage,
    isFetching,
    isError,
    isFetchNextPageError,
    isRefreshing,
    fetchNextPage,
    refetch,
  ]);

  const refresh = useCallback(async () => {
    setIsRefreshing(true);
    dispatch(leadsApi.util.invalidateTags(['Lead', 'HeldAsSpam']));
    // Before the list: a lead that arrives in between is announced although it is shown, but none is missed.
    await dispatch(leadsApi.endpoints.leadTotals.initiate(undefined, { forceRefetch: true, subscribe: false }));
    // A running query would ignore a second request.
    await dispatch(leadsApi.util.getRunningQueryThunk('leadList', search));
    await dispatch(leadsApi.endpoints.leadList.initiate(search, { forceRefetch: true, subscribe: false }));
    setIsRefreshing(false);
  }, [dispatch, search]);

  return {
    list,
    isRefreshing: isRefreshing || (isFetching && !isCurrent),
    loadedAt: isCurrent ? pages?.[0]?.loadedAt : undefined,
    refresh,
    reload: () => refetch({ refetchCachedPages: true }),
  };
}

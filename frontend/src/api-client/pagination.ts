import type { ResponseMeta } from './request.ts';

/**
 * Reads the next page of a list from the response's `Link` header (docs/PRODUCT.md, "Lists").
 * @returns the query string of the next page, which has the same path; null on the last page
 */
function nextSearch(meta: ResponseMeta | undefined): string | null {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(meta?.headers.get('Link') ?? '') ?? [];
  return next === undefined ? null : new URL(next, location.origin).search;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The query string of the next page; null on the last page. */
  readonly next: string | null;
  /** The time of the response, in milliseconds since the epoch. */
  readonly loadedAt: number;
}

/** Converts a response to a page. */
export const pageOf = <Item>(items: readonly Item[], meta: ResponseMeta | undefined): Page<Item> => ({
  items,
  next: nextSearch(meta),
  loadedAt: Date.now(),
});

/** The `infiniteQueryOptions` of a list whose page parameter is the query string of the page; empty for the first. */
export const byNextPage = {
  initialPageParam: '',
  getNextPageParam: ({ next }: Pick<Page<unknown>, 'next'>) => next,
};

/** Returns the items of all loaded pages; undefined until the first has loaded. */
export const itemsOf = <Item>(data: { readonly pages: readonly Page<Item>[] } | undefined): Item[] | undefined =>
  data?.pages.flatMap(({ items }) => items);

import type { ResponseMeta } from './request.ts';

/**
 * Reads the next page of a list from the response's `Link` header (docs/PRODUCT.md, "Lists").
 * @returns the query string of the next page, which has the same path; null on the last page
 */
export function nextSearch(meta: ResponseMeta | undefined): string | null {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(meta?.headers.get('Link') ?? '') ?? [];
  return next === undefined ? null : new URL(next, location.origin).search;
}

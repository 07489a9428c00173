import type { AnswerMeta } from './request.ts';

/**
 * Where a list goes on, by the answer's `Link` header (docs/PRODUCT.md, "Lists").
 * @returns the search of the next page's address, since a list goes on at its own path; null on the last page
 */
export function nextSearch(meta: AnswerMeta | undefined): string | null {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(meta?.headers.get('Link') ?? '') ?? [];
  return next === undefined ? null : new URL(next, location.origin).search;
}

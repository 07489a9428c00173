import { hash } from 'node:crypto';
import { string, wholeNumber } from '@dune-tide/domain/responses/schema';
import { maxPageSize } from '@dune-tide/domain/limits';
import { uuidForm } from '@dune-tide/domain/uuid';
import type { ResponseHeaders } from '../response-description.ts';
import type { Context } from '../context.ts';
import { invalidParameter } from '../errors/problem.ts';
import type { Query, QueryValues } from './query.ts';

const foreignCursor = 'must come from the Link header of this list';

/** The query parameters of a list call. */
export const pageQuery = {
  limit: {
    description: 'The maximum number of entries on a page.',
    schema: { type: 'integer', minimum: 1, maximum: maxPageSize, default: maxPageSize },
  },
  cursor: {
    description: 'The start of the page, from the Link header of the previous page.',
    schema: string,
    message: foreignCursor,
  },
} as const satisfies Query;

/** The headers of a list response. */
export const pageHeaders: ResponseHeaders = {
  'X-Total-Count': { description: 'The total number of entries on all pages.', schema: wholeNumber },
  Link: { description: 'The next page (RFC 8288), if there is one.', schema: string, isOptional: true },
};

/** The headers of a list whose entries are counted only up to a limit. */
export const countedPageHeaders: ResponseHeaders = {
  ...pageHeaders,
  'X-Total-Count': {
    description: 'The total number of entries, if it is not too large.',
    schema: wholeNumber,
    isOptional: true,
  },
  'X-Total-Count-Over': {
    description: 'Sent instead of a larger total: a number that the total exceeds.',
    schema: wholeNumber,
    isOptional: true,
  },
};

/** A time in milliseconds since 1970, a UUID, and the total if the cursor has one. */
const wellFormedPlace = new RegExp(`^(\\d{1,13})\\.(${uuidForm})(?:\\.(\\d+))?$`);

/** The position of an entry in its list. */
interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

/** The start of a page. */
interface PageStart {
  readonly after: Place;
  /** The total that the cursor has. */
  readonly total: number | undefined;
}

/** The validated query of a list call: `limit` and `cursor`, and the filters that select its entries. */
type ListQuery = QueryValues<typeof pageQuery> & Readonly<Record<string, unknown>>;

interface ListSource<Entry> {
  /** The name of the list, without its filters. */
  readonly list: string;
  readonly total: () => Promise<number>;
  /**
   * The largest total that is returned; by default every total is. The later pages of such a list have the total of the
   * first, because counting takes as long as finding them.
   */
  readonly maxTotal?: number;
  readonly page: (limit: number, after: Place | undefined) => Promise<readonly Entry[]>;
  /** Returns the position of an entry in a list that is not ordered by time. */
  readonly place?: (entry: Entry) => Place;
}

/**
 * Reads the page that the query selects, and sets the headers with the total and the link to the next page
 * (docs/PRODUCT.md, "Lists"). A cursor belongs to the list and to the values of the filters, so it does not depend on how
 * the filters were written.
 * @param query - the validated query; only its values, which have one spelling, identify the list
 * @returns the page's entries
 * @throws {Problem} 422 if the cursor is not from this list
 */
export async function readPage<Entry extends Place>(
  ctx: Context,
  { limit, cursor, ...filters }: ListQuery,
  source: ListSource<Entry>,
): Promise<Entry[]> {
  const search = searchOf(filters);
  const list = [source.list, search].filter(Boolean).join(' ');
  const { after, total: earlier } = cursor === undefined ? {} : readCursor(list, cursor);
  // One more entry than the limit shows whether there is a next page.
  const reading = source.page(limit + 1, after);
  // A first page that is not full has all entries; counting those of a search would take as long as finding them.
  const isAll = after === undefined && (await reading).length <= limit;
  const [found, total] = await Promise.all([reading, isAll ? (await reading).length : (earlier ?? source.total())]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const { maxTotal = Infinity } = source;
  if (total > maxTotal) ctx.set('X-Total-Count-Over', String(maxTotal));
  else ctx.set('X-Total-Count', String(total));
  if (last && found.length > limit) {
    const kept = source.maxTotal === undefined ? undefined : total;
    const place = `cursor=${cursorBehind(list, source.place?.(last) ?? last, kept)}&limit=${limit}`;
    ctx.set('Link', `<${ctx.path}?${[search, place].filter(Boolean).join('&')}>; rel="next"`);
  }
  return page;
}

/** Returns filters as a query string, which is the same for the same values. */
function searchOf(filters: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(filters).toSorted()) {
    const values: unknown[] = [filters[name] ?? []].flat();
    for (const value of values) search.append(name, String(value));
  }
  return search.toString();
}

/**
 * Returns the cursor of the page after an entry. Its format is opaque to clients.
 * @param total - the total of the list, for a list whose later pages are not counted
 */
export function cursorBehind(list: string, { createdAt, id }: Place, total?: number): string {
  const place = [createdAt.getTime(), id, ...(total === undefined ? [] : [total])].join('.');
  return Buffer.from(`${place}.${checksum(list, place)}`).toString('base64url');
}

/** @throws {Problem} 422 if the cursor is not from the list */
function readCursor(list: string, cursor: string): PageStart {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, milliseconds, id = '', count] = wellFormedPlace.exec(text.slice(0, text.lastIndexOf('.'))) ?? [];
  const after = { createdAt: new Date(Number(milliseconds)), id };
  const total = count === undefined ? undefined : Number(count);
  // Several base64url texts decode to the same bytes, so the whole cursor is compared.
  if (milliseconds !== undefined && cursorBehind(list, after, total) === cursor) return { after, total };
  throw invalidParameter('cursor', `cursor ${foreignCursor}`);
}

/** Detects a cursor that was truncated, mistyped or made for another list. It is not a secret. */
function checksum(list: string, place: string): string {
  return hash('sha256', `${list} ${place}`, 'base64url').slice(0, 8);
}

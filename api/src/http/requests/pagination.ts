import { hash } from 'node:crypto';
import { string, wholeNumber } from '@dune-tide/domain/responses/schema';
import { maxPageSize } from '@dune-tide/domain/limits';
import { uuidForm } from '@dune-tide/domain/uuid';
import type { ResponseHeaders } from '../response-description.ts';
import type { Context } from '../context.ts';
import type { Parameter } from '../operation.ts';
import { invalidParameter } from '../errors/problem.ts';

const pageSize = { type: 'integer', minimum: 1, maximum: maxPageSize, default: maxPageSize } as const;

/** What a list call takes. */
export const pageParameters: readonly Parameter[] = [
  { in: 'query', name: 'limit', description: 'The most entries of a page.', schema: pageSize },
  { in: 'query', name: 'cursor', description: 'Where a page begins, as the link to it says.', schema: string },
];

/** What a list call's answer says besides the entries. */
export const pageHeaders: ResponseHeaders = {
  'X-Total-Count': { description: 'How many entries all pages have together.', schema: wholeNumber },
  Link: { description: 'The next page (RFC 8288), if there is one.', schema: string, isOptional: true },
};

const wellFormedLimit = /^[1-9]\d{0,2}$/;
/** Milliseconds of any year that the database takes, and a UUID. */
const wellFormedPlace = new RegExp(`^(\\d{1,13})\\.(${uuidForm})$`);

/** Where an entry stands in its list. */
interface Place {
  readonly createdAt: Date;
  readonly id: string;
}

/** The part of a list that a request asks for. */
interface PageRequest {
  readonly limit: number;
  readonly after: Place | undefined;
}

interface ListSource<Entry> {
  /** Which list; a cursor of another one is refused. */
  readonly list: string;
  /** What else a link to the list says, e.g. its order. */
  readonly query?: string;
  readonly total: () => Promise<number>;
  readonly page: (limit: number, after: Place | undefined) => Promise<readonly Entry[]>;
}

/**
 * Reads the page that a list call asks for, with `limit` and `cursor`. The answer's body is a plain array; the total and
 * the way to the next page are headers, set here (docs/PRODUCT.md, "Lists").
 * @returns the page's entries
 * @throws {Problem} 422 on a limit that is none from 1 to 100, or a cursor that this list never gave out
 */
export async function readPage<Entry extends Place>(ctx: Context, source: ListSource<Entry>): Promise<Entry[]> {
  const { limit, after } = pageRequest(ctx, source.list);
  // One more tells whether there is a next page.
  const [total, found] = await Promise.all([source.total(), source.page(limit + 1, after)]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  ctx.set('X-Total-Count', String(total));
  if (last && found.length > limit) {
    const place = `cursor=${cursorBehind(source.list, last)}&limit=${limit}`;
    ctx.set('Link', `<${ctx.path}?${[source.query, place].filter(Boolean).join('&')}>; rel="next"`);
  }
  return page;
}

function pageRequest(ctx: Context, list: string): PageRequest {
  const { limit = String(pageSize.default), cursor } = ctx.query;
  if (typeof limit !== 'string' || !wellFormedLimit.test(limit) || Number(limit) > pageSize.maximum) {
    throw invalidParameter('limit', `limit must be a number from ${pageSize.minimum} to ${pageSize.maximum}`);
  }
  if (cursor === undefined) return { limit: Number(limit), after: undefined };
  const after = typeof cursor === 'string' ? placeOf(list, cursor) : undefined;
  if (!after) throw invalidParameter('cursor', 'cursor must be one that this list gave out');
  return { limit: Number(limit), after };
}

/** The cursor of the page behind an entry, opaque to whoever gets it. */
export function cursorBehind(list: string, { createdAt, id }: Place): string {
  const place = `${createdAt.getTime()}.${id}`;
  return Buffer.from(`${place}.${checksum(list, place)}`).toString('base64url');
}

function placeOf(list: string, cursor: string): Place | undefined {
  const [milliseconds = '', id = '', sum] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  if (!wellFormedPlace.test(`${milliseconds}.${id}`)) return undefined;
  const place = { createdAt: new Date(Number(milliseconds)), id };
  // Compared as a whole: base64url can be read from more texts than it is written as.
  return sum !== undefined && cursorBehind(list, place) === cursor ? place : undefined;
}

/** No secret: it finds what was cut off or mistyped, and a cursor says nothing that its reader may not know. */
function checksum(list: string, place: string): string {
  return hash('sha256', `${list} ${place}`, 'base64url').slice(0, 8);
}

import { createHash } from 'node:crypto';
import type { LeadPlace } from '@dune-tide/db/lead-lists';
import type { Context } from 'koa';
import { string, wholeNumber } from '../http/answer-schema.ts';
import { Problem } from '../http/problem.ts';
import type { AnswerHeaders, Parameter } from '../openapi/operation.ts';

const pageSize = { type: 'integer', minimum: 1, maximum: 100, default: 100 } as const;

/** What a list call takes. */
export const pageParameters: readonly Parameter[] = [
  { in: 'query', name: 'limit', description: 'The most entries of a page.', schema: pageSize },
  { in: 'query', name: 'cursor', description: 'Where a page begins, as the link to it says.', schema: string },
];

/** What a list call's answer says besides the entries. */
export const pageHeaders: AnswerHeaders = {
  'X-Total-Count': { description: 'How many entries all pages have together.', schema: wholeNumber },
  Link: { description: 'The next page (RFC 8288), if there is one.', schema: string, isOptional: true },
};

const wellFormedLimit = /^[1-9]\d{0,2}$/;
/** Milliseconds of any year that the database takes, and a UUID. */
const wellFormedPlace = /^(\d{1,13})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The part of a list that a request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly after: LeadPlace | undefined;
}

/**
 * Reads `limit` and `cursor` of a list call.
 * @param list - which list; a cursor of another one is refused
 * @throws {Problem} 400 on a limit that is none from 1 to 100, or a cursor that this list never gave out
 */
export function pageRequest(ctx: Context, list: string): PageRequest {
  const { limit = String(pageSize.default), cursor } = ctx.query;
  if (typeof limit !== 'string' || !wellFormedLimit.test(limit) || Number(limit) > pageSize.maximum) {
    throw new Problem(400, { detail: `limit must be a number from ${pageSize.minimum} to ${pageSize.maximum}.` });
  }
  if (cursor === undefined) return { limit: Number(limit), after: undefined };
  const after = typeof cursor === 'string' ? placeOf(list, cursor) : undefined;
  if (!after) throw new Problem(400, { detail: 'cursor must be one that this list gave out.' });
  return { limit: Number(limit), after };
}

/** The cursor of the page behind a lead, opaque to whoever gets it. */
export function cursorBehind(list: string, { createdAt, id }: LeadPlace): string {
  const place = `${createdAt.getTime()}.${id}`;
  return Buffer.from(`${place}.${checksum(list, place)}`).toString('base64url');
}

function placeOf(list: string, cursor: string): LeadPlace | undefined {
  const [milliseconds = '', id = '', sum] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  if (!wellFormedPlace.test(`${milliseconds}.${id}`)) return undefined;
  const place = { createdAt: new Date(Number(milliseconds)), id };
  // Compared as a whole: base64url can be read from more texts than it is written as.
  return sum !== undefined && cursorBehind(list, place) === cursor ? place : undefined;
}

/** No secret: it finds what was cut off or mistyped, and a cursor says nothing that its reader may not know. */
function checksum(list: string, place: string): string {
  return createHash('sha256').update(`${list} ${place}`).digest('base64url').slice(0, 8);
}

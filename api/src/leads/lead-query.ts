import type { LeadQuery } from '@dune-tide/db/leads';
import { emailPattern } from '@dune-tide/domain/forms/fields';
import { leadResponses, leadStatuses, workedKinds } from '@dune-tide/domain/leads';
import { maxLength } from '@dune-tide/domain/limits';
import { array, oneOf, string } from '@dune-tide/domain/responses/schema';
import { isUuid } from '@dune-tide/domain/uuid';
import { staffOf } from '../auth/session.ts';
import type { Context } from '../http/context.ts';
import { invalidParameter } from '../http/errors/problem.ts';
import type { Parameter } from '../http/operation.ts';

const spamFilters = ['with', 'without', 'only'] as const;
const sorts = ['newest', 'due'] as const;

const parameter = (name: string, description: string, schema: Parameter['schema']): Parameter => {
  return { in: 'query', name, description, schema };
};

/** The query parameters with which staff find leads (docs/PRODUCT.md, "Search"). */
export const leadQueryParameters: readonly Parameter[] = [
  parameter('q', 'Words that a lead must have.', { ...string, minLength: 1, maxLength: maxLength.search }),
  parameter('kind', 'May repeat.', array(oneOf(workedKinds))),
  parameter('status', 'May repeat.', array(oneOf(leadStatuses))),
  parameter('owner', '"me", "none", or the id of an account.', string),
  parameter('response', 'May repeat.', array(oneOf(leadResponses))),
  parameter('from', 'The first day on which they were received, in the time zone of the studio.', {
    ...string,
    format: 'date',
  }),
  parameter('to', 'The last day on which they were received, in the time zone of the studio.', {
    ...string,
    format: 'date',
  }),
  parameter('spam', 'Whether leads that are held as spam are included.', { ...oneOf(spamFilters), default: 'with' }),
  parameter('email', 'The email address, in upper or lower case.', string),
  parameter('sort', '"due" lists only leads that need an answer, the one that is due first in front.', {
    ...oneOf(sorts),
    default: 'newest',
  }),
];

/**
 * Reads the query parameters with which staff find leads.
 * @param timeZone - of `from` and `to`
 * @returns the query, and its parameters in one form, for links
 * @throws {Problem} 422 for an invalid parameter
 */
export function readLeadQuery(ctx: Context, timeZone: string): { readonly query: LeadQuery; readonly search: string } {
  const words = single(ctx, 'q');
  if (words !== undefined && (words === '' || Array.from(words).length > maxLength.search)) {
    throw invalidParameter('q', `q must have 1 to ${maxLength.search} characters`);
  }
  const email = single(ctx, 'email');
  if (email !== undefined && !(email.length <= maxLength.email && wellFormedEmail.test(email))) {
    throw invalidParameter('email', 'email must be an email address');
  }
  const spam = oneOfValues(ctx, 'spam', spamFilters) ?? 'with';
  const query: LeadQuery = {
    words,
    kinds: severalOf(ctx, 'kind', workedKinds),
    statuses: severalOf(ctx, 'status', leadStatuses),
    ownerId: ownerOf(ctx),
    responses: severalOf(ctx, 'response', leadResponses),
    from: dayOf(ctx, 'from'),
    to: dayOf(ctx, 'to'),
    timeZone,
    spam: spam === 'with' ? undefined : spam,
    email,
    sort: oneOfValues(ctx, 'sort', sorts) ?? 'newest',
  };
  return { query, search: searchOf(ctx) };
}

const wellFormedEmail = new RegExp(emailPattern, 'u');

/** @throws {Problem} 422 if the parameter repeats */
function single(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  if (Array.isArray(value)) throw invalidParameter(name, `${name} must not repeat`);
  return value;
}

function severalOf<Value extends string>(ctx: Context, name: string, known: readonly Value[]): readonly Value[] {
  const values = [ctx.query[name] ?? []].flat();
  return [...new Set(values)].map((value) => oneKnown(name, value, known));
}

function oneOfValues<Value extends string>(ctx: Context, name: string, known: readonly Value[]): Value | undefined {
  const value = single(ctx, name);
  return value === undefined ? undefined : oneKnown(name, value, known);
}

function oneKnown<Value extends string>(name: string, value: string, known: readonly Value[]): Value {
  const found = known.find((each) => each === value);
  if (found === undefined) throw invalidParameter(name, `${name} must be one of ${known.join(', ')}`);
  return found;
}

function ownerOf(ctx: Context): string | null | undefined {
  const owner = single(ctx, 'owner');
  if (owner === undefined) return undefined;
  if (owner === 'none') return null;
  if (owner === 'me') return staffOf(ctx).id;
  if (isUuid(owner)) return owner.toLowerCase();
  throw invalidParameter('owner', 'owner must be me, none or the id of an account');
}

const wellFormedDay = /^(?!0000)\d{4}-\d\d-\d\d$/;

function dayOf(ctx: Context, name: 'from' | 'to'): string | undefined {
  const day = single(ctx, name);
  if (day === undefined) return undefined;
  const time = wellFormedDay.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts the 30th of February.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(day)) return day;
  throw invalidParameter(name, `${name} must be a day, as YYYY-MM-DD`);
}

/** Returns the parameters of the query in one order, so that the cursor of a page belongs to them. */
function searchOf(ctx: Context): string {
  const search = new URLSearchParams();
  for (const { name } of leadQueryParameters) {
    for (const value of [ctx.query[name] ?? []].flat().toSorted()) search.append(name, value);
  }
  return search.toString();
}

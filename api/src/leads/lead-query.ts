import type { LeadQuery } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { leadResponses, leadStatuses, workedKinds } from '@dune-tide/domain/leads';
import { maxLength } from '@dune-tide/domain/limits';
import { array, oneOf, string, uuid } from '@dune-tide/domain/responses/schema';
import { emailParameter, type Query, type QueryValues } from '../http/requests/query.ts';

const once = { repeatedMessage: 'must not repeat' };
const day = {
  schema: { ...string, format: 'date' },
  message: 'must be a day, as YYYY-MM-DD',
  ...once,
} as const;

/** The query parameters with which staff find leads (docs/PRODUCT.md, "Search"). */
export const leadQuery = {
  q: {
    description: 'Words that a lead must have.',
    schema: { ...string, minLength: 1, maxLength: maxLength.search },
    message: `must have 1 to ${maxLength.search} characters`,
    ...once,
  },
  kind: { description: 'May repeat.', schema: array(oneOf(workedKinds)) },
  status: { description: 'May repeat.', schema: array(oneOf(leadStatuses)) },
  owner: {
    description: '"me", "none", or the id of an account.',
    schema: { anyOf: [oneOf(['me', 'none']), uuid] },
    message: 'must be me, none or the id of an account',
    ...once,
  },
  response: { description: 'May repeat.', schema: array(oneOf(leadResponses)) },
  from: { description: 'The first day on which they were received, in the time zone of the studio.', ...day },
  to: { description: 'The last day on which they were received, in the time zone of the studio.', ...day },
  spam: {
    description: 'Whether leads that are held as spam are included.',
    schema: { ...oneOf(['with', 'without', 'only']), default: 'with' },
    ...once,
  },
  marked: {
    description: 'Only leads that are marked for the account that makes the call.',
    schema: oneOf(['me']),
    ...once,
  },
  email: { ...emailParameter, ...once },
  sort: {
    description: '"due" lists only leads that need an answer, the one that is due first in front.',
    schema: { ...oneOf(['newest', 'due']), default: 'newest' },
    ...once,
  },
} as const satisfies Query;

/**
 * Returns the search for a validated query.
 * @param ownId - the id of the account that is signed in
 */
export function leadQueryOf(values: QueryValues<typeof leadQuery>, ownId: string): LeadQuery {
  const { q: words, kind = [], status = [], owner, response = [], from, to, spam, marked, email, sort } = values;
  return {
    words,
    kinds: kind,
    statuses: status,
    ownerId: owner === 'none' ? null : owner === 'me' ? ownId : owner,
    responses: response,
    from,
    to,
    timeZone: brand.timeZone,
    spam: spam === 'with' ? undefined : spam,
    markedFor: marked && ownId,
    email,
    sort,
  };
}

import { brand } from '@dune-tide/domain/brand';
import { leadResponses, leadStatuses, workedKinds, type LeadResponse, type LeadStatus } from '@dune-tide/domain/leads';
import { maxLength } from '@dune-tide/domain/limits';
import { isUuid } from '@dune-tide/domain/uuid';
import { DateTime } from 'luxon';
import { serverNow } from '../../api-client/server-clock.ts';
import { leadsSearch, type LeadsSearch } from '../../routing/staff-paths.ts';
import type { LeadTab } from './lead-tabs.ts';
import { statusLabel } from './lead-labels.ts';
import type { LeadStaff } from './lead-staff.ts';

/** The part of the leads that the page shows. An empty text or list allows every value. */
export interface LeadFilter extends Required<LeadsSearch> {
  readonly tab: LeadTab;
  readonly response: readonly LeadResponse[];
  readonly status: readonly LeadStatus[];
  readonly spam: '' | 'with' | 'only';
  readonly marked: '' | 'me';
  readonly sort: '' | 'due';
}

/** All leads but those that are held as spam, newest first. */
export const noFilter: LeadFilter = {
  tab: 'all',
  q: '',
  response: [],
  status: [],
  owner: '',
  from: '',
  to: '',
  spam: '',
  marked: '',
  sort: '',
};

/** The responses of leads that need an answer. */
export const unanswered = ['overdue', 'soon', 'waiting'] as const satisfies readonly LeadResponse[];

/**
 * Reads the filter of the page. Unknown parameters and values are ignored.
 * @param search - the query string, which may come from anyone
 */
export function readFilter(search: string): LeadFilter {
  const params = new URLSearchParams(search);
  const text = (name: string): string => params.get(name) ?? '';
  const oneOf = <Value extends string, None>(name: string, known: readonly Value[], none: None): Value | None =>
    known.find((value) => value === params.get(name)) ?? none;
  const severalOf = <Value extends string>(name: string, known: readonly Value[]): readonly Value[] => {
    const values = params.getAll(name);
    return known.filter((value) => values.includes(value));
  };
  const owner = text('owner');
  return {
    tab: oneOf('tab', workedKinds, 'all'),
    q: Array.from(text('q')).slice(0, maxLength.search).join(''),
    response: severalOf('response', leadResponses),
    status: severalOf('status', leadStatuses),
    owner: owner === 'me' || owner === 'none' || isUuid(owner) ? owner : '',
    from: dayOf(text('from')),
    to: dayOf(text('to')),
    spam: oneOf('spam', ['with', 'only'], ''),
    marked: oneOf('marked', ['me'], ''),
    sort: oneOf('sort', ['due'], ''),
  };
}

const dayOf = (text: string): string => (DateTime.fromFormat(text, 'yyyy-MM-dd').isValid ? text : '');

/** Returns the query string of the page for a filter. */
export const writeFilter = ({ tab, q, ...filter }: LeadFilter): string =>
  leadsSearch({ ...filter, q: q.trim(), ...(tab !== 'all' && { tab }) });

/** Returns whether a query string of the page has a parameter or a value that the page ignores. */
export function hasUnknownParts(search: string): boolean {
  const known = new URLSearchParams(writeFilter(readFilter(search)));
  return [...new URLSearchParams(search)].some(([name, value]) => !known.getAll(name).includes(value.trim()));
}

/** Returns the query string of GET /api/admin/leads for a filter; the page hides leads that are held as spam. */
export function apiSearch({ tab, spam, ...filter }: LeadFilter): string {
  const params = new URLSearchParams(leadsSearch({ ...filter, q: filter.q.trim() }));
  if (tab !== 'all') params.set('kind', tab);
  params.set('spam', spam === '' ? 'without' : spam);
  return `?${params.toString()}`;
}

/** Returns the kind of leads in a query string for the API; null for all kinds. */
export const kindOfSearch = (search: string): string | null => new URLSearchParams(search).get('kind');

/** Returns whether a filter leaves out any lead of its tab, or changes their order. */
export const isFiltered = (filter: LeadFilter): boolean => writeFilter({ ...filter, tab: 'all' }) !== '';

/** Returns the unanswered leads of yesterday in a time zone. */
function unansweredFromYesterday(zone: string, now: Date): LeadsSearch {
  const yesterday = DateTime.fromJSDate(now, { zone }).minus({ days: 1 }).toFormat('yyyy-MM-dd');
  return { response: unanswered, from: yesterday, to: yesterday };
}

/**
 * Returns the views that the page has by default.
 * @param timeZone - that of the studio
 */
export function builtInViews(
  timeZone: string = brand.timeZone,
  now = new Date(serverNow()),
): readonly { readonly name: string; readonly part: LeadsSearch }[] {
  return [
    { name: 'Needs an answer', part: { response: unanswered, sort: 'due' } },
    { name: 'Mine', part: { owner: 'me' } },
    { name: 'New for you', part: { marked: 'me' } },
    { name: 'Unowned', part: { response: unanswered, owner: 'none' } },
    { name: 'Spam', part: { spam: 'only' } },
    { name: 'Unanswered from yesterday', part: unansweredFromYesterday(timeZone, now) },
  ];
}

export const responseLabels: Readonly<Record<LeadResponse, string>> = {
  overdue: 'Overdue',
  soon: 'Due soon',
  waiting: 'Waiting',
  answered: 'Answered',
  none: 'No answer expected',
};

/** Returns the name of an owner in a filter. */
export function ownerLabel(owner: string, { me, people = [] }: LeadStaff): string {
  if (owner === 'me' || owner === me?.id) return 'Me';
  return owner === 'none' ? 'No owner' : (people.find(({ id }) => id === owner)?.name ?? 'Another account');
}

const dayLabel = (day: string): string => DateTime.fromISO(day, { locale: 'en-US' }).toFormat('MMM d, yyyy');

/** Describes a filter without its tab, e.g. "“perfume” · Status: New or Won · From Mar 7, 2026". */
export function filterLabel(filter: LeadFilter, staff: LeadStaff): string {
  const { q, response, status, owner, from, to, spam, marked, sort } = filter;
  const parts = [
    q.trim() && `“${q.trim()}”`,
    status.length > 0 && `Status: ${status.map(statusLabel).join(' or ')}`,
    owner && `Owner: ${ownerLabel(owner, staff)}`,
    response.length > 0 && `Response: ${response.map((each) => responseLabels[each]).join(' or ')}`,
    from && `From ${dayLabel(from)}`,
    to && `To ${dayLabel(to)}`,
    spam === 'only' && 'Held as spam',
    spam === 'with' && 'With spam',
    marked === 'me' && 'New for you',
    sort === 'due' && 'Needs an answer',
  ];
  return parts.filter(Boolean).join(' · ');
}

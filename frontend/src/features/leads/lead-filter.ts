import { brand } from '@dune-tide/domain/brand';
import { DateTime } from 'luxon';
import type { LeadsSearch } from '../../routing/staff-paths.ts';
import type { LeadTab } from './lead-columns.tsx';
import { statusLabel } from './lead-labels.ts';
import type { LeadTabView } from './lead-tabs.ts';

/** The part of the leads that a link of the dashboard opens. An empty list allows every value. */
export interface LeadFilter {
  readonly responses: readonly string[];
  readonly statuses: readonly string[];
  readonly isUnowned: boolean;
  /** Leaves out leads received earlier, in milliseconds since the epoch; undefined for no limit. */
  readonly from: number | undefined;
  /** Leaves out leads received later, in milliseconds since the epoch; undefined for no limit. */
  readonly to: number | undefined;
}

/** The numbers of leads that need an answer, by response, and of those without an owner. */
export interface UnansweredCounts {
  readonly needsAnswer: Readonly<Partial<Record<string, number>>>;
  readonly unowned: number;
}

const unanswered = ['overdue', 'soon', 'waiting'];

/** Returns the unanswered leads of yesterday in the studio's time zone. */
export function unansweredFromYesterday(now = new Date()): LeadsSearch {
  const yesterday = DateTime.fromJSDate(now, { zone: brand.timeZone }).minus({ days: 1 }).toFormat('yyyy-MM-dd');
  return { response: unanswered, from: yesterday, to: yesterday };
}

/** Returns the filter of a query string; undefined without one. */
export function readFilter(params: URLSearchParams): LeadFilter | undefined {
  const filter: LeadFilter = {
    responses: params.getAll('response'),
    statuses: params.getAll('status'),
    isUnowned: params.get('owner') === 'none',
    from: readTime(params.get('from'))?.toMillis(),
    to: readTime(params.get('to'))?.endOf('day').toMillis(),
  };
  const { responses, statuses, isUnowned, from, to } = filter;
  const isEmpty = responses.length === 0 && statuses.length === 0 && !isUnowned && (from ?? to) === undefined;
  return isEmpty ? undefined : filter;
}

/** @returns undefined without a valid date or time */
function readTime(text: string | null): DateTime | undefined {
  const time = DateTime.fromISO(text ?? '', { zone: brand.timeZone });
  return time.isValid ? time : undefined;
}

const responseLabels: Readonly<Record<string, string>> = {
  overdue: 'overdue',
  soon: 'due soon',
  waiting: 'waiting for an answer',
};

const dateOf = (time: number): string =>
  DateTime.fromMillis(time, { zone: brand.timeZone, locale: 'en-US' }).toFormat('MMM d, yyyy');

/** Describes a filter, e.g. "Leads that are overdue". */
export function filterLabel({ responses, statuses, isUnowned, from, to }: LeadFilter): string {
  const isAnyUnanswered = unanswered.every((each) => responses.includes(each));
  const parts = [
    ...(isUnowned ? ['have no owner'] : []),
    ...(isAnyUnanswered ? ['need an answer'] : responses.map((each) => `are ${responseLabels[each] ?? each}`)),
    ...(statuses.length > 0 ? [`have the status ${statuses.map(statusLabel).join(' or ')}`] : []),
    ...arrivalLabel(from, to),
  ];
  return `Leads that ${parts.join(' and ')}`;
}

function arrivalLabel(from: number | undefined, to: number | undefined): string[] {
  const [first, last] = [from, to].map((time) => (time === undefined ? undefined : dateOf(time)));
  if (first !== undefined && first === last) return [`arrived on ${first}`];
  return [
    ...(first === undefined ? [] : [`arrived since ${first}`]),
    ...(last === undefined ? [] : [`arrived until ${last}`]),
  ];
}

/**
 * Returns how many leads match a filter; undefined if that is unknown. It is known only for the tab of all kinds.
 * @param counts - undefined until they are known
 */
export function expectedMatches(
  { responses, statuses, isUnowned, from, to }: LeadFilter,
  tab: LeadTab,
  counts: UnansweredCounts | undefined,
): number | undefined {
  if (counts === undefined || tab !== 'all' || statuses.length > 0 || (from ?? to) !== undefined) return undefined;
  if (!isUnowned) {
    return responses.reduce<number | undefined>((sum, each) => {
      const count = counts.needsAnswer[each];
      return sum === undefined || count === undefined ? undefined : sum + count;
    }, 0);
  }
  return unanswered.every((each) => responses.includes(each)) ? counts.unowned : undefined;
}

/**
 * Filters the loaded rows of a tab. The view has no more rows once the expected number, or a row before `from`, is
 * found.
 * @param expected - undefined if unknown
 */
export function filterView(
  view: LeadTabView,
  { responses, statuses, isUnowned, from = -Infinity, to = Infinity }: LeadFilter,
  expected: number | undefined,
): LeadTabView {
  const rows = view.rows.filter(
    ({ response, status, owner, createdAt }) =>
      (responses.length === 0 || responses.includes(response)) &&
      (statuses.length === 0 || statuses.includes(status)) &&
      (!isUnowned || owner === null) &&
      Date.parse(createdAt) >= from &&
      Date.parse(createdAt) <= to,
  );
  const oldest = view.rows.at(-1);
  const isComplete =
    (expected !== undefined && rows.length >= expected) ||
    (oldest !== undefined && Date.parse(oldest.createdAt) < from);
  return {
    ...view,
    rows,
    total: expected,
    hasMore: view.hasMore && !isComplete,
    loadMore: isComplete ? () => undefined : view.loadMore,
  };
}

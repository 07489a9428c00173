import type { LeadTab } from './lead-columns.tsx';
import { statusLabel } from './lead-labels.ts';
import type { LeadTabView } from './lead-tabs.ts';

/** The part of the leads that a link of the dashboard opens. An empty list allows every value. */
export interface LeadFilter {
  readonly responses: readonly string[];
  readonly statuses: readonly string[];
  readonly isUnowned: boolean;
}

/** The numbers of leads that need an answer, by response, and of those without an owner. */
export interface UnansweredCounts {
  readonly needsAnswer: Readonly<Partial<Record<string, number>>>;
  readonly unowned: number;
}

const unanswered = ['overdue', 'soon', 'waiting'];

/** Returns the filter of a query string; undefined without one. */
export function readFilter(params: URLSearchParams): LeadFilter | undefined {
  const filter: LeadFilter = {
    responses: params.getAll('response'),
    statuses: params.getAll('status'),
    isUnowned: params.get('owner') === 'none',
  };
  return filter.responses.length > 0 || filter.statuses.length > 0 || filter.isUnowned ? filter : undefined;
}

const responseLabels: Readonly<Record<string, string>> = {
  overdue: 'overdue',
  soon: 'due soon',
  waiting: 'waiting for an answer',
};

/** Describes a filter, e.g. "Leads that are overdue". */
export function filterLabel({ responses, statuses, isUnowned }: LeadFilter): string {
  const isAnyUnanswered = unanswered.every((each) => responses.includes(each));
  const parts = [
    ...(isUnowned ? ['have no owner'] : []),
    ...(isAnyUnanswered ? ['need an answer'] : responses.map((each) => `are ${responseLabels[each] ?? each}`)),
    ...(statuses.length > 0 ? [`have the status ${statuses.map(statusLabel).join(' or ')}`] : []),
  ];
  return `Leads that ${parts.join(' and ')}`;
}

/**
 * Returns how many leads match a filter; undefined if that is unknown. The numbers are those of all kinds.
 * @param counts - undefined until they are known
 */
export function expectedMatches(
  { responses, statuses, isUnowned }: LeadFilter,
  tab: LeadTab,
  counts: UnansweredCounts | undefined,
): number | undefined {
  if (counts === undefined || tab !== 'all' || statuses.length > 0) return undefined;
  if (!isUnowned) {
    return responses.reduce<number | undefined>((sum, each) => {
      const count = counts.needsAnswer[each];
      return sum === undefined || count === undefined ? undefined : sum + count;
    }, 0);
  }
  return unanswered.every((each) => responses.includes(each)) ? counts.unowned : undefined;
}

/**
 * Filters the loaded rows of a tab. Older rows are loaded until the expected number is found.
 * @param expected - undefined if unknown
 */
export function filterView(
  view: LeadTabView,
  { responses, statuses, isUnowned }: LeadFilter,
  expected: number | undefined,
): LeadTabView {
  const rows = view.rows.filter(
    ({ response, status, owner }) =>
      (responses.length === 0 || responses.includes(response)) &&
      (statuses.length === 0 || statuses.includes(status)) &&
      (!isUnowned || owner === null),
  );
  const isComplete = expected !== undefined && rows.length >= expected;
  return {
    ...view,
    rows,
    total: expected,
    hasMore: view.hasMore && !isComplete,
    loadMore: isComplete ? () => undefined : view.loadMore,
  };
}

import { type ListedKind, listedKinds, type ListedLead } from './lead.ts';
import type { LeadTab } from './lead-columns.tsx';
import { mergeLeads } from './merge-leads.ts';
import type { LeadList, LeadLists } from './use-lead-lists.ts';

/** The tabs in their order (docs/PRODUCT.md, "Leads page"). */
export const leadTabs = [
  { id: 'all', label: 'All' },
  { id: 'contact', label: 'Contact Forms' },
  { id: 'service_inquiry', label: 'Service Inquiries' },
  { id: 'career_application', label: 'Career Applications' },
] as const satisfies readonly { readonly id: LeadTab; readonly label: string }[];

/** The content of a tab. */
export interface LeadTabView {
  readonly rows: readonly ListedLead[];
  readonly hasMore: boolean;
  readonly total: number | undefined;
  readonly isFetching: boolean;
  readonly failures: readonly NonNullable<LeadList['failure']>[];
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** Returns the number of leads in a tab; undefined if unknown. */
export function tabTotal(tab: LeadTab, lists: LeadLists): number | undefined {
  if (tab !== 'all') return lists[tab].total;
  return listedKinds.reduce<number | undefined>((sum, kind) => {
    const { total } = lists[kind];
    return sum === undefined || total === undefined ? undefined : sum + total;
  }, 0);
}

/** Returns the rows of one kind, or of all kinds merged. */
export function tabView(tab: LeadTab, lists: LeadLists): LeadTabView {
  const kinds: readonly ListedKind[] = tab === 'all' ? listedKinds : [tab];
  const merged = tab === 'all' ? mergeLeads<ListedKind, ListedLead>(lists) : { rows: lists[tab].leads, next: kinds };
  return {
    rows: merged.rows,
    hasMore: kinds.some((kind) => lists[kind].hasMore),
    total: tabTotal(tab, lists),
    isFetching: kinds.some((kind) => lists[kind].isFetching),
    failures: kinds.flatMap((kind) => lists[kind].failure ?? []),
    loadMore: () => merged.next.forEach((kind) => lists[kind].loadMore()),
    retry: () => kinds.forEach((kind) => lists[kind].retry()),
  };
}

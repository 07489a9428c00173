import { leadDefinitions, workedKinds, type WorkedKind } from '@dune-tide/domain/leads';
import type { LeadTotals } from './leads-api.ts';

/** The tabs of the page: all leads, or one kind. */
export type LeadTab = 'all' | WorkedKind;

/** The tabs in their order (docs/PRODUCT.md, "Leads page"). */
export const leadTabs: readonly { readonly id: LeadTab; readonly label: string }[] = [
  { id: 'all', label: 'All' },
  ...workedKinds.map((kind) => ({ id: kind, label: leadDefinitions[kind].labels.list })),
];

/** Returns the number of leads in a tab without a filter; undefined if unknown. */
export function tabTotal(tab: LeadTab, totals: LeadTotals | undefined): number | undefined {
  if (tab !== 'all') return totals?.[tab];
  return totals && workedKinds.reduce((sum, kind) => sum + totals[kind], 0);
}

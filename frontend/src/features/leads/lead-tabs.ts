import { type ListedKind, listedKinds } from './lead.ts';
import type { LeadTotals } from './leads-api.ts';

/** The tabs of the page: all leads, or one kind. */
export type LeadTab = 'all' | ListedKind;

/** The tabs in their order (docs/PRODUCT.md, "Leads page"). */
export const leadTabs = [
  { id: 'all', label: 'All' },
  { id: 'contact', label: 'Contact Forms' },
  { id: 'service_inquiry', label: 'Service Inquiries' },
  { id: 'career_application', label: 'Career Applications' },
] as const satisfies readonly { readonly id: LeadTab; readonly label: string }[];

/** Returns the number of leads in a tab without a filter; undefined if unknown. */
export function tabTotal(tab: LeadTab, totals: LeadTotals | undefined): number | undefined {
  if (tab !== 'all') return totals?.[tab];
  return totals && listedKinds.reduce((sum, kind) => sum + totals[kind], 0);
}

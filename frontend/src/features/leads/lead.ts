import type { LeadKind } from '@dune-tide/domain/leads';
import type { leadItems, leadResponse } from '@dune-tide/domain/responses/lead';
import type { Json } from '@dune-tide/domain/responses/schema';

/** A lead as GET /api/admin/leads/{id} returns it. */
export type Lead = Json<typeof leadResponse>;
export type ContactLead = Extract<Lead, { readonly kind: 'contact' }>;
export type InquiryLead = Extract<Lead, { readonly kind: 'service_inquiry' }>;
export type CareerLead = Extract<Lead, { readonly kind: 'career_application' }>;
export type PortfolioLead = Extract<Lead, { readonly kind: 'portfolio_request' }>;

/** The kinds that have a list, in the order of their tabs (docs/PRODUCT.md, "Leads page"). */
export const listedKinds = ['contact', 'service_inquiry', 'career_application'] as const satisfies readonly LeadKind[];
export type ListedKind = (typeof listedKinds)[number];

/** The items of each list. Written out, because TypeScript cannot resolve the schema of a generic kind. */
interface LeadItems {
  readonly contact: Json<(typeof leadItems)['contact']>;
  readonly service_inquiry: Json<(typeof leadItems)['service_inquiry']>;
  readonly career_application: Json<(typeof leadItems)['career_application']>;
}
export type LeadItem<Kind extends ListedKind = ListedKind> = LeadItems[Kind];

export type ListedLead<Kind extends ListedKind = ListedKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & LeadItem<Each>;
}[Kind];

/** Adds the kind, which the items of a list do not contain. */
export function withKind<Kind extends ListedKind>(kind: Kind, lead: LeadItem<Kind>): ListedLead<Kind> {
  return { kind, ...lead };
}

import type { LeadKind } from '@dune-tide/domain/leads';
import type { leadResponse } from '@dune-tide/domain/responses/lead';
import type { Json } from '@dune-tide/domain/responses/schema';

/** A lead as GET /api/admin/leads/{id} returns it. */
export type Lead = Json<typeof leadResponse>;
export type ContactLead = Extract<Lead, { readonly kind: 'contact' }>;
export type InquiryLead = Extract<Lead, { readonly kind: 'service_inquiry' }>;
export type CareerLead = Extract<Lead, { readonly kind: 'career_application' }>;
export type PortfolioLead = Extract<Lead, { readonly kind: 'portfolio_request' }>;

/** The kinds that the page lists, in the order of their tabs (docs/PRODUCT.md, "Leads page"). */
export const listedKinds = ['contact', 'service_inquiry', 'career_application'] as const satisfies readonly LeadKind[];
export type ListedKind = (typeof listedKinds)[number];

/** A lead as GET /api/admin/leads lists it. */
export type ListedLead = Exclude<Lead, PortfolioLead>;

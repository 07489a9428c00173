import { isWorked, type WorkedKind } from '@dune-tide/domain/leads';
import type { Lead, LeadOf } from '@dune-tide/domain/responses/lead';

/** A lead as GET /api/admin/leads lists it. */
export type ListedLead = { readonly [Kind in WorkedKind]: LeadOf<Kind> }[WorkedKind];
export const isListed = (lead: Lead): lead is ListedLead => isWorked(lead.kind);

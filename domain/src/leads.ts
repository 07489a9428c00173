import type { FollowUpKind } from './follow-ups.ts';

/** The four kinds of lead (docs/PRODUCT.md, "Lead kinds"). */
export const leadKinds = ['contact', 'service_inquiry', 'career_application', 'portfolio_request'] as const;
export type LeadKind = (typeof leadKinds)[number];

/** The progress of a service inquiry (docs/PRODUCT.md, "Lead status"). */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** Returns the status of a new lead. Only service inquiries have one. */
export function initialStatus(kind: LeadKind): LeadStatus | null {
  return kind === 'service_inquiry' ? 'new' : null;
}

/** A follow-up that a lead requires, and its recipient. */
export interface RequiredFollowUp {
  readonly kind: FollowUpKind;
  readonly recipient: string;
}

/**
 * Returns the follow-ups that a lead requires (docs/PRODUCT.md, "Emails"). A portfolio request gets no acknowledgement,
 * because the email with the portfolio serves as one.
 * @param staffEmail - the address that receives a notice of each lead; undefined for no notices
 */
export function requiredFollowUps(
  { kind, email }: { readonly kind: LeadKind; readonly email: string },
  staffEmail: string | undefined,
): RequiredFollowUp[] {
  const toVisitor: RequiredFollowUp = {
    kind: kind === 'portfolio_request' ? 'portfolio_pdf' : 'acknowledgement',
    recipient: email,
  };
  return staffEmail === undefined ? [toVisitor] : [toVisitor, { kind: 'staff_notice', recipient: staffEmail }];
}

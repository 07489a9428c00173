import type { FollowUpKind } from './follow-ups.ts';

/** The four sorts of lead, all taken in by one path (decisions, "Leads"). */
export const leadKinds = ['contact', 'service_inquiry', 'career_application', 'portfolio_request'] as const;
export type LeadKind = (typeof leadKinds)[number];

/** Specification §4. */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** The status that a lead is stored with: only service inquiries have one. */
export function initialStatus(kind: LeadKind): LeadStatus | null {
  return kind === 'service_inquiry' ? 'new' : null;
}

/** A follow-up that a lead requires, and who receives it. */
export interface RequiredFollowUp {
  readonly kind: FollowUpKind;
  readonly recipient: string;
}

/**
 * The follow-ups that a lead requires (decisions, "Follow-ups"). The email with the portfolio is its own acknowledgement,
 * so a request never sends two emails to one inbox.
 * @param staffEmail - receives a notice of each lead; without it there is none
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

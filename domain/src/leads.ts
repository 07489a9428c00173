import type { FollowUpKind } from './follow-ups.ts';

/** The four sorts of lead, all taken in by one path (decisions, "Leads"). */
export const leadKinds = ['contact', 'service_inquiry', 'career_application', 'portfolio_request'] as const;
export type LeadKind = (typeof leadKinds)[number];

/** What one lead of a kind is called. */
export const leadKindNames = {
  contact: 'Contact message',
  service_inquiry: 'Service inquiry',
  career_application: 'Career application',
  portfolio_request: 'Portfolio request',
} as const satisfies Readonly<Record<LeadKind, string>>;

/** Specification §4. Only inquiries carry a status, `new` when stored. */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/**
 * The follow-ups that a lead owes (decisions, "Follow-ups"). The portfolio mail is its own acknowledgement,
 * so one request never puts two mails into an inbox.
 * @param kind - the lead's kind
 * @param hasStaffAddress - whether STAFF_EMAIL is set
 */
export function owedFollowUps(kind: LeadKind, hasStaffAddress: boolean): FollowUpKind[] {
  const toVisitor: FollowUpKind = kind === 'portfolio_request' ? 'portfolio_pdf' : 'acknowledgement';
  return hasStaffAddress ? [toVisitor, 'staff_notice'] : [toVisitor];
}

import type { FollowUpKind } from './follow-ups.ts';

/** The four kinds of lead (docs/PRODUCT.md, "Lead kinds"). */
export const leadKinds = ['contact', 'service_inquiry', 'career_application', 'portfolio_request'] as const;
export type LeadKind = (typeof leadKinds)[number];

/** The kinds that staff work on. They have lists and a status (docs/PRODUCT.md, "Lead status"). */
export const workedKinds = ['contact', 'service_inquiry', 'career_application'] as const satisfies readonly LeadKind[];

/** The kinds whose answer is due at a time (docs/PRODUCT.md, "Clock"). */
export const clockedKinds = ['contact', 'service_inquiry'] as const satisfies readonly LeadKind[];

/** The progress of a lead (docs/PRODUCT.md, "Lead status"). */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** The statuses in which a lead still needs work. A deactivated account loses its leads in these. */
export const openStatuses = ['new', 'contacted', 'qualified'] as const satisfies readonly LeadStatus[];

/**
 * Returns the status that is stored with a new lead. Contact messages and applications are stored with null, as by
 * earlier releases, and are read as `new`. Portfolio requests have no status.
 */
export function initialStatus(kind: LeadKind): LeadStatus | null {
  return kind === 'service_inquiry' ? 'new' : null;
}

/**
 * Whether a lead has been answered in time (docs/PRODUCT.md, "Clock").
 * - `none`: it has no clock
 * - `answered`: it was answered, in time or late
 * - `waiting`: it is unanswered, and more than `dueSoonHours` are left
 * - `soon`: it is unanswered, and `dueSoonHours` or less are left
 * - `overdue`: it is unanswered, and no time is left
 */
export const leadResponses = ['none', 'answered', 'waiting', 'soon', 'overdue'] as const;
export type LeadResponse = (typeof leadResponses)[number];

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

import type { LeadKind } from './leads.ts';

/** What one lead of a kind is called in sentences, e.g. of an email; the tables of the staff area have other labels. */
export const leadKindLabels = {
  contact: 'Contact message',
  service_inquiry: 'Service inquiry',
  career_application: 'Career application',
  portfolio_request: 'Portfolio request',
} as const satisfies Readonly<Record<LeadKind, string>>;

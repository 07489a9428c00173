import type { LeadKind } from './leads.ts';

/** Names of the lead kinds for sentences, e.g. in emails. The tables of the staff area have other labels. */
export const leadKindLabels = {
  contact: 'Contact message',
  service_inquiry: 'Service inquiry',
  career_application: 'Career application',
  portfolio_request: 'Portfolio request',
} as const satisfies Readonly<Record<LeadKind, string>>;

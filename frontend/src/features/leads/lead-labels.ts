import { experienceLevels, positions } from '@dune-tide/domain/forms/career-application';
import { contactServices } from '@dune-tide/domain/forms/contact';
import type { PortfolioRequest } from '@dune-tide/domain/forms/portfolio-request';
import { projectInquiryService } from '@dune-tide/domain/forms/project-inquiry';
import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import { isolated } from '../../format/bidi-isolate.ts';
import { optionLabel } from '../../format/option-label.ts';
import type { InquiryLead, Lead } from './lead.ts';

/** The name of each kind of lead in the staff area. */
export const kindLabels: Readonly<Record<LeadKind, string>> = {
  contact: 'Contact Form',
  service_inquiry: 'Service Inquiry',
  career_application: 'Career Application',
  portfolio_request: 'Portfolio Request',
};

export const experienceLabel = (value: string): string => optionLabel(experienceLevels, value);

/** Returns the parts of the lead's name as typed. A portfolio request has only its address. */
export function nameParts(lead: Lead): readonly [string] | readonly [string, string] {
  if (lead.kind === 'portfolio_request') return [lead.email];
  return lead.kind === 'service_inquiry' ? [lead.name] : [lead.firstName, lead.lastName];
}

/** Returns the lead's name as plain text. The component `LeadName` renders it. */
export const leadName = (lead: Lead): string => nameParts(lead).map(isolated).join(' ');

/** Returns the label of the requested service or position; undefined for a portfolio request. */
export function serviceOrPosition(lead: Lead): string | undefined {
  switch (lead.kind) {
    case 'contact':
      return optionLabel(contactServices, lead.service);
    case 'service_inquiry':
      return lead.service;
    case 'career_application':
      return optionLabel(positions, lead.position);
    case 'portfolio_request':
      return undefined;
  }
}

/** Project inquiries have a fixed `service`; the requested service is their `serviceType`. */
const isProjectInquiry = (lead: Lead): lead is InquiryLead =>
  lead.kind === 'service_inquiry' && lead.service === projectInquiryService;

/** Returns the requested service or position; for a project inquiry, its `serviceType`. */
export const leadSubject = (lead: Lead): string | undefined =>
  isProjectInquiry(lead) ? lead.serviceType : serviceOrPosition(lead);

/** Returns the page or form that an inquiry came from, e.g. "UGC Creatives" or "Project Inquiry". */
export const inquiryType = (lead: InquiryLead): string => serviceBehindSubject(lead) ?? lead.serviceType;

/** Returns the fixed `service` of a project inquiry, which `leadSubject` does not return; null for other leads. */
export const serviceBehindSubject = (lead: Lead): string | null => (isProjectInquiry(lead) ? lead.service : null);

/** Returns the lead's status; a portfolio request, which has none, is shown as new (docs/PRODUCT.md, "Lead status"). */
export function leadStatus(lead: Lead): LeadStatus {
  return lead.status ?? 'new';
}

/** Returns a status with a capital letter. */
export const statusLabel = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1);

/** Returns the part of an urgency before " - ", which determines its colour (docs/PRODUCT.md, "Urgency"). */
export const urgencyWord = (urgency: string): string => urgency.split(' - ', 1)[0]?.trim() ?? '';

const urgencyLevels: Readonly<Record<string, string>> = {
  critical: 'urgent',
  high: 'high',
  medium: 'medium',
  low: 'low',
};

/** Returns the level of a submitted urgency; undefined for an unknown text. */
export const urgencyLevel = (urgency: string): string | undefined => {
  const word = urgencyWord(urgency).toLowerCase();
  return Object.hasOwn(urgencyLevels, word) ? urgencyLevels[word] : undefined;
};

const portfolioSources = [
  { value: 'portfolio_view', label: 'Portfolio on the home page' },
] as const satisfies readonly { value: PortfolioRequest['source']; label: string }[];

/** Returns the label of the place on the site where the portfolio was requested. */
export const portfolioSource = (value: string): string => optionLabel(portfolioSources, value);

/** The reason for each sign of spam, for staff. */
export const spamReasons: Readonly<Record<SpamSign, string>> = {
  honeypot: 'A hidden field was filled in.',
  too_fast: 'The form was submitted faster than a person can fill it in.',
  forged_token: 'Its form token was not issued by us.',
  by_hand: 'A member of the team marked it.',
};

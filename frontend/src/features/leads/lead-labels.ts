import { experienceLevels, positions } from '@dune-tide/domain/forms/career-application';
import { contactServices } from '@dune-tide/domain/forms/contact';
import type { PortfolioRequest } from '@dune-tide/domain/forms/portfolio-request';
import { projectInquiryService } from '@dune-tide/domain/forms/project-inquiry';
import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import { isolated } from '../../format/bidi-isolate.ts';
import { optionLabel } from '../../format/option-label.ts';
import type { InquiryLead, Lead } from './lead.ts';

/** What staff's tables and dialogs call a lead of a kind. */
export const kindLabels: Readonly<Record<LeadKind, string>> = {
  contact: 'Contact Form',
  service_inquiry: 'Service Inquiry',
  career_application: 'Career Application',
  portfolio_request: 'Portfolio Request',
};

/** An experience level as the form shows it. */
export const experienceLabel = (value: string): string => optionLabel(experienceLevels, value);

/** The lead's own name as it was typed, part by part; a portfolio request has none but its address. */
export function nameParts(lead: Lead): readonly [string] | readonly [string, string] {
  if (lead.kind === 'portfolio_request') return [lead.email];
  return lead.kind === 'service_inquiry' ? [lead.name] : [lead.firstName, lead.lastName];
}

/** The lead's own name as plain text; `LeadName` is its markup. */
export const leadName = (lead: Lead): string => nameParts(lead).map(isolated).join(' ');

/** What the lead is about, in the words of its form. @returns undefined for a portfolio request */
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

/** Whether `service` says no more than which form the lead came from; what is asked for is its `serviceType`. */
const isProjectInquiry = (lead: Lead): lead is InquiryLead =>
  lead.kind === 'service_inquiry' && lead.service === projectInquiryService;

/** What tells the lead from others of its kind: what is asked for, or applied for. */
export const leadSubject = (lead: Lead): string | undefined =>
  isProjectInquiry(lead) ? lead.serviceType : serviceOrPosition(lead);

/** The service of a lead whose subject is another text. */
export const serviceBehindSubject = (lead: Lead): string | null => (isProjectInquiry(lead) ? lead.service : null);

/** The lead's status; one without a status is new (docs/PRODUCT.md, "Lead status"). */
export function leadStatus(lead: Lead): LeadStatus {
  return lead.kind === 'service_inquiry' ? lead.status : 'new';
}

/** A status as it is shown. */
export const statusLabel = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1);

/** The word of an urgency that its colour comes from: the one before " - " (docs/PRODUCT.md, "Urgency"). */
export const urgencyWord = (urgency: string): string => urgency.split(' - ', 1)[0]?.trim() ?? '';

const urgencyLevels: Readonly<Record<string, string>> = {
  critical: 'urgent',
  high: 'high',
  medium: 'medium',
  low: 'low',
};

/** The urgency value behind what was submitted. @returns undefined for any other words */
export const urgencyLevel = (urgency: string): string | undefined => {
  const word = urgencyWord(urgency).toLowerCase();
  return Object.hasOwn(urgencyLevels, word) ? urgencyLevels[word] : undefined;
};

const portfolioSources = [
  { value: 'portfolio_view', label: 'Portfolio on the home page' },
] as const satisfies readonly { value: PortfolioRequest['source']; label: string }[];

/** Where a portfolio was asked for, as it is said to staff. */
export const portfolioSource = (value: string): string => optionLabel(portfolioSources, value);

/** Why a lead is taken for spam, as it is said to staff. */
export const spamReasons: Readonly<Record<SpamSign, string>> = {
  honeypot: 'A field was filled in that people do not see.',
  too_fast: 'It was sent faster than people fill in a form.',
  forged_token: 'Its form token was not issued by us.',
};

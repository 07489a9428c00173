import type { ProjectAnswers } from '@dune-tide/domain/forms/project-inquiry';
import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';

/** What every lead has. */
interface AnyLead {
  readonly id: string;
  readonly email: string;
  /** Why it is taken for spam; no mail goes out for it until staff release it. */
  readonly spamSign: SpamSign | null;
  readonly createdAt: string;
}

export interface ContactLead extends AnyLead {
  readonly kind: 'contact';
  readonly firstName: string;
  readonly lastName: string;
  readonly service: string;
  readonly message: string;
}

/** The answers behind `projectDetails` are there when it came from the project inquiry page. */
export interface InquiryLead extends AnyLead, Readonly<Partial<ProjectAnswers>> {
  readonly kind: 'service_inquiry';
  readonly name: string;
  readonly company: string | null;
  readonly phone: string | null;
  readonly service: string;
  readonly serviceType: string;
  readonly status: LeadStatus | null;
  readonly urgency: string;
  readonly budget: string;
  readonly timeframe: string;
  readonly projectDetails: string;
  readonly goals: string | null;
  readonly updatedAt: string;
}

export interface CareerLead extends AnyLead {
  readonly kind: 'career_application';
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly position: string;
  readonly experience: string;
  readonly portfolioUrl: string | null;
  readonly resumeUrl: string | null;
  readonly coverLetter: string;
}

export interface PortfolioLead extends AnyLead {
  readonly kind: 'portfolio_request';
  readonly source: string;
}

/** A lead as GET /api/admin/leads/{id} answers it. */
export type Lead = ContactLead | InquiryLead | CareerLead | PortfolioLead;

/** The kinds that have a list, in the order of their tabs (specification §2, "Admin leads"). */
export const listedKinds = ['contact', 'service_inquiry', 'career_application'] as const satisfies readonly LeadKind[];
export type ListedKind = (typeof listedKinds)[number];
export type ListedLead = Extract<Lead, { readonly kind: ListedKind }>;

import type { StoredLead } from '@dune-tide/db/lead-lists';
import { careerApplicationForm, type CareerApplication } from '@dune-tide/domain/forms/career-application';
import { contactForm, type ContactMessage } from '@dune-tide/domain/forms/contact';
import { portfolioRequestForm, type PortfolioRequest } from '@dune-tide/domain/forms/portfolio-request';
import { projectAnswers, type ProjectAnswers } from '@dune-tide/domain/forms/project-inquiry';
import type { ServiceInquiry } from '@dune-tide/domain/forms/service-inquiry';
import { leadKinds, leadStatuses, type LeadKind, type LeadStatus } from '@dune-tide/domain/leads';
import { spamSigns } from '@dune-tide/domain/spam';
import { dateTime, enumOf, orNull, record, string, uuid, type Answered } from '../http/answer-schema.ts';

/** How an application's links are stored (decisions, "Data"). */
type StoredLinks = { readonly portfolioUrl?: string; readonly resumeUrl?: string };

const reason = orNull(enumOf(spamSigns));

/** What staff read of a lead in the list of its kind, field by field (specification §3). */
export const leadItems = {
  contact: record({
    id: uuid,
    firstName: string,
    lastName: string,
    email: string,
    service: enumOf(contactForm.properties.service.enum),
    message: string,
    spamSign: reason,
    createdAt: dateTime,
  }),
  service_inquiry: record(
    {
      id: uuid,
      name: string,
      email: string,
      company: orNull(string),
      phone: orNull(string),
      service: string,
      serviceType: string,
      status: enumOf(leadStatuses),
      urgency: string,
      budget: string,
      timeframe: string,
      projectDetails: string,
      goals: orNull(string),
      businessDescription: string,
      projectDescription: string,
      specificFeatures: string,
      successCriteria: string,
      competitors: string,
      spamSign: reason,
      createdAt: dateTime,
      updatedAt: dateTime,
    },
    // There when the project inquiry's page sent them.
    projectAnswers,
  ),
  career_application: record({
    id: uuid,
    firstName: string,
    lastName: string,
    email: string,
    phone: string,
    position: string,
    experience: enumOf(careerApplicationForm.properties.experience.enum),
    portfolioUrl: orNull(string),
    resumeUrl: orNull(string),
    coverLetter: string,
    spamSign: reason,
    createdAt: dateTime,
  }),
  portfolio_request: record({
    id: uuid,
    email: string,
    source: enumOf(portfolioRequestForm.properties.source.enum),
    spamSign: reason,
    createdAt: dateTime,
  }),
} as const;

/** A lead of any kind, which it names. */
export const anyLead = {
  oneOf: leadKinds.map((kind) => ({
    ...leadItems[kind],
    properties: { kind: { const: kind }, ...leadItems[kind].properties },
    required: ['kind', ...leadItems[kind].required],
  })),
} as const;

type LeadItem<Kind extends LeadKind> = Answered<(typeof leadItems)[Kind]>;

/** The database refuses a lead without the answers that its kind requires, so they are taken for what they are. */
const presenters: { readonly [Kind in LeadKind]: (lead: StoredLead) => LeadItem<Kind> } = {
  contact({ id, email, answers, spamSign, createdAt }) {
    const { firstName, lastName, service, message } = answers as ContactMessage;
    return { id, firstName, lastName, email, service, message, spamSign, createdAt };
  },
  service_inquiry({ id, email, status, answers, spamSign, createdAt, updatedAt }) {
    const sent = answers as ServiceInquiry & Partial<ProjectAnswers>;
    return {
      id,
      name: sent.name,
      email,
      company: sent.company ?? null,
      phone: sent.phone ?? null,
      service: sent.service,
      serviceType: sent.serviceType,
      status: status as LeadStatus,
      urgency: sent.urgency,
      budget: sent.budget,
      timeframe: sent.timeframe,
      projectDetails: sent.projectDetails,
      goals: sent.goals ?? null,
      ...Object.fromEntries(projectAnswers.flatMap((field) => (field in sent ? [[field, sent[field]]] : []))),
      spamSign,
      createdAt,
      updatedAt,
    };
  },
  career_application({ id, email, answers, spamSign, createdAt }) {
    const { portfolioUrl, resumeUrl, ...sent } = answers as CareerApplication & StoredLinks;
    return {
      id,
      firstName: sent.firstName,
      lastName: sent.lastName,
      email,
      phone: sent.phone,
      position: sent.position,
      experience: sent.experience,
      portfolioUrl: portfolioUrl ?? null,
      resumeUrl: resumeUrl ?? null,
      coverLetter: sent.coverLetter,
      spamSign,
      createdAt,
    };
  },
  portfolio_request({ id, email, answers, spamSign, createdAt }) {
    const { source } = answers as PortfolioRequest;
    return { id, email, source, spamSign, createdAt };
  },
};

/** A lead as staff read it in the list of its kind. */
export function presentLead(lead: StoredLead): LeadItem<LeadKind> {
  return presenters[lead.kind](lead);
}

import type { StoredLead } from '@dune-tide/db/lead-lists';
import type { LeadKind } from '@dune-tide/domain/leads';

/** What staff read of a lead, field by field (specification §3). */
export type LeadItem = Readonly<Record<string, unknown>>;

/** The answers behind a project inquiry's `projectDetails`, there when its page sent them. */
const rawAnswers = [
  'businessDescription',
  'projectDescription',
  'specificFeatures',
  'successCriteria',
  'competitors',
] as const;

const presenters: Readonly<Record<LeadKind, (lead: StoredLead) => LeadItem>> = {
  contact: ({ id, email, answers, createdAt }) => ({
    id,
    firstName: answers['firstName'],
    lastName: answers['lastName'],
    email,
    service: answers['service'],
    message: answers['message'],
    createdAt,
  }),
  service_inquiry: ({ id, email, status, answers, createdAt, updatedAt }) => ({
    id,
    name: answers['name'],
    email,
    company: answers['company'] ?? null,
    phone: answers['phone'] ?? null,
    service: answers['service'],
    serviceType: answers['serviceType'],
    status,
    urgency: answers['urgency'],
    budget: answers['budget'],
    timeframe: answers['timeframe'],
    projectDetails: answers['projectDetails'],
    goals: answers['goals'] ?? null,
    ...Object.fromEntries(rawAnswers.flatMap((field) => (field in answers ? [[field, answers[field]]] : []))),
    createdAt,
    updatedAt,
  }),
  career_application: ({ id, email, answers, createdAt }) => ({
    id,
    firstName: answers['firstName'],
    lastName: answers['lastName'],
    email,
    phone: answers['phone'],
    position: answers['position'],
    experience: answers['experience'],
    portfolioUrl: answers['portfolioUrl'] ?? null,
    resumeUrl: answers['resumeUrl'] ?? null,
    coverLetter: answers['coverLetter'],
    createdAt,
  }),
  portfolio_request: ({ id, email, answers, createdAt }) => ({ id, email, source: answers['source'], createdAt }),
};

/** A lead as staff read it in the list of its kind. */
export function presentLead(lead: StoredLead): LeadItem {
  return { ...presenters[lead.kind](lead), spamSign: lead.spamSign };
}

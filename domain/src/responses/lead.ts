import { careerApplicationForm } from '../forms/career-application.ts';
import { contactForm } from '../forms/contact.ts';
import { portfolioRequestForm } from '../forms/portfolio-request.ts';
import { projectAnswers } from '../forms/project-inquiry.ts';
import { leadResponses, leadStatuses, type LeadKind } from '../leads.ts';
import { spamSigns } from '../spam.ts';
import { accountReference } from './account.ts';
import { dateTime, nullable, object, oneOf, string, uuid, wholeNumber, type ResponseSchema } from './schema.ts';

/** The members of every lead. */
const everyLead = {
  id: uuid,
  email: string,
  spamSign: {
    ...nullable(oneOf(spamSigns)),
    description: 'Why the lead is held as spam; null if it is not held or was released',
  },
  owner: { ...nullable(accountReference), description: 'The account that works on the lead' },
  dueAt: { ...nullable(dateTime), description: 'When the answer is due; null without a clock' },
  answeredAt: {
    ...nullable(dateTime),
    description: 'Null before the answer, and for a lead that was answered at an unknown time',
  },
  response: oneOf(leadResponses),
  version: { ...wholeNumber, description: 'Counts the changes by staff, from 1' },
  createdAt: dateTime,
} as const;

const status = oneOf(leadStatuses);

const contact = {
  ...everyLead,
  firstName: string,
  lastName: string,
  status,
  service: oneOf(contactForm.properties.service.enum),
  message: string,
} as const;

/** The project answers are present if the inquiry came from the page /project-inquiry. */
const serviceInquiry = {
  ...everyLead,
  name: string,
  company: nullable(string),
  phone: nullable(string),
  service: string,
  serviceType: string,
  status,
  urgency: string,
  budget: string,
  timeframe: string,
  projectDetails: string,
  goals: nullable(string),
  businessDescription: string,
  projectDescription: string,
  specificFeatures: string,
  successCriteria: string,
  competitors: string,
  updatedAt: dateTime,
} as const;

const careerApplication = {
  ...everyLead,
  firstName: string,
  lastName: string,
  status,
  phone: string,
  position: string,
  experience: oneOf(careerApplicationForm.properties.experience.enum),
  portfolioUrl: nullable(string),
  resumeUrl: nullable(string),
  coverLetter: string,
} as const;

const portfolioRequest = {
  ...everyLead,
  status: { type: 'null' },
  source: oneOf(portfolioRequestForm.properties.source.enum),
} as const;

/** A lead in the list of its kind. */
export const leadItems = {
  contact: { title: 'contact-lead', description: 'A contact message', ...object(contact) },
  service_inquiry: {
    title: 'service-inquiry-lead',
    description: 'A service inquiry',
    ...object(serviceInquiry, projectAnswers),
  },
  career_application: {
    title: 'career-application-lead',
    description: 'A career application',
    ...object(careerApplication),
  },
  portfolio_request: {
    title: 'portfolio-request-lead',
    description: 'A portfolio request',
    ...object(portfolioRequest),
  },
} as const satisfies Readonly<Record<LeadKind, ResponseSchema>>;

/** A single lead: its kind, and the members that a lead of this kind has in lists. */
export const leadResponse = {
  title: 'lead',
  description: 'A lead of any kind',
  oneOf: [
    object({ kind: { const: 'contact' }, ...contact }),
    object({ kind: { const: 'service_inquiry' }, ...serviceInquiry }, projectAnswers),
    object({ kind: { const: 'career_application' }, ...careerApplication }),
    object({ kind: { const: 'portfolio_request' }, ...portfolioRequest }),
  ],
} as const satisfies ResponseSchema;

/** The result of a change of several leads. */
export const bulkChangeResponse = {
  title: 'bulk-change-result',
  description: 'What became of the leads',
  ...object({
    changed: wholeNumber,
    unchanged: {
      ...wholeNumber,
      description: 'Leads that had the wanted values, or to which the change does not apply',
    },
    missing: { ...wholeNumber, description: 'Ids without a lead' },
  }),
} as const satisfies ResponseSchema;

/** The response to a form whose lead is stored. */
export const storedLeadResponse = {
  title: 'stored-lead',
  description: 'The lead that was stored',
  ...object({ id: uuid }),
} as const satisfies ResponseSchema;

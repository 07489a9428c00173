import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryInquiry } from '@dune-tide/domain/forms/discovery';
import {
  composeProjectDetails,
  projectAnswers,
  projectInquiryForm,
  type ProjectAnswers,
} from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import type { CareerLead, ContactLead, InquiryLead, Lead } from '../lead.ts';
import { experienceLabel, inquiryType, leadSubject, portfolioSource, serviceOrPosition } from '../lead-labels.ts';

/** How a field is shown. `long` keeps line breaks; `link` shows the full address, because it may lead anywhere. */
export type FieldKind = 'text' | 'long' | 'email' | 'phone' | 'link' | 'time' | 'urgency';

export interface LeadField {
  readonly label: string;
  readonly kind: FieldKind;
  /** Null if the visitor left it empty. */
  readonly value: string | null;
}

const field = (label: string, value: string | null | undefined, kind: FieldKind = 'text'): LeadField => ({
  label,
  kind,
  value: value?.trim() ? value : null,
});

/** Omits an empty field that the lead's form does not have. */
const onlyGiven = (unasked: LeadField): readonly LeadField[] => (unasked.value === null ? [] : [unasked]);

const email = (lead: Lead) => field('Email', lead.email, 'email');
const received = (lead: Lead) => field('Received', lead.createdAt, 'time');

/** Returns what a visitor sent, with the labels of its form: what the visitor wants, then who and when. */
export function leadFields(lead: Lead): readonly LeadField[] {
  switch (lead.kind) {
    case 'contact':
      return contactFields(lead);
    case 'service_inquiry':
      return inquiryFields(lead);
    case 'career_application':
      return careerFields(lead);
    case 'portfolio_request':
      return [email(lead), field('Source', portfolioSource(lead.source)), received(lead)];
  }
}

function contactFields(lead: ContactLead): readonly LeadField[] {
  const { firstName, lastName, service, message } = contactForm.properties;
  return [
    field(service.description, serviceOrPosition(lead)),
    field(message.description, lead.message, 'long'),
    field(firstName.description, lead.firstName),
    field(lastName.description, lead.lastName),
    email(lead),
    received(lead),
  ];
}

function inquiryFields(lead: InquiryLead): readonly LeadField[] {
  const { name, company, phone, service, serviceType, urgency, budget, timeframe } = serviceInquiryForm.properties;
  return [
    field(service.description, leadSubject(lead)),
    field(serviceType.description, inquiryType(lead)),
    ...answersOf(lead),
    field(budget.description, lead.budget),
    field(timeframe.description, lead.timeframe),
    field(urgency.description, lead.urgency, 'urgency'),
    field(name.description, lead.name),
    field(company.description, lead.company),
    email(lead),
    field(phone.description, lead.phone, 'phone'),
    received(lead),
    field('Updated', lead.updatedAt, 'time'),
  ];
}

/** Returns the texts of an inquiry without repetition: a project inquiry's details repeat its answers. */
function answersOf(lead: InquiryLead): readonly LeadField[] {
  const { projectDetails, goals } = serviceInquiryForm.properties;
  const details = field(projectDetails.description, lead.projectDetails, 'long');
  const goalsField = field(goals.description, lead.goals, 'long');
  const wanted = lead.serviceType === discoveryInquiry.serviceType ? onlyGiven(goalsField) : [goalsField];

  const { properties } = projectInquiryForm;
  const answers = projectAnswers.flatMap((name) =>
    lead[name] === undefined ? [] : [field(properties[name].description, lead[name], 'long')],
  );
  if (!hasAllAnswers(lead)) return [...answers, details, ...wanted];
  return [
    ...answers,
    ...(lead.projectDetails === composeProjectDetails(lead) ? [] : [details]),
    ...(lead.goals === lead.successCriteria ? [] : wanted),
  ];
}

const hasAllAnswers = (lead: InquiryLead): lead is InquiryLead & ProjectAnswers =>
  projectAnswers.every((name) => lead[name] !== undefined);

function careerFields(lead: CareerLead): readonly LeadField[] {
  const { firstName, lastName, phone, position, experience, portfolio, resume, coverLetter } =
    careerApplicationForm.properties;
  return [
    field(position.description, serviceOrPosition(lead)),
    field(experience.description, experienceLabel(lead.experience)),
    field(coverLetter.description, lead.coverLetter, 'long'),
    field(portfolio.description, lead.portfolioUrl, 'link'),
    ...onlyGiven(field(resume.description, lead.resumeUrl, 'link')),
    field(firstName.description, lead.firstName),
    field(lastName.description, lead.lastName),
    email(lead),
    field(phone.description, lead.phone, 'phone'),
    received(lead),
  ];
}

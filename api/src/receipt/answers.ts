import type { StoredLead } from '@dune-tide/db/leads';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm, contactServices } from '@dune-tide/domain/forms/contact';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { inquiryFormFor } from '@dune-tide/domain/forms/inquiry-rules';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';

/** An answer with the label of its field. */
export interface LabelledAnswer {
  readonly label: string;
  readonly text: string;
}

/** Fields that the page sends by itself, or that the server composes from the other answers. */
const notAnswered: ReadonlySet<string> = new Set(['source', 'projectDetails', 'goals']);

/** Returns what a visitor has answered, in the order of the form. */
export function answersOf(lead: StoredLead): LabelledAnswer[] {
  const answers = lead.answers as Readonly<Record<string, unknown>>;
  const { properties } = formOf(lead);
  const isComposed = 'projectDescription' in properties;
  return Object.entries(properties).flatMap(([field, { description }]) => {
    if (field === 'source' || (isComposed && notAnswered.has(field))) return [];
    const value = field === 'email' ? lead.email : (answers[field] ?? answers[`${field}Url`]);
    if (typeof value !== 'string' || value === '') return [];
    const option = lead.kind === 'contact' ? contactServices.find((each) => each.value === value) : undefined;
    return [{ label: description, text: option?.label ?? value }];
  });
}

function formOf({ kind, answers }: StoredLead): FormSchema {
  switch (kind) {
    case 'contact':
      return contactForm;
    case 'service_inquiry':
      return inquiryFormFor(answers);
    case 'career_application':
      return careerApplicationForm;
    case 'portfolio_request':
      return portfolioRequestForm;
  }
}

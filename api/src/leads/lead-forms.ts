import { careerApplicationForm, type CareerApplication } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import type { FormSchema, FormValues } from '@dune-tide/domain/forms/form-schema';
import { inquiryFormFor } from '@dune-tide/domain/forms/inquiry-rules';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import {
  composeProjectDetails,
  projectInquiryForm,
  type ProjectInquiry,
} from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import type { LeadAnswers } from '@dune-tide/domain/lead-answers';
import type { LeadKind } from '@dune-tide/domain/leads';
import { formReader } from '@dune-tide/platform/form-reader';

/** A public form: its path, the kind of lead that it creates, and its validation. */
export type LeadForm = { readonly [Kind in LeadKind]: FormOfKind<Kind> }[LeadKind];

interface FormOfKind<Kind extends LeadKind> extends Rules<LeadAnswers[Kind]> {
  readonly path: string;
  readonly kind: Kind;
}

interface Rules<Answers> {
  /** The forms that a body may match. */
  readonly schemas: readonly FormSchema[];
  /**
   * Validates a body and returns the lead's answers.
   * @throws {FormError} or {UnstorableTextError}
   */
  readonly read: (body: unknown) => Answers;
}

/** The public forms (docs/PRODUCT.md, "Forms"). */
export const leadForms: readonly LeadForm[] = [
  { path: '/api/portfolio-lead', kind: 'portfolio_request', ...validatedBy(portfolioRequestForm, identity) },
  { path: '/api/contact', kind: 'contact', ...validatedBy(contactForm, identity) },
  { path: '/api/careers', kind: 'career_application', ...validatedBy(careerApplicationForm, renameLinks) },
  { path: '/api/service-inquiry', kind: 'service_inquiry', ...inquiryRules() },
];

function validatedBy<const Schema extends FormSchema, Answers>(
  schema: Schema,
  toAnswers: (values: FormValues<Schema>) => Answers,
): Rules<Answers> {
  const validate = formReader(schema);
  return { schemas: [schema], read: (body) => toAnswers(validate(body)) };
}

/** Returns the rules of the inquiries. The body determines which form applies (docs/PRODUCT.md, "Inquiry rules"). */
function inquiryRules(): Rules<LeadAnswers['service_inquiry']> {
  const readers = new Map<FormSchema, (body: unknown) => LeadAnswers['service_inquiry']>([
    [projectInquiryForm, validatedBy(projectInquiryForm, withComposedTexts).read],
    [discoveryInquiryForm, validatedBy(discoveryInquiryForm, identity).read],
    [serviceInquiryForm, validatedBy(serviceInquiryForm, identity).read],
  ]);
  return {
    schemas: [...readers.keys()],
    read: (body) => {
      const read = readers.get(inquiryFormFor(body));
      if (!read) throw new Error('The inquiry form has no reader');
      return read(body);
    },
  };
}

function identity<Answers>(answers: Answers): Answers {
  return answers;
}

/** Renames `portfolio` and `resume` to `portfolioUrl` and `resumeUrl` (docs/PRODUCT.md, "Lead kinds"). */
function renameLinks({ portfolio, resume, ...answers }: CareerApplication): LeadAnswers['career_application'] {
  return {
    ...answers,
    ...(portfolio === undefined ? {} : { portfolioUrl: portfolio }),
    ...(resume === undefined ? {} : { resumeUrl: resume }),
  };
}

/** Adds the composed texts if the page did not send them. */
function withComposedTexts(values: ProjectInquiry): LeadAnswers['service_inquiry'] {
  return {
    ...values,
    projectDetails: values.projectDetails ?? composeProjectDetails(values),
    goals: values.goals ?? values.successCriteria,
  };
}

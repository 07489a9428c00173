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
import { formBody, type BodyRules } from '../http/requests/json-body.ts';

/** A public form: its path, the kind of lead that it creates, and the rules that return the lead's answers. */
export type LeadForm = { readonly [Kind in LeadKind]: FormOfKind<Kind> }[LeadKind];

interface FormOfKind<Kind extends LeadKind> {
  readonly path: string;
  readonly kind: Kind;
  readonly body: BodyRules<LeadAnswers[Kind]>;
}

/** The public forms (docs/PRODUCT.md, "Forms"). */
export const leadForms: readonly LeadForm[] = [
  { path: '/api/portfolio-lead', kind: 'portfolio_request', body: formBody(portfolioRequestForm) },
  { path: '/api/contact', kind: 'contact', body: formBody(contactForm) },
  { path: '/api/careers', kind: 'career_application', body: bodyOf(careerApplicationForm, renameLinks) },
  { path: '/api/service-inquiry', kind: 'service_inquiry', body: inquiryBody() },
];

function bodyOf<const Schema extends FormSchema, Answers>(
  schema: Schema,
  toAnswers: (values: FormValues<Schema>) => Answers,
): BodyRules<Answers> {
  const { schemas, read } = formBody(schema);
  return { schemas, read: (body) => toAnswers(read(body)) };
}

/** Returns the rules of the inquiries. The body determines which form applies (docs/PRODUCT.md, "Inquiry rules"). */
function inquiryBody(): BodyRules<LeadAnswers['service_inquiry']> {
  const readers = new Map<FormSchema, (body: unknown) => LeadAnswers['service_inquiry']>([
    [projectInquiryForm, bodyOf(projectInquiryForm, withComposedTexts).read],
    [discoveryInquiryForm, formBody(discoveryInquiryForm).read],
    [serviceInquiryForm, formBody(serviceInquiryForm).read],
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

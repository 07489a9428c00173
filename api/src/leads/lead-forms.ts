import { leadDefinitions, type LeadKind } from '@dune-tide/domain/leads';
import { toStored, type Values } from '@dune-tide/domain/leads/definition';
import { formBody, type BodyRules } from '../http/requests/json-body.ts';

/** A public form: its path, the kind of lead that it creates, and the rules that return the values to store. */
export interface LeadForm {
  readonly path: string;
  readonly kind: LeadKind;
  readonly body: BodyRules<Values>;
}

/** The public forms (docs/PRODUCT.md, "Forms"). */
export const leadForms: readonly LeadForm[] = [
  { path: '/api/portfolio-lead', kind: 'portfolio_request', body: bodyOf('portfolio_request') },
  { path: '/api/contact', kind: 'contact', body: bodyOf('contact') },
  { path: '/api/careers', kind: 'career_application', body: bodyOf('career_application') },
  { path: '/api/service-inquiry', kind: 'service_inquiry', body: bodyOf('service_inquiry') },
];

/** The body determines which of several forms applies (docs/PRODUCT.md, "Inquiry rules"). */
function bodyOf(kind: LeadKind): BodyRules<Values> {
  const definition = leadDefinitions[kind];
  const readers = new Map(definition.forms.map((form) => [form, formBody(form).read]));
  return {
    schemas: definition.forms,
    read: (body) => {
      const form = definition.formOf(body);
      const read = readers.get(form);
      if (!read) throw new Error('The form has no reader');
      return toStored(definition, form, read(body));
    },
  };
}

import { minLength } from '../limits.ts';
import { closedSelection, emailAddress, line, text } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import type { Option } from './option.ts';

/** The options of the field `service`. */
export const contactServices = [
  { value: 'ugc', label: 'UGC Brand Creatives' },
  { value: 'mvp', label: 'MVP Development' },
  { value: 'leadgen', label: 'Lead Generation Systems' },
  { value: 'all', label: 'All Services' },
] as const satisfies readonly Option[];

/** The contact form of the home page (docs/PRODUCT.md, "Contact form"). */
export const contactForm = {
  $id: 'contact',
  description: 'A contact message',
  type: 'object',
  properties: {
    firstName: line('First name', { min: 1, message: 'First name is required' }),
    lastName: line('Last name', { min: 1, message: 'Last name is required' }),
    email: emailAddress('Invalid email address'),
    service: closedSelection(
      'Service',
      'Please select a service',
      contactServices.map((service) => service.value),
    ),
    message: text('Message', {
      min: minLength.message,
      message: `Message must be at least ${minLength.message} characters`,
    }),
  },
  required: ['firstName', 'lastName', 'email', 'service', 'message'],
} as const satisfies FormSchema;

export type ContactMessage = FormValues<typeof contactForm>;

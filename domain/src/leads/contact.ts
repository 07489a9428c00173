import { contactForm, contactServices } from '../forms/contact.ts';
import { email, type KindDeclaration } from './declaration.ts';

/** A message from the contact form. */
export const contact = {
  labels: { sentence: 'Contact message', staff: 'Contact Form', list: 'Contact Forms' },
  form: contactForm,
  variants: [],
  formOf: () => contactForm,
  fields: {
    service: { options: contactServices, notice: true },
    message: { display: 'long', isQuoted: true },
    firstName: {},
    lastName: {},
    email,
  },
  order: ['firstName', 'lastName', 'email', 'status', 'service', 'message'],
  name: ['firstName', 'lastName'],
  subject: 'service',
  isWorked: true,
  initialStatus: null,
  hasClock: true,
  hasUpdateTime: false,
  firstEmail: 'acknowledgement',
  hasFormToken: true,
  retention: 'leads',
} as const satisfies KindDeclaration<typeof contactForm, never>;

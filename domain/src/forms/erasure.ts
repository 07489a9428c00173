import { emailAddress } from './fields.ts';
import type { FormSchema } from './form-schema.ts';

/** The body of POST /api/admin/people/erase. */
export const erasureForm = {
  $id: 'erase-person',
  description: 'The address whose data is erased',
  type: 'object',
  properties: { email: emailAddress('Please enter a valid email address') },
  required: ['email'],
} as const satisfies FormSchema;

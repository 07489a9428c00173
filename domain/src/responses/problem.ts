import { array, object, string, wholeNumber, type Json, type ResponseSchema } from './schema.ts';

const fieldError = object({ field: string, message: string });

/** A broken rule, as the API returns it and as the form shows it beside the field. */
export type FieldError = Json<typeof fieldError>;

/** A problem (RFC 9457). */
export const problemResponse = {
  title: 'problem',
  description: 'A problem (RFC 9457)',
  ...object(
    {
      type: { const: 'about:blank' },
      title: { ...string, description: 'The name of the status' },
      status: wholeNumber,
      detail: { ...string, description: 'Never contains what was sent' },
      errors: { ...array(fieldError), description: 'The rules that were broken' },
    },
    ['detail', 'errors'],
  ),
} as const satisfies ResponseSchema;

import type { FormSchema, FormValues } from '@dune-tide/domain/forms/form-schema';
import type { Validate } from '../../form/validation.ts';

/** A reply to a lead. It is sent nowhere (docs/PRODUCT.md, "Replies"), so that this page alone knows its rules. */
export const replyForm = {
  $id: 'reply',
  description: 'A reply to a lead',
  type: 'object',
  properties: {
    subject: { type: 'string', description: 'Subject', messages: { default: 'Subject is required' } },
    body: { type: 'string', description: 'Message', messages: { default: 'Message is required' } },
  },
  required: ['subject', 'body'],
} as const satisfies FormSchema;

/** A reply as staff write it. */
export type Reply = FormValues<typeof replyForm>;

/** The reply's rules. Nothing is stored, so that there is no largest length. */
export const validateReply: Validate = (reply) => {
  const missing = replyForm.required.filter((field) => !Object.hasOwn(reply as Partial<Reply>, field));
  validateReply.errors = missing.map((field) => ({
    instancePath: '',
    keyword: 'required',
    params: { missingProperty: field },
  }));
  return missing.length === 0;
};

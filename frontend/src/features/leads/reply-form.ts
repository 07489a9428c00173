import type { FormSchema, FormValues } from '@dune-tide/domain/forms/form-schema';
import type { Validate } from '../../form/validation.ts';

/** The form of a reply. Replies are not sent (docs/PRODUCT.md, "Replies"), so its rules exist only in the browser. */
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

export type Reply = FormValues<typeof replyForm>;

/** Validates a reply. Replies are not stored, so their length is not limited. */
export const validateReply: Validate = (reply) => {
  const missing = replyForm.required.filter((field) => !Object.hasOwn(reply as Partial<Reply>, field));
  validateReply.errors = missing.map((field) => ({
    instancePath: '',
    keyword: 'required',
    params: { missingProperty: field },
  }));
  return missing.length === 0;
};

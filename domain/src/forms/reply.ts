import { maxLength } from '../limits.ts';
import { uuidForm } from '../uuid.ts';
import { emailAddress, line, text } from './fields.ts';
import type { FormSchema } from './form-schema.ts';

/**
 * The body of POST /api/admin/leads/{id}/replies. `replaces` is the id of a failed reply, which this one replaces.
 * `seenActivity` is the activity of the lead that its author saw.
 */
export const replyForm = {
  $id: 'reply',
  description: 'A reply to a lead',
  type: 'object',
  properties: {
    subject: line('Subject', { min: 1, max: maxLength.subject, message: 'Subject is required' }),
    text: text('Message', { min: 1, max: maxLength.reply, message: 'Message is required' }),
    replaces: {
      type: 'string',
      description: 'Replaced reply',
      pattern: `^${uuidForm}$`,
      messages: { default: 'The replaced reply must be an id' },
    },
    seenActivity: {
      type: 'integer',
      description: 'Activity that was seen',
      minimum: 0,
      maximum: 2_147_483_647,
      messages: { default: 'The activity that was seen must be a whole number' },
    },
  },
  required: ['subject', 'text'],
} as const satisfies FormSchema;

/** The body of POST /api/admin/follow-ups/{id}/recipient. With `changeLead`, the lead gets the address as well. */
export const recipientForm = {
  $id: 'follow-up-recipient',
  description: 'The corrected address of an email',
  type: 'object',
  properties: {
    email: emailAddress('Please enter a valid email address'),
    changeLead: {
      type: 'boolean',
      description: 'Change of the lead',
      messages: { default: 'Change of the lead must be on or off' },
    },
  },
  required: ['email'],
} as const satisfies FormSchema;

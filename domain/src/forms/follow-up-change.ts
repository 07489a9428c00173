import { cancellableStates, retryableStates, transports } from '../follow-ups.ts';
import type { FormSchema } from './form-schema.ts';

/** The transport of the follow-ups; without it, all are changed. */
const transport = {
  type: 'string',
  description: 'Transport',
  enum: transports,
  messages: { default: `Transport must be one of ${transports.join(', ')}` },
} as const;

/** The body of POST /api/admin/follow-ups/retry. */
export const retryAllForm = {
  $id: 'retry-all',
  description: 'The state whose follow-ups are all retried',
  type: 'object',
  properties: {
    state: {
      type: 'string',
      description: 'State',
      enum: retryableStates,
      messages: { default: `State must be one of ${retryableStates.join(', ')}` },
    },
    transport,
  },
  required: ['state'],
} as const satisfies FormSchema;

/** The body of POST /api/admin/follow-ups/cancel. */
export const cancelAllForm = {
  $id: 'cancel-all',
  description: 'The state whose follow-ups are all cancelled',
  type: 'object',
  properties: {
    state: {
      type: 'string',
      description: 'State',
      enum: cancellableStates,
      messages: { default: `State must be one of ${cancellableStates.join(', ')}` },
    },
    transport,
  },
  required: ['state'],
} as const satisfies FormSchema;

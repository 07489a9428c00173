import { followUpKinds, followUpStates, type FollowUpState } from '../follow-ups.ts';
import { dateTime, nullable, object, oneOf, string, uuid, wholeNumber, type ResponseSchema } from './schema.ts';

/** A follow-up as staff see it. */
export const followUpResponse = {
  title: 'follow-up',
  description: 'An email that a lead requires',
  ...object({
    id: uuid,
    leadId: { ...nullable(uuid), description: 'Null for a kind that is not about a lead' },
    leadEmail: {
      ...nullable(string),
      description: 'The lead’s address; a notice to staff has another recipient',
    },
    kind: oneOf(followUpKinds),
    recipient: { ...nullable(string), description: 'Null for a kind that is not an email' },
    state: oneOf(followUpStates),
    attempts: wholeNumber,
    serverAnswer: {
      ...nullable(string),
      description: 'The mail server’s last response, or why no email was sent; null before the first attempt',
    },
    nextTryAt: { ...nullable(dateTime), description: 'Null in every state but pending' },
    sentAt: nullable(dateTime),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
} as const satisfies ResponseSchema;

/** How many follow-ups are in each state. */
export const followUpCountsResponse = {
  title: 'follow-up-counts',
  description: 'How many follow-ups are in each state',
  ...object({
    counts: object(byState(() => wholeNumber)),
    oldestWaitingSeconds: {
      ...nullable({ type: 'number', minimum: 0 }),
      description: 'The age of the oldest waiting follow-up since it was stored or retried; null if none waits',
    },
  }),
} as const satisfies ResponseSchema;

/** The result of a change of all follow-ups in a state. */
export const changedCountResponse = {
  title: 'changed-count',
  description: 'How many follow-ups were changed',
  ...object({ changed: wholeNumber }),
} as const satisfies ResponseSchema;

/** A record with one value for each state. */
export function byState<Value>(valueOf: (state: FollowUpState) => Value): Record<FollowUpState, Value> {
  return {
    pending: valueOf('pending'),
    sending: valueOf('sending'),
    sent: valueOf('sent'),
    failed: valueOf('failed'),
    withheld: valueOf('withheld'),
    cancelled: valueOf('cancelled'),
  };
}

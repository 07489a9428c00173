import { followUpKinds, followUpStates, withheldReasons, type FollowUpState } from '../follow-ups.ts';
import { webhookTypes } from '../webhooks.ts';
import { dateTime, nullable, object, oneOf, string, uuid, wholeNumber, type ResponseSchema } from './schema.ts';

/** A follow-up as staff see it. */
export const followUpResponse = {
  title: 'follow-up',
  description: 'An email that one or several leads require, or a webhook about a lead',
  ...object({
    id: uuid,
    leadId: { ...nullable(uuid), description: 'Null for a kind that is not about a lead' },
    leadEmail: {
      ...nullable(string),
      description: 'The lead’s address; a notice to staff has another recipient',
    },
    kind: oneOf(followUpKinds),
    event: { ...nullable(oneOf(webhookTypes)), description: 'What a webhook reports; null for an email' },
    recipient: { ...nullable(string), description: 'Null for a kind that is not an email' },
    state: oneOf(followUpStates),
    attempts: wholeNumber,
    serverAnswer: {
      ...nullable(string),
      description: 'The receiver’s last response, or why nothing was sent; null before the first attempt',
    },
    withheldReason: {
      ...nullable(oneOf(withheldReasons)),
      description: 'Why it is withheld; null in all other states, and if an earlier release withheld it',
    },
    nextTryAt: {
      ...nullable(dateTime),
      description: 'Null in every state but pending; for a notice in a digest, the time of the digest',
    },
    sentAt: nullable(dateTime),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
} as const satisfies ResponseSchema;

/** A follow-up that was found by an address, a lead or its Message-ID. */
export const foundFollowUpResponse = {
  title: 'found-follow-up',
  description: 'A follow-up, and whether it was delivered',
  ...object({
    ...followUpResponse.properties,
    messageId: { ...nullable(string), description: 'The Message-ID; null for a kind that is not an email' },
    inWords: { ...string, description: 'Whether it was delivered and, if not, why' },
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

/** A mailbox that gets no automatic emails. */
export const optOutResponse = {
  title: 'opt-out',
  description: 'A mailbox that gets no automatic emails',
  ...object({
    id: uuid,
    mailbox: { ...string, description: 'The address in lower case, without a tag after "+"' },
    createdAt: dateTime,
  }),
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

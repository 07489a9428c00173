import { emailKinds, followUpStates, withheldReasons } from '../follow-ups.ts';
import { leadStatuses } from '../leads.ts';
import { accountReference } from './account.ts';
import {
  boolean,
  dateTime,
  nullable,
  object,
  oneOf,
  string,
  uuid,
  wholeNumber,
  type ResponseSchema,
} from './schema.ts';

/** The members of every entry. */
const everyEntry = {
  id: uuid,
  at: dateTime,
  actor: { ...nullable(accountReference), description: 'Who did it; null for the visitor, the system and operators' },
  activity: {
    ...wholeNumber,
    description: 'The activity of the lead after the last change of the entry; 0 if it was not counted',
  },
} as const;

/** A note. Its author can edit and delete it. */
const note = object({
  kind: { const: 'note' },
  ...everyEntry,
  text: { ...nullable(string), description: 'The text after the last edit; null if the note was deleted' },
  editedAt: nullable(dateTime),
  deletedAt: nullable(dateTime),
  version: { ...wholeNumber, description: 'Counts the edits, from 1' },
});

/** A reply of staff, with the state of its email. */
const reply = object({
  kind: { const: 'reply' },
  ...everyEntry,
  subject: string,
  text: string,
  recipient: string,
  state: oneOf(followUpStates),
  isUndoable: { ...boolean, description: 'Whether an undo would succeed: no attempt was made to send the email' },
  nextTryAt: { ...nullable(dateTime), description: 'Null in every state but pending' },
  sentAt: nullable(dateTime),
  updatedAt: { ...dateTime, description: 'The time of the last change of the state' },
  serverAnswer: { ...nullable(string), description: 'The mail server’s last response' },
  withdrawnAt: {
    ...nullable(dateTime),
    description: 'When the reply was undone, or replaced after it had failed; it is never sent after that',
  },
  withdrawnBy: nullable(accountReference),
});

/** An entry in the history of a lead (docs/PRODUCT.md, "History"). */
export const historyEntryResponse = {
  title: 'history-entry',
  description: 'An entry in the history of a lead',
  oneOf: [
    object({ kind: { const: 'received' }, ...everyEntry }),
    object({
      kind: { const: 'email' },
      ...everyEntry,
      email: oneOf(emailKinds),
      recipient: nullable(string),
      state: oneOf(followUpStates),
      nextTryAt: { ...nullable(dateTime), description: 'Null in every state but pending' },
      sentAt: nullable(dateTime),
      updatedAt: { ...dateTime, description: 'The time of the last change of the state' },
      serverAnswer: { ...nullable(string), description: 'The mail server’s last response, or why no email was sent' },
      withheldReason: { ...nullable(oneOf(withheldReasons)), description: 'Null in every state but withheld' },
    }),
    object({ kind: { const: 'status' }, ...everyEntry, from: oneOf(leadStatuses), to: oneOf(leadStatuses) }),
    object({
      kind: { const: 'owner' },
      ...everyEntry,
      from: nullable(accountReference),
      to: nullable(accountReference),
    }),
    object({ kind: { const: 'answered' }, ...everyEntry }),
    object({ kind: { const: 'not_answered' }, ...everyEntry }),
    note,
    reply,
    object({
      kind: { const: 'address_corrected' },
      ...everyEntry,
      email: { ...oneOf(emailKinds), description: 'The kind of the email' },
      from: string,
      to: string,
      isOfLead: { ...boolean, description: 'Whether the lead got the address as well' },
    }),
    object({ kind: { const: 'spam' }, ...everyEntry }),
    object({ kind: { const: 'released' }, ...everyEntry }),
  ],
} as const satisfies ResponseSchema;

/** A note as it is after a change. */
export const noteResponse = {
  title: 'note',
  description: 'A note on a lead',
  ...note,
} as const satisfies ResponseSchema;

/** A reply as it is after a change. */
export const replyResponse = {
  title: 'stored-reply',
  description: 'A reply to a lead',
  ...reply,
} as const satisfies ResponseSchema;

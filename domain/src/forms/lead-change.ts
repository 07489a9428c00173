import { leadStatuses } from '../leads.ts';
import { bulkChange, idempotencyKeyPattern } from '../limits.ts';
import { uuidForm } from '../uuid.ts';
import { closedSelection, text } from './fields.ts';
import type { FormSchema } from './form-schema.ts';

const changes = {
  status: closedSelection('Status', `Status must be one of ${leadStatuses.join(', ')}`, leadStatuses),
  ownerId: {
    type: ['string', 'null'],
    description: 'Owner',
    pattern: `^${uuidForm}$`,
    messages: { default: 'Owner must be the id of an account, or null' },
  },
  answered: {
    type: 'boolean',
    description: 'Answered',
    messages: { default: 'Answered must be on or off' },
  },
} as const;

/**
 * The body of PATCH /api/admin/leads/{id}. A field that is left out does not change; `ownerId: null` removes the owner.
 * The fields that start with `seen` are the values that the author of the change saw.
 */
export const leadChangeForm = {
  $id: 'lead-change',
  description: 'A change of a lead by staff',
  type: 'object',
  properties: {
    ...changes,
    seenStatus: changes.status,
    seenOwnerId: changes.ownerId,
    seenAnswered: changes.answered,
  },
  required: [],
} as const satisfies FormSchema;

/**
 * The body of POST /api/admin/leads/bulk. `spam` marks the leads as spam or releases them. `undoes`, alone with `ids`, is
 * the Idempotency-Key of an earlier change: the leads that it has changed, and that it left as they are now, get the
 * status and the owner that they had before.
 */
export const leadBulkChangeForm = {
  $id: 'lead-bulk-change',
  description: 'A change of several leads by staff',
  type: 'object',
  properties: {
    ids: {
      type: 'array',
      description: 'Leads',
      items: { type: 'string', pattern: `^${uuidForm}$` },
      minItems: 1,
      maxItems: bulkChange.leads,
      messages: {
        default: `Leads must be a list of 1 to ${bulkChange.leads} ids`,
        pattern: 'Each lead must be an id',
      },
    },
    ...changes,
    spam: {
      type: 'boolean',
      description: 'Spam',
      messages: { default: 'Spam must be on or off' },
    },
    undoes: {
      type: 'string',
      description: 'Change to undo',
      pattern: idempotencyKeyPattern,
      messages: { default: 'The change to undo must be an Idempotency-Key' },
    },
  },
  required: ['ids'],
} as const satisfies FormSchema;

/** The body of a new or an edited note. */
export const noteForm = {
  $id: 'note-text',
  description: 'The text of a note',
  type: 'object',
  properties: { text: text('Note', { min: 1, message: 'Please write a note' }) },
  required: ['text'],
} as const satisfies FormSchema;

/** The message for an owner that is not an active account. */
export const unknownOwnerMessage = 'The owner must be an active account';

/** The message for an undo with another change. */
export const undoAloneMessage = 'An undo cannot be combined with another change';

/** The message for the status of a portfolio request. */
export const noStatusMessage = 'A portfolio request has no status';

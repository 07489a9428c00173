import { portfolioMailsPerHour } from './limits.ts';
import { uuidForm } from './uuid.ts';

/** The kinds of follow-ups, currently all emails about a lead. Each kind is also the name of its job. */
export const followUpKinds = ['portfolio_pdf', 'acknowledgement', 'staff_notice'] as const;
export type FollowUpKind = (typeof followUpKinds)[number];

/**
 * The states of a follow-up (docs/PRODUCT.md, "Follow-up states").
 * - `pending`: waits to be claimed from `available_at` on
 * - `sending`: claimed by a worker until `available_at`
 * - `sent`: accepted by the receiver
 * - `failed`: rejected permanently, or out of attempts; staff or an operator decide what to do
 * - `withheld`: not sent because of the hourly portfolio cap of its address
 * - `cancelled`: not sent because staff or an operator cancelled it
 */
export const followUpStates = ['pending', 'sending', 'sent', 'failed', 'withheld', 'cancelled'] as const;
export type FollowUpState = (typeof followUpStates)[number];

/** The states that a retry changes to `pending`. */
export const retryableStates = ['failed', 'withheld', 'cancelled'] as const satisfies readonly FollowUpState[];
/** The states that can be cancelled. A follow-up in `sending` cannot: the mail server may already have its email. */
export const cancellableStates = ['pending', 'failed', 'withheld'] as const satisfies readonly FollowUpState[];

/** Explains to staff and operators why follow-ups are withheld and when a retry helps. */
export const withheldHint = `This address received ${portfolioMailsPerHour} portfolio emails within an hour. A retry is withheld again until that hour has passed.`;

/** The name of the queue that the API and the worker share. */
export const followUpQueue = 'follow-ups';

/** The payload of a job: the follow-ups of one kind that are due. Their rows contain everything else. */
export interface FollowUpJob {
  readonly followUpIds: readonly string[];
}

/** The schema by which the worker validates a job, since the queue may contain jobs of an older release. */
export const followUpJobSchema = {
  $id: 'follow-up-job',
  description: 'The ids of follow-ups that are due',
  type: 'object',
  properties: {
    followUpIds: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: `^${uuidForm}$` },
    },
  },
  required: ['followUpIds'],
} as const;

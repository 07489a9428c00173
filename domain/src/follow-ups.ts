import { portfolioMailsPerHour } from './limits.ts';
import { uuidForm } from './uuid.ts';

/** What is sent to someone outside; today emails about a lead. Each kind is also the name of its job. */
export const followUpKinds = ['portfolio_pdf', 'acknowledgement', 'staff_notice'] as const;
export type FollowUpKind = (typeof followUpKinds)[number];

/**
 * - `pending`: owed, to be claimed from `available_at` on
 * - `sending`: claimed by a worker until `available_at`
 * - `sent`: accepted by the receiver
 * - `failed`: rejected permanently, or out of tries; staff or an operator decide
 * - `withheld`: not sent on purpose (the hourly cap of one address)
 * - `cancelled`: not to be sent, as staff or an operator decided
 */
export const followUpStates = ['pending', 'sending', 'sent', 'failed', 'withheld', 'cancelled'] as const;
export type FollowUpState = (typeof followUpStates)[number];

/** The states that a retry leads out of, back to `pending`. */
export const retryableStates = ['failed', 'withheld', 'cancelled'] as const satisfies readonly FollowUpState[];
/**
 * The states that can be cancelled: what waits, and what somebody has to decide about. What a worker holds may be at the
 * mail server already.
 */
export const cancellableStates = ['pending', 'failed', 'withheld'] as const satisfies readonly FollowUpState[];

/** What whoever retries withheld follow-ups must know. */
export const withheldHint = `Held back because the address had ${portfolioMailsPerHour} portfolio emails within an hour. Until that hour is over, a retry is held back again.`;

/** The one queue that api and worker share. */
export const followUpQueue = 'follow-ups';

/** A job wakes the worker up for rows of one kind; the rows hold everything else. */
export interface FollowUpJob {
  readonly followUpIds: readonly string[];
}

/** The job payload as the worker checks it on arrival: an older producer may have filled the queue. */
export const followUpJobSchema = {
  $id: 'follow-up-job',
  description: 'What a job carries: the ids of the follow-up rows it wakes the worker up for.',
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

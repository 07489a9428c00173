import { emailLimits } from './limits.ts';
import { uuidForm } from './uuid.ts';

/**
 * The kinds that are emails. Each kind is also the name of its job. A `staff_digest` and a `reminder` are about several
 * leads, an `account_notice` is about a staff account, all others are about one lead.
 */
export const emailKinds = [
  'portfolio_pdf',
  'acknowledgement',
  'staff_notice',
  'staff_digest',
  'reminder',
  'reply',
  'account_notice',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** The kinds of follow-ups. A webhook has no job: the workers find it in the database (ADR 0020). */
export const followUpKinds = [...emailKinds, 'webhook'] as const;
export type FollowUpKind = (typeof followUpKinds)[number];

/** The ways in which follow-ups are sent. */
export const transports = ['email', 'webhook'] as const;
export type TransportName = (typeof transports)[number];

/** The kinds that are sent to visitors automatically. Email limits and opt-outs apply to them. */
export const visitorKinds = ['portfolio_pdf', 'acknowledgement'] as const satisfies readonly FollowUpKind[];

/** The kinds whose recipient staff can correct (docs/PRODUCT.md, "Corrected addresses"): all emails to visitors. */
export const correctableKinds = [...visitorKinds, 'reply'] as const satisfies readonly FollowUpKind[];

/**
 * The states of a follow-up (docs/PRODUCT.md, "Follow-up states").
 * - `pending`: waits to be claimed from `available_at` on
 * - `sending`: claimed by a worker until `available_at`
 * - `sent`: accepted by the receiver
 * - `failed`: rejected permanently, or out of attempts; staff or an operator decide what to do
 * - `withheld`: not sent because of an email limit or an opt-out; see `withheldReasons`
 * - `cancelled`: not sent because staff or an operator cancelled it
 */
export const followUpStates = ['pending', 'sending', 'sent', 'failed', 'withheld', 'cancelled'] as const;
export type FollowUpState = (typeof followUpStates)[number];

/** The states that a retry changes to `pending`. */
export const retryableStates = ['failed', 'withheld', 'cancelled'] as const satisfies readonly FollowUpState[];
/** The states that can be cancelled. A follow-up in `sending` cannot: the mail server may already have its email. */
export const cancellableStates = ['pending', 'failed', 'withheld'] as const satisfies readonly FollowUpState[];

/** Why a follow-up is withheld (docs/PRODUCT.md, "Email limits"), as a sentence for staff and operators. */
export const withheldReasonTexts = {
  portfolio_limit: `This mailbox already got ${emailLimits.portfolioPerHour} portfolio emails within an hour.`,
  mailbox_limit: `This mailbox already got ${emailLimits.mailboxPerHour} automatic emails within an hour, or ${emailLimits.mailboxPerDay} within a day.`,
  domain_limit: 'This domain already got the maximum number of automatic emails within an hour.',
  total_limit: 'The site already sent the maximum number of automatic emails within an hour.',
  opted_out: 'The owner of this mailbox asked for no more automatic emails.',
} as const;
export type WithheldReason = keyof typeof withheldReasonTexts;
export const withheldReasons = Object.keys(withheldReasonTexts) as readonly WithheldReason[];

/** Explains to staff and operators what a retry of withheld follow-ups does. */
export const withheldHint =
  'A retry ignores the email limits. An email stays withheld while its mailbox is opted out of automatic emails.';

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

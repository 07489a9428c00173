import { emailLimits } from './limits.ts';
import { uuidForm } from './uuid.ts';

/** The ways in which follow-ups are sent. */
export const transports = ['email', 'webhook'] as const;
export type TransportName = (typeof transports)[number];

/** The rules of a kind of follow-up. */
interface FollowUpRules {
  /** The name of the kind in the staff area. */
  readonly label: string;
  /** The receiver. A reply refers to earlier emails to the `visitor`. */
  readonly audience: 'visitor' | 'staff' | 'account' | 'other_system';
  readonly transport: TransportName;
  /** Its subject. An `event` is one of the webhooks. */
  readonly about: 'lead' | 'several_leads' | 'account' | 'event';
  /** Whether the email limits and the opt-outs apply to it (docs/PRODUCT.md, "Email limits"). */
  readonly isLimited: boolean;
  /** Whether staff can correct its recipient (docs/PRODUCT.md, "Corrected addresses"). */
  readonly isCorrectable: boolean;
  /** The words of a data export without its text; null if the export has the text or omits the kind. */
  readonly content: string | null;
}

/**
 * The kinds of follow-ups. Each kind of email is also the name of its job. A webhook has no job: the workers find it in
 * the database (ADR 0020).
 */
export const followUpRules = {
  portfolio_pdf: {
    label: 'Portfolio',
    audience: 'visitor',
    transport: 'email',
    about: 'lead',
    isLimited: true,
    isCorrectable: true,
    content: 'Our portfolio as a PDF. It repeats nothing that you sent.',
  },
  acknowledgement: {
    label: 'Acknowledgement',
    audience: 'visitor',
    transport: 'email',
    about: 'lead',
    isLimited: true,
    isCorrectable: true,
    content: 'We have received what you sent, and when we will answer. It repeats nothing that you sent.',
  },
  staff_notice: {
    label: 'Notice to staff',
    audience: 'staff',
    transport: 'email',
    about: 'lead',
    isLimited: false,
    isCorrectable: false,
    content: 'A notice to our team that you wrote, with your name, company and the service that you chose.',
  },
  staff_digest: {
    label: 'Digest for staff',
    audience: 'staff',
    transport: 'email',
    about: 'several_leads',
    isLimited: false,
    isCorrectable: false,
    content: 'A notice to our team of several leads, with the name, the company and the service of each.',
  },
  reminder: {
    label: 'Reminder',
    audience: 'staff',
    transport: 'email',
    about: 'several_leads',
    isLimited: false,
    isCorrectable: false,
    content: 'A reminder to our team that answers are due. It names no one.',
  },
  reply: {
    label: 'Reply',
    audience: 'visitor',
    transport: 'email',
    about: 'lead',
    isLimited: false,
    isCorrectable: true,
    content: null,
  },
  account_notice: {
    label: 'Notice about an account',
    audience: 'account',
    transport: 'email',
    about: 'account',
    isLimited: false,
    isCorrectable: false,
    content: 'A notice to a member of our team about a change of their account. It names no one outside the team.',
  },
  erasure_notice: {
    label: 'Notice of erasures',
    audience: 'staff',
    transport: 'email',
    about: 'account',
    isLimited: false,
    isCorrectable: false,
    content: 'A notice to our team of how many addresses it has erased. It names no one outside the team.',
  },
  lead_notification: {
    label: 'Assigned leads and mentions',
    audience: 'account',
    transport: 'email',
    about: 'several_leads',
    isLimited: false,
    isCorrectable: false,
    content:
      'A notice to a member of our team that leads were assigned to them, or that notes mention them. It names no one.',
  },
  webhook: {
    label: 'Webhook',
    audience: 'other_system',
    transport: 'webhook',
    about: 'event',
    isLimited: false,
    isCorrectable: false,
    content: null,
  },
} as const satisfies Readonly<Record<string, FollowUpRules>>;

export type FollowUpKind = keyof typeof followUpRules;
export const followUpKinds = Object.keys(followUpRules) as readonly FollowUpKind[];

type KindWith<Rule extends keyof FollowUpRules, Value> = {
  [Kind in FollowUpKind]: (typeof followUpRules)[Kind][Rule] extends Value ? Kind : never;
}[FollowUpKind];

const kindsWith = <Rule extends keyof FollowUpRules, const Value extends FollowUpRules[Rule]>(
  rule: Rule,
  value: Value,
): readonly KindWith<Rule, Value>[] =>
  followUpKinds.filter((kind): kind is KindWith<Rule, Value> => followUpRules[kind][rule] === value);

export const emailKinds = kindsWith('transport', 'email');
export type EmailKind = (typeof emailKinds)[number];

/** The kinds that exist only for a lead. */
export const kindsOfLead = kindsWith('about', 'lead');

/** The kinds to which the email limits and the opt-outs apply. */
export const limitedKinds = kindsWith('isLimited', true);

/** The emails that a conversation with a visitor consists of. A reply refers to the earlier ones. */
export const conversationKinds = kindsWith('audience', 'visitor');

/** The kinds whose recipient staff can correct. */
export const correctableKinds = kindsWith('isCorrectable', true);

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

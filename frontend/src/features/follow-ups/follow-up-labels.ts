import {
  cancellableStates,
  followUpRules,
  type FollowUpState,
  retryableStates,
  type TransportName,
  withheldHint,
  withheldReasonTexts,
} from '@dune-tide/domain/follow-ups';
import { formatCount } from '../../format/numbers.ts';
import type { FollowUp, StateChange } from './follow-ups-api.ts';
import { explainServerResponse, explainWebhookResponse } from './server-response.ts';

interface StateLabels {
  readonly label: string;
  /** @param several - the plural noun of the transport */
  readonly empty: (several: string) => string;
  /** The name of the time that each email shows. */
  readonly time: string;
  readonly hint?: string;
}

/** The nouns of each transport. */
export const nouns: Readonly<Record<TransportName, { readonly one: string; readonly several: string }>> = {
  email: { one: 'email', several: 'emails' },
  webhook: { one: 'webhook', several: 'webhooks' },
};

/** Returns a text with a capital first letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The tabs in their order, with those that may need action first. */
export const stateLabels: Readonly<Record<FollowUpState, StateLabels>> = {
  pending: { label: 'Waiting', empty: (several) => `No ${several} are waiting.`, time: 'Next attempt' },
  sending: { label: 'Sending', empty: (several) => `No ${several} are being sent right now.`, time: 'Since' },
  failed: { label: 'Failed', empty: (several) => `No ${several} have failed.`, time: 'Failed' },
  withheld: {
    label: 'Withheld',
    empty: (several) => `No ${several} are withheld.`,
    time: 'Withheld',
    hint: withheldHint,
  },
  cancelled: { label: 'Cancelled', empty: (several) => `No ${several} were cancelled.`, time: 'Cancelled' },
  sent: { label: 'Sent', empty: (several) => `No ${several} have been sent yet.`, time: 'Sent' },
};

/** The states in the order of their tabs. */
export const stateTabs = Object.keys(stateLabels) as readonly FollowUpState[];

const changes: readonly StateChange[] = [
  ...retryableStates.map((state) => ({ change: 'retry', state }) as const),
  ...cancellableStates.map((state) => ({ change: 'cancel', state }) as const),
];

/** Returns the changes that are possible in a state. The first is also offered for all emails of the state. */
export const changesOf = (state: FollowUpState): readonly StateChange[] =>
  changes.filter((each) => each.state === state);

/** The texts of a change for its button, toast and confirmation. */
export const changeLabels = {
  retry: { label: 'Retry', pending: 'Retrying...', title: 'Retried', done: 'will be retried' },
  cancel: { label: 'Cancel', pending: 'Cancelling...', title: 'Cancelled', done: 'will not be sent' },
} as const;

/** Returns the time of the next attempt or of the delivery, otherwise the time of the last state change. */
export function timeOf({
  state,
  nextTryAt,
  sentAt,
  updatedAt,
}: Pick<FollowUp, 'state' | 'nextTryAt' | 'sentAt' | 'updatedAt'>): string | null {
  if (state === 'pending') return nextTryAt;
  return state === 'sent' ? sentAt : updatedAt;
}

/**
 * Returns the last response of the receiver with an explanation, or why the email is withheld; null if neither.
 * @param transport - how the follow-up is sent
 */
export function lastResponse(
  { serverAnswer: serverResponse, withheldReason }: Pick<FollowUp, 'serverAnswer' | 'withheldReason'>,
  transport: TransportName = 'email',
): string | null {
  if (withheldReason !== null) return withheldReasonTexts[withheldReason];
  if (serverResponse === null) return null;
  return transport === 'webhook' ? explainWebhookResponse(serverResponse) : explainServerResponse(serverResponse);
}

/** Returns the lead's address for an email to staff; undefined for an email to the visitor. */
export const subjectOf = ({ kind, leadEmail }: FollowUp): string | undefined =>
  followUpRules[kind].audience === 'staff' && followUpRules[kind].about === 'lead'
    ? (leadEmail ?? undefined)
    : undefined;

/** Describes an email by its recipient and, for staff emails, its lead; a webhook by its event and its lead. */
export function emailTo(followUp: FollowUp): string {
  const { event, leadEmail } = followUp;
  if (event !== null) return `webhook ${event}${leadEmail === null ? '' : ` of ${leadEmail}`}`;
  const subject = subjectOf(followUp);
  const to = followUp.recipient === null ? '' : ` to ${followUp.recipient}`;
  return `email${to}${subject === undefined ? '' : ` about ${subject}`}`;
}

/** Returns a count with its noun, e.g. "1,204 emails", joined by a no-break space. */
export function counted(count: number, transport: TransportName): string {
  const { one, several } = nouns[transport];
  return `${formatCount(count)}\u{A0}${count === 1 ? one : several}`;
}

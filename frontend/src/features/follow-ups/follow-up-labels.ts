import {
  cancellableStates,
  type FollowUpKind,
  type FollowUpState,
  retryableStates,
  withheldHint,
} from '@dune-tide/domain/follow-ups';
import { formatCount } from '../../format/numbers.ts';
import type { ChangeAll, FollowUp } from './follow-ups-api.ts';

interface StateLabels {
  readonly label: string;
  readonly empty: string;
  /** What the time of each is. */
  readonly time: string;
  readonly hint?: string;
}

/** The tabs in their order: what may need somebody comes first. */
export const stateLabels: Readonly<Record<FollowUpState, StateLabels>> = {
  pending: { label: 'Waiting', empty: 'No email is waiting.', time: 'Next try' },
  sending: { label: 'Sending', empty: 'No email is being sent just now.', time: 'Since' },
  failed: { label: 'Failed', empty: 'No email has failed.', time: 'Failed' },
  withheld: {
    label: 'Withheld',
    empty: 'No email is withheld.',
    time: 'Withheld',
    hint: withheldHint,
  },
  cancelled: { label: 'Cancelled', empty: 'No email was cancelled.', time: 'Cancelled' },
  sent: { label: 'Sent', empty: 'No email has been sent yet.', time: 'Sent' },
};

/** The states in the order of their tabs. */
export const stateTabs = Object.keys(stateLabels) as readonly FollowUpState[];

/** What a kind of follow-up is called. */
export const kindLabels: Readonly<Record<FollowUpKind, string>> = {
  portfolio_pdf: 'Portfolio',
  acknowledgement: 'Acknowledgement',
  staff_notice: 'Notice to staff',
};

const changes: readonly ChangeAll[] = [
  ...retryableStates.map((state) => ({ change: 'retry', state }) as const),
  ...cancellableStates.map((state) => ({ change: 'cancel', state }) as const),
];

/** What can be done with the follow-ups of a state; with all of them at once, the first. */
export const changesOf = (state: FollowUpState): readonly ChangeAll[] => changes.filter((each) => each.state === state);

/** A change as its button, its toast and its question say it. */
export const changeLabels = {
  retry: { label: 'Retry', pending: 'Retrying...', title: 'Retried', done: 'will be tried again' },
  cancel: { label: 'Cancel', pending: 'Cancelling...', title: 'Cancelled', done: 'will not be sent' },
} as const;

/** When it was sent or is tried next; else since when it is in its state. */
export function timeOf({ state, nextTryAt, sentAt, updatedAt }: FollowUp): string | null {
  if (state === 'pending') return nextTryAt;
  return state === 'sent' ? sentAt : updatedAt;
}

/** Whose lead an email to the staff is about; undefined where it goes to the visitor. */
export const subjectOf = ({ kind, leadEmail }: FollowUp): string | undefined =>
  kind === 'staff_notice' ? (leadEmail ?? undefined) : undefined;

/** An email by where it goes, and what tells it from others that go there. */
export function emailTo(followUp: FollowUp): string {
  const subject = subjectOf(followUp);
  const to = followUp.recipient === null ? '' : ` to ${followUp.recipient}`;
  return `email${to}${subject === undefined ? '' : ` about ${subject}`}`;
}

/** E.g. "1,204 emails"; a no-break space keeps the number beside its noun. */
export function emails(count: number): string {
  return `${formatCount(count)}\u{A0}${count === 1 ? 'email' : 'emails'}`;
}

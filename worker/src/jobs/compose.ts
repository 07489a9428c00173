import type { ClaimedFollowUp } from '@dune-tide/db/follow-ups';
import type { OutgoingMail } from '../mail/mailer.ts';

/** What jobs need to write their mails. */
export interface ComposeDependencies {
  readonly portfolio: { read(): Promise<Buffer> };
  readonly publicUrl: string;
}

/** A job: writes the mail that a follow-up owes. */
export type ComposeMail = (
  followUp: ClaimedFollowUp,
  dependencies: ComposeDependencies,
) => Promise<Omit<OutgoingMail, 'to' | 'messageId'>>;

import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import type { OutgoingMail } from './smtp/mailer.ts';

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

/** Keeps what is the same in many mails, so that each carries the same object and it is encoded once. */
export function oncePerSite<T>(make: (publicUrl: string) => T): (publicUrl: string) => T {
  const made = new Map<string, T>();
  return (publicUrl) => {
    const content = made.get(publicUrl) ?? make(publicUrl);
    made.set(publicUrl, content);
    return content;
  };
}

import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import type { LeadOf } from '@dune-tide/db/lead-lookup';
import type { OutgoingMail } from '../mail/mailer.ts';

/** What composers need to write their mails. */
export interface ComposerDependencies {
  readonly portfolio: { read(): Promise<Buffer> };
  readonly publicUrl: string;
  readonly leadOf: LeadOf;
}

/** Writes the mail of a follow-up. */
export type Composer = (
  followUp: ClaimedFollowUp,
  dependencies: ComposerDependencies,
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

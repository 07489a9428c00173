import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import type { LeadOf } from '@dune-tide/db/lead-lookup';
import type { OutgoingMail } from '../mail/mailer.ts';

export interface ComposerDependencies {
  readonly portfolio: { read(): Promise<Buffer> };
  readonly publicUrl: string;
  readonly leadOf: LeadOf;
}

/** Writes the email of a follow-up. */
export type Composer = (
  followUp: ClaimedFollowUp,
  dependencies: ComposerDependencies,
) => Promise<Omit<OutgoingMail, 'to' | 'messageId'>>;

/** Caches content by site. Emails that share the object also share its encoding (encoded-parts.ts). */
export function oncePerSite<T>(make: (publicUrl: string) => T): (publicUrl: string) => T {
  const made = new Map<string, T>();
  return (publicUrl) => {
    const content = made.get(publicUrl) ?? make(publicUrl);
    made.set(publicUrl, content);
    return content;
  };
}

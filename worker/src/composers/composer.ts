import type { DigestLeadsOf } from '@dune-tide/db/digest-leads';
import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import type { LeadOf } from '@dune-tide/db/lead-lookup';
import { unsubscribePath, type UnsubscribeTokens } from '@dune-tide/platform/unsubscribe-tokens';
import type { replyStore } from '@dune-tide/db/replies';
import type { reminderStore } from '@dune-tide/db/reminders';
import type { OutgoingMail } from '../mail/mailer.ts';
import { tokenPlaceholder, type MailContent } from '../mail/templates/mail-content.ts';

export interface ComposerDependencies {
  readonly portfolio: { read(): Promise<Buffer> };
  readonly publicUrl: string;
  readonly leadOf: LeadOf;
  readonly digestLeads: DigestLeadsOf;
  readonly unsubscribeTokens: UnsubscribeTokens;
  /** Returns the text of a reply, with what its headers need. */
  readonly replyToSend: ReturnType<typeof replyStore>['toSend'];
  /** Returns the leads of a reminder. */
  readonly remindedLeads: ReturnType<typeof reminderStore>['leadsOf'];
}

/** Writes the email of a follow-up. */
export type Composer = (
  followUp: ClaimedFollowUp,
  dependencies: ComposerDependencies,
) => Promise<Omit<OutgoingMail, 'to' | 'messageId'>>;

/**
 * Caches the content of emails to visitors by site, and makes the link of each follow-up. Emails that share the content
 * also share its encoding (encoded-parts.ts).
 */
export function perFollowUp(
  make: (site: { readonly publicUrl: string; readonly unsubscribeUrl: string }) => MailContent,
): (followUpId: string, dependencies: ComposerDependencies) => Pick<OutgoingMail, 'content' | 'unsubscribe'> {
  const made = new Map<string, MailContent>();
  return (followUpId, { publicUrl, unsubscribeTokens }) => {
    const urlOf = (token: string): string => new URL(`${unsubscribePath}/${token}`, publicUrl).href;
    const content = made.get(publicUrl) ?? make({ publicUrl, unsubscribeUrl: urlOf(tokenPlaceholder) });
    made.set(publicUrl, content);
    const token = unsubscribeTokens.issue(followUpId);
    return { content, unsubscribe: { url: urlOf(token), token } };
  };
}

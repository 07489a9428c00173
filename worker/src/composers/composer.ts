import type { DigestLeadsOf } from '@dune-tide/db/digest-leads';
import type { ClaimedFollowUp } from '@dune-tide/db/follow-up-claims';
import type { LeadOf } from '@dune-tide/db/lead-lookup';
import { unsubscribePath, type UnsubscribeTokens } from '@dune-tide/platform/unsubscribe-tokens';
import type { OutgoingMail } from '../mail/mailer.ts';
import type { MailContent } from '../mail/templates/mail-content.ts';

export interface ComposerDependencies {
  readonly portfolio: { read(): Promise<Buffer> };
  readonly publicUrl: string;
  readonly leadOf: LeadOf;
  readonly digestLeads: DigestLeadsOf;
  readonly unsubscribeTokens: UnsubscribeTokens;
}

/** Writes the email of a follow-up. */
export type Composer = (
  followUp: ClaimedFollowUp,
  dependencies: ComposerDependencies,
) => Promise<Omit<OutgoingMail, 'to' | 'messageId'>>;

/** The content of an email to a visitor, with the address of the page that stops automatic emails. */
export interface VisitorContent {
  readonly content: MailContent;
  readonly unsubscribeUrl: string;
}

const tokenHere = 'TOKEN-OF-THE-FOLLOW-UP';

/** Caches the content of emails to visitors by site, and inserts the link of each follow-up into it. */
export function perFollowUp(
  make: (site: { readonly publicUrl: string; readonly unsubscribeUrl: string }) => MailContent,
): (followUpId: string, dependencies: ComposerDependencies) => VisitorContent {
  const made = new Map<string, MailContent>();
  return (followUpId, { publicUrl, unsubscribeTokens }) => {
    const urlOf = (token: string): string => new URL(`${unsubscribePath}/${token}`, publicUrl).href;
    const shared = made.get(publicUrl) ?? make({ publicUrl, unsubscribeUrl: urlOf(tokenHere) });
    made.set(publicUrl, shared);
    const token = unsubscribeTokens.issue(followUpId);
    return {
      content: {
        subject: shared.subject,
        html: shared.html.replaceAll(tokenHere, token),
        text: shared.text.replaceAll(tokenHere, token),
      },
      unsubscribeUrl: urlOf(token),
    };
  };
}

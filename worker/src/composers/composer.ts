import type { AccountNotice } from '@dune-tide/db/accounts';
import {
  sharedText,
  type LeadText,
  type SharedText,
  type ClaimedFollowUp,
  type leadNotificationStore,
  type replyStore,
  type reminderStore,
} from '@dune-tide/db/follow-ups';
import type { DigestLeadsOf, LeadOf } from '@dune-tide/db/leads';
import type { ErasureNotice } from '@dune-tide/db/personal-data';
import { receiptPath, unsubscribePath, type IdTokens } from '@dune-tide/platform/id-tokens';
import type { OutgoingMail } from '../mail/mailer.ts';
import { receiptPlaceholder, tokenPlaceholder, type MailContent } from '../mail/templates/mail-content.ts';
import type { VisitorLinks } from '../mail/templates/visitor-links.ts';

export interface ComposerDependencies {
  readonly portfolio: { read(): Promise<Buffer> };
  readonly publicUrl: string;
  readonly leadOf: LeadOf;
  readonly digestLeads: DigestLeadsOf;
  readonly unsubscribeTokens: IdTokens;
  readonly receiptTokens: IdTokens;
  readonly emailTokens: IdTokens;
  /** Returns the text of a reply and the data of its headers. */
  readonly replyToSend: ReturnType<typeof replyStore>['toSend'];
  /** Returns what a notice about an account reports. */
  readonly accountNoticeOf: (followUpId: string) => Promise<AccountNotice>;
  /** Returns the erasures that a notice reports. */
  readonly erasureNoticeOf: (followUpId: string) => Promise<ErasureNotice>;
  /** Returns what an email about assigned leads and mentions reports; undefined if nothing is left to report. */
  readonly leadNotificationOf: ReturnType<typeof leadNotificationStore>['of'];
  /** Returns the leads of a reminder. */
  readonly remindedLeads: ReturnType<typeof reminderStore>['leadsOf'];
}

/** An email without its recipient, and what the database keeps of its text (ADR 0023). */
export interface ComposedMail extends Omit<OutgoingMail, 'to' | 'messageId'> {
  /** The text, if many emails share it. */
  readonly text?: SharedText | undefined;
  /** The parts of the text that are about leads, if it is for staff. */
  readonly leadTexts?: readonly LeadText[] | undefined;
}

/**
 * Writes the email of a follow-up.
 * @returns undefined if it has nothing to report any more
 */
export type Composer = (
  followUp: ClaimedFollowUp,
  dependencies: ComposerDependencies,
) => Promise<ComposedMail | undefined>;

/**
 * Caches the content of emails to visitors by site, and makes the links of each follow-up. Emails that share the content
 * also share its encoding (encoded-parts.ts).
 */
export function perFollowUp(
  make: (site: VisitorLinks) => MailContent,
): (
  followUp: Pick<ClaimedFollowUp, 'id' | 'leadId'>,
  dependencies: ComposerDependencies,
) => Pick<ComposedMail, 'content' | 'unsubscribe' | 'text'> {
  const made = new Map<string, Pick<ComposedMail, 'content' | 'text'>>();
  return ({ id, leadId }, { publicUrl, unsubscribeTokens, receiptTokens }) => {
    const urlOf = (path: string, token: string): string => new URL(`${path}/${token}`, publicUrl).href;
    const shared =
      made.get(publicUrl) ??
      withText(
        make({
          publicUrl,
          unsubscribeUrl: urlOf(unsubscribePath, tokenPlaceholder),
          receiptUrl: urlOf(receiptPath, receiptPlaceholder),
        }),
      );
    made.set(publicUrl, shared);
    if (leadId === null) throw new TypeError('An email to a visitor has no lead');
    const tokens = { unsubscribe: unsubscribeTokens.issue(id), receipt: receiptTokens.issue(leadId) };
    return { ...shared, unsubscribe: { url: urlOf(unsubscribePath, tokens.unsubscribe), tokens } };
  };
}

/** Adds the text without the personal parts of its links. */
function withText(content: MailContent): Pick<ComposedMail, 'content' | 'text'> {
  const text = content.text.replaceAll(tokenPlaceholder, '…').replaceAll(receiptPlaceholder, '…');
  return { content, text: sharedText(content.subject, text) };
}

import type { EmailKind } from '@dune-tide/domain/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { leadNotificationLimit, reminderLimit } from '@dune-tide/domain/limits';
import { accountNoticeMail } from '../mail/templates/account-notice-mail.ts';
import { erasureNoticeMail } from '../mail/templates/erasure-notice-mail.ts';
import { leadNotificationMail } from '../mail/templates/lead-notification-mail.ts';
import { portfolioMail } from '../mail/templates/portfolio-mail.ts';
import { reminderMail } from '../mail/templates/reminder-mail.ts';
import { digestEntryText, staffDigestMail } from '../mail/templates/staff-digest-mail.ts';
import { staffNoticeMail } from '../mail/templates/staff-notice-mail.ts';
import { confirmEmailPath } from '@dune-tide/platform/id-tokens';
import { portfolioFileName } from '../portfolio/file-name.ts';
import { acknowledgement } from './acknowledgement.ts';
import { perFollowUp, type Composer } from './composer.ts';
import { leadFacts } from './lead-facts.ts';
import { reply } from './reply.ts';

const portfolioContent = perFollowUp(portfolioMail);

/** The composer of each kind of email. */
export const composers: Readonly<Record<EmailKind, Composer>> = {
  acknowledgement,
  reply,

  /** The email with the portfolio, which also acknowledges the request. */
  async portfolio_pdf(followUp, dependencies) {
    const content = await dependencies.portfolio.read();
    return {
      ...portfolioContent(followUp, dependencies),
      autoSubmitted: 'auto-replied',
      replyTo: 'studio',
      attachments: [{ filename: portfolioFileName, contentType: 'application/pdf', content }],
    };
  },

  /** The email that notifies staff of a lead. Replies to it go to the visitor. */
  async staff_notice(followUp, { leadOf, publicUrl }) {
    const lead = await leadOf(followUp);
    const { kind, id: leadId, createdAt } = lead;
    const content = staffNoticeMail({ kind, leadId, publicUrl, createdAt, facts: leadFacts(lead) });
    return {
      content,
      leadTexts: [{ leadId, text: content.text }],
      autoSubmitted: 'auto-generated',
      replyTo: { address: lead.email },
    };
  },

  /** The digest of notices to staff. It has no Reply-To, because it is about several visitors. */
  async staff_digest({ id }, { digestLeads, publicUrl }) {
    const { leads, total } = await digestLeads(id);
    const notices = leads.map((lead) => ({
      kind: lead.kind,
      leadId: lead.id,
      createdAt: lead.createdAt,
      facts: leadFacts(lead),
    }));
    const { content, described } = staffDigestMail({ notices, total, publicUrl });
    return {
      content,
      leadTexts: described.map((notice) => ({ leadId: notice.leadId, text: digestEntryText(notice, publicUrl) })),
      autoSubmitted: 'auto-generated',
      replyTo: 'none',
    };
  },

  /** A reminder. Leads that were answered after the reminder was written are left out. */
  async reminder({ id }, { remindedLeads, publicUrl }) {
    const { leads, total } = await remindedLeads(id, reminderLimit.shownLeads);
    return { content: reminderMail({ leads, total, publicUrl }), autoSubmitted: 'auto-generated', replyTo: 'none' };
  },

  /** The email about assigned leads and mentions. Those of one account and day refer to one Message-ID, their thread. */
  async lead_notification({ id }, { leadNotificationOf, publicUrl }) {
    const notification = await leadNotificationOf(id, leadNotificationLimit.shownLeads);
    if (!notification) return undefined;
    const { staffId, day } = notification;
    return {
      content: leadNotificationMail({ ...notification, publicUrl }),
      autoSubmitted: 'auto-generated',
      replyTo: 'none',
      references: [`<leads-${day}-${staffId}@${brand.mailDomain}>`],
    };
  },

  /** The email that notifies the owner of an account of a change. */
  async account_notice({ id }, { accountNoticeOf, emailTokens, publicUrl }) {
    const notice = await accountNoticeOf(id);
    const confirmUrl = new URL(`${confirmEmailPath}/${emailTokens.issue(id)}`, publicUrl).href;
    return {
      content: accountNoticeMail({ ...notice, publicUrl, confirmUrl }),
      autoSubmitted: 'auto-generated',
      replyTo: 'none',
    };
  },

  /** The email that reports erasures by staff. */
  async erasure_notice({ id }, { erasureNoticeOf, publicUrl }) {
    const accounts = await erasureNoticeOf(id);
    return { content: erasureNoticeMail({ accounts, publicUrl }), autoSubmitted: 'auto-generated', replyTo: 'none' };
  },
};

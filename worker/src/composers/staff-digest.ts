import { digestEntryText, staffDigestMail } from '../mail/templates/staff-digest-mail.ts';
import type { Composer } from './composer.ts';
import { leadFacts } from './lead-facts.ts';

/** Composes the digest of notices to staff. It has no Reply-To, because it is about several visitors. */
export const staffDigest: Composer = async ({ id }, { digestLeads, publicUrl }) => {
  const { leads, total } = await digestLeads(id);
  const notices = leads.map((lead) => ({
    kind: lead.kind,
    leadId: lead.id,
    createdAt: lead.createdAt,
    facts: leadFacts(lead),
  }));
  return {
    content: staffDigestMail({ notices, total, publicUrl }),
    leadTexts: notices.map((notice) => ({ leadId: notice.leadId, text: digestEntryText(notice, publicUrl) })),
    autoSubmitted: 'auto-generated',
    replyTo: 'none',
  };
};

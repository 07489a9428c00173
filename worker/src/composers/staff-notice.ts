import { staffNoticeMail } from '../mail/templates/staff-notice-mail.ts';
import type { Composer } from './composer.ts';
import { leadFacts } from './lead-facts.ts';

/** Composes the email that notifies staff of a lead. Replies to it go to the visitor. */
export const staffNotice: Composer = async (followUp, { leadOf, publicUrl }) => {
  const lead = await leadOf(followUp);
  const { kind, id: leadId, createdAt } = lead;
  const content = staffNoticeMail({ kind, leadId, publicUrl, createdAt, facts: leadFacts(lead) });
  return {
    content,
    leadTexts: [{ leadId, text: content.text }],
    autoSubmitted: 'auto-generated',
    replyTo: { address: lead.email },
  };
};

import { staffNoticeMail } from '../mails/staff-notice-mail.ts';
import type { ComposeMail } from '../compose.ts';

/** Tells the staff of a lead, with a link to it instead of its content. */
export const staffNotice: ComposeMail = async ({ leadKind, leadId, leadCreatedAt }, { publicUrl }) => ({
  content: staffNoticeMail({ kind: leadKind, leadId, publicUrl, createdAt: leadCreatedAt }),
  autoSubmitted: 'auto-generated',
});

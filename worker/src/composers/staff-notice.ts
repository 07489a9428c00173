import { staffNoticeMail } from '../mail/templates/staff-notice-mail.ts';
import type { Composer } from './composer.ts';

/** Composes the notice to staff of a lead. */
export const staffNotice: Composer = async (followUp, { leadOf, publicUrl }) => {
  const { kind, id: leadId, createdAt } = await leadOf(followUp);
  return {
    content: staffNoticeMail({ kind, leadId, publicUrl, createdAt }),
    autoSubmitted: 'auto-generated',
  };
};

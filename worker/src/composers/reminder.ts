import { reminderLimit } from '@dune-tide/domain/limits';
import { reminderMail } from '../mail/templates/reminder-mail.ts';
import type { Composer } from './composer.ts';

/** Composes a reminder. Leads that were answered after the reminder was written are left out. */
export const reminder: Composer = async (followUp, { remindedLeads, publicUrl }) => {
  const { leads, total } = await remindedLeads(followUp.id, reminderLimit.shownLeads);
  return { content: reminderMail({ leads, total, publicUrl }), autoSubmitted: 'auto-generated', replyTo: 'none' };
};

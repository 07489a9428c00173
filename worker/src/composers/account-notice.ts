import { accountNoticeMail } from '../mail/templates/account-notice-mail.ts';
import type { Composer } from './composer.ts';

/** Composes the email that notifies the owner of an account of a change. */
export const accountNotice: Composer = async (followUp, { accountNoticeOf, publicUrl }) => {
  const notice = await accountNoticeOf(followUp.id);
  return { content: accountNoticeMail({ ...notice, publicUrl }), autoSubmitted: 'auto-generated', replyTo: 'none' };
};

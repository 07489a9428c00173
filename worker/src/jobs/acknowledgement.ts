import { acknowledgedKinds, acknowledgementMail, type AcknowledgedKind } from '../mails/acknowledgement-mail.ts';
import type { MailContent } from '../mails/mail-content.ts';
import { oncePerSite, type ComposeMail } from '../compose.ts';

const contents = oncePerSite(
  (publicUrl) =>
    Object.fromEntries(acknowledgedKinds.map((kind) => [kind, acknowledgementMail({ kind, publicUrl })])) as Readonly<
      Record<AcknowledgedKind, MailContent>
    >,
);

/** Tells a visitor that the lead arrived, in none of the visitor's own words. */
export const acknowledgement: ComposeMail = async ({ leadKind }, { publicUrl }) => {
  if (leadKind === 'portfolio_request') throw new TypeError('A portfolio request owes no acknowledgement');
  return { content: contents(publicUrl)[leadKind], autoSubmitted: 'auto-replied' };
};

import { leadKinds, type LeadKind } from '@dune-tide/domain/leads';
import { acknowledgementMail } from '../mails/acknowledgement-mail.ts';
import type { MailContent } from '../mails/mail-content.ts';
import { oncePerSite, type ComposeMail } from '../compose.ts';

const contents = oncePerSite(
  (publicUrl) =>
    Object.fromEntries(leadKinds.map((kind) => [kind, acknowledgementMail({ kind, publicUrl })])) as Readonly<
      Record<LeadKind, MailContent>
    >,
);

/** Tells a visitor that the lead arrived, in none of the visitor's own words. */
export const acknowledgement: ComposeMail = async ({ leadKind }, { publicUrl }) => ({
  content: contents(publicUrl)[leadKind],
  autoSubmitted: 'auto-replied',
});

import { leadKinds, type LeadKind } from '@dune-tide/domain/leads';
import { acknowledgementMail } from '../mails/acknowledgement-mail.ts';
import type { MailContent } from '../mails/mail-content.ts';
import type { ComposeMail } from './compose.ts';

const contents = Object.fromEntries(leadKinds.map((kind) => [kind, acknowledgementMail({ kind })])) as Readonly<
  Record<LeadKind, MailContent>
>;

/** Tells a visitor that the lead arrived, in none of the visitor's own words. */
export const acknowledgement: ComposeMail = async ({ leadKind }) => ({
  content: contents[leadKind],
  autoSubmitted: 'auto-replied',
});

import { acknowledgementMail } from '../mails/acknowledgement-mail.ts';
import type { ComposeMail } from './compose.ts';

/** Tells a visitor that the lead arrived, in none of the visitor's own words. */
export const acknowledgement: ComposeMail = async ({ leadKind }) => ({
  ...acknowledgementMail({ kind: leadKind }),
  autoSubmitted: 'auto-replied',
});

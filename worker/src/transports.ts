import { accountNotice } from './composers/account-notice.ts';
import { acknowledgement } from './composers/acknowledgement.ts';
import { portfolioPdf } from './composers/portfolio-pdf.ts';
import { staffDigest } from './composers/staff-digest.ts';
import { reminder } from './composers/reminder.ts';
import { reply } from './composers/reply.ts';
import { staffNotice } from './composers/staff-notice.ts';
import type { Transports } from './delivery/transport.ts';
import { mailTransport, type MailDependencies } from './mail/transport.ts';

/** Creates the transport of each kind of follow-up. Each kind is an email with its own composer. */
export function openTransports(dependencies: MailDependencies): Transports {
  return {
    portfolio_pdf: mailTransport(portfolioPdf, dependencies),
    acknowledgement: mailTransport(acknowledgement, dependencies),
    staff_notice: mailTransport(staffNotice, dependencies),
    staff_digest: mailTransport(staffDigest, dependencies),
    reminder: mailTransport(reminder, dependencies),
    reply: mailTransport(reply, dependencies),
    account_notice: mailTransport(accountNotice, dependencies),
  };
}

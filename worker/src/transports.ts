import { emailKinds, type EmailKind } from '@dune-tide/domain/follow-ups';
import { accountNotice } from './composers/account-notice.ts';
import { acknowledgement } from './composers/acknowledgement.ts';
import type { Composer } from './composers/composer.ts';
import { portfolioPdf } from './composers/portfolio-pdf.ts';
import { reminder } from './composers/reminder.ts';
import { reply } from './composers/reply.ts';
import { staffDigest } from './composers/staff-digest.ts';
import { staffNotice } from './composers/staff-notice.ts';
import type { Transport, Transports } from './delivery/transport.ts';
import { mailTransport, type MailDependencies } from './mail/transport.ts';

const composers: Readonly<Record<EmailKind, Composer>> = {
  portfolio_pdf: portfolioPdf,
  acknowledgement,
  staff_notice: staffNotice,
  staff_digest: staffDigest,
  reminder,
  reply,
  account_notice: accountNotice,
};

/** Creates the transport of each kind of email, which sends what the composer of the kind writes. */
export function openTransports(dependencies: MailDependencies): Transports {
  return Object.fromEntries(emailKinds.map((kind) => [kind, mailTransport(composers[kind], dependencies)])) as Record<
    EmailKind,
    Transport
  >;
}

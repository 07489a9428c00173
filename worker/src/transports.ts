import { emailKinds, type EmailKind } from '@dune-tide/domain/follow-ups';
import { composers } from './composers/composers.ts';
import type { Transport, Transports } from './delivery/transport.ts';
import { mailTransport, type MailDependencies } from './mail/transport.ts';

/** Creates the transport of each kind of email, which sends what the composer of the kind writes. */
export function openTransports(dependencies: MailDependencies): Transports {
  return Object.fromEntries(emailKinds.map((kind) => [kind, mailTransport(composers[kind], dependencies)])) as Record<
    EmailKind,
    Transport
  >;
}

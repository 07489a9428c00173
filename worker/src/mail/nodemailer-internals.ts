import type { Readable } from 'node:stream';
import type { Transporter } from 'nodemailer';

/*
 * Everything that the product uses of nodemailer without nodemailer documenting it. `test/nodemailer-internals.test.ts`
 * fails when nodemailer changes any of it.
 */

/** Returns the body to send. @param open - opens nodemailer's own */
export type ReplaceBody = (open: () => Readable) => Readable;

/**
 * Replaces the bodies of mails. A pool asks for a mail's body when the session is open, right before it sends the
 * sender and the recipient.
 * @param replacementFor - called when a mail enters the pool; undefined leaves its body as it is
 */
export function replaceBodies(
  transport: Transporter,
  replacementFor: (messageId: string) => ReplaceBody | undefined,
): void {
  transport.use('stream', ({ data, message }, done) => {
    const replace = replacementFor(String(data.messageId));
    const open = message.createReadStream.bind(message);
    if (replace) message.createReadStream = (options) => replace(() => open(options));
    done();
  });
}

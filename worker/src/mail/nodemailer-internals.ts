import type { Readable } from 'node:stream';
import type { Transporter } from 'nodemailer';

/*
 * All undocumented parts of nodemailer that the product uses. `test/nodemailer-internals.test.ts` fails when nodemailer
 * changes one of them.
 */

/**
 * Returns the body to send.
 * @param open - opens the body that nodemailer would send
 */
export type ReplaceBody = (open: () => Readable) => Readable;

/**
 * Replaces the bodies of emails. A pool opens the body of an email when the session is open, right before it sends the
 * sender and the recipient.
 * @param replacementFor - called when an email enters the pool; if it returns undefined, the body is not replaced
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

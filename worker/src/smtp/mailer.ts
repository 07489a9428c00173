import { Readable } from 'node:stream';
import { brand } from '@dune-tide/domain/brand';
import { codeOf } from '@dune-tide/platform/system-error';
import { createTransport } from 'nodemailer';
import { InterruptedMailError, MailHeldBackError, PassedOverMailError } from './classify-error.ts';
import { encodedAttachment, encodedContent, type MailAttachment } from './encoded-parts.ts';
import type { MailContent } from '../mails/mail-content.ts';

/** A mail to one recipient, ready to send. */
export interface OutgoingMail {
  readonly to: string;
  /** Fixed when the follow-up was written, so that a mail that had to go twice can be recognised. */
  readonly messageId: string;
  readonly content: MailContent;
  /** RFC 3834 §5: an answer to something a person sent, or a notice of our own. */
  readonly autoSubmitted: 'auto-replied' | 'auto-generated';
  readonly attachments?: readonly MailAttachment[];
}

export interface Mailer {
  /**
   * Hands a mail to the mail server.
   * @param mayRunUntil - asked right before the first byte of the body: until when, by `performance.now()`, this mail
   *   is ours to send
   * @returns the server's answer
   * @throws {MailHeldBackError} when it is not ours any more, or nobody could say
   * @throws {InterruptedMailError} when the connection broke after the first byte of the body
   * @throws {PassedOverMailError} when the server took another mail while it failed over this one, or kept silent over
   *   it in a session that was open
   * @throws nodemailer's error else; `classifyMailError` says what follows from all
   */
  send(mail: OutgoingMail, mayRunUntil: () => Promise<number>): Promise<string>;
  close(): Promise<void>;
}

/** A whole send, every wait included. A follow-up's lease is longer, so no two workers ever send one row at once. */
export const sendDeadlineSeconds = 150;

/** How long the mail server may take, in milliseconds. */
export interface MailServerLimits {
  readonly connect: number;
  readonly greeting: number;
  /** Without a byte from it: a server may think for a while about what it just received. */
  readonly silence: number;
}

/** Less than all of a limit: timers may end a little early. */
const timerSlack = 0.9;

const mailServerLimits: MailServerLimits = { connect: 10_000, greeting: 10_000, silence: 120_000 };

/**
 * Opens a pool of connections to the mail server.
 * @param connections - at most
 */
export function openMailer(
  smtpUrl: string,
  from: string,
  connections: number,
  limits: MailServerLimits = mailServerLimits,
): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    maxMessages: 500,
    // The ledger decides about another try, not the pool.
    maxRequeues: 0,
    connectionTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    dnsTimeout: limits.connect,
    socketTimeout: limits.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const bodies = new Map<string, Body>();
  /** When a mail was last taken, by `performance.now()`. */
  let taken = Number.NEGATIVE_INFINITY;
  transport.use('stream', ({ data, message }, done) => {
    const body = bodies.get(String(data.messageId));
    const open = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      if (!body) return open(options);
      // The pool asks for it once the session is open, right before the sender and the recipient.
      body.offered = performance.now();
      return Readable.from(guarded(open(options), body), { objectMode: false });
    };
    done();
  });
  return {
    async send({ to, messageId, content, autoSubmitted, attachments = [] }, mayRunUntil) {
      const body: Body = { mayRunUntil, hasBegun: false, offered: Number.POSITIVE_INFINITY };
      bodies.set(messageId, body);
      const begun = performance.now();
      try {
        const { response } = await transport.sendMail({
          from: { name: brand.name, address: from },
          to: { name: '', address: to },
          replyTo: { name: brand.name, address: brand.email },
          messageId,
          subject: content.subject,
          alternatives: [...(await encodedContent(content))],
          headers: { 'Auto-Submitted': autoSubmitted },
          attachments: (await Promise.all(attachments.map(encodedAttachment))).flat(),
          signal: AbortSignal.timeout(sendDeadlineSeconds * 1000),
        });
        taken = performance.now();
        return response;
      } catch (error) {
        const isAnswered = codeOf(error) === 'EMESSAGE';
        if (!isAnswered && body.hasBegun) throw new InterruptedMailError(error);
        if (error instanceof MailHeldBackError) throw error;
        // The code does not tell: of a session that had mails before, the pool only says that it is closed.
        const isSilence = !isAnswered && performance.now() >= body.offered + timerSlack * limits.silence;
        throw isSilence || taken > begun ? new PassedOverMailError(error) : error;
      } finally {
        bodies.delete(messageId);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** One mail's way out. */
interface Body {
  readonly mayRunUntil: () => Promise<number>;
  /** A connection that broke before the body and one that broke after its last byte look the same in the error. */
  hasBegun: boolean;
  /** When the server was asked to take the mail, by `performance.now()`. */
  offered: number;
}

const sliceBytes = 64 * 1024;

/** A process that was stopped for long, and wakes up, must not send what another has taken over. */
async function* guarded(stream: Readable, body: Body): AsyncGenerator<Buffer> {
  let end: number;
  try {
    end = await body.mayRunUntil();
  } catch (error) {
    throw new MailHeldBackError(error);
  }
  for await (const chunk of stream) {
    for (const slice of slices(chunk as Buffer)) {
      if (performance.now() >= end) throw new MailHeldBackError();
      body.hasBegun = true;
      yield slice;
    }
  }
}

/** The clock is read before each, and an attachment comes in one piece. */
function* slices(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += sliceBytes) yield chunk.subarray(from, from + sliceBytes);
}

import type { Readable } from 'node:stream';
import { brand } from '@dune-tide/domain/brand';
import { createTransport } from 'nodemailer';
import { InterruptedMailError } from './classify-error.ts';

/** A mail to one recipient, ready to send. */
export interface OutgoingMail {
  readonly to: string;
  /** Fixed when the follow-up was written, so that a mail that had to go twice can be recognised. */
  readonly messageId: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** RFC 3834 §5: an answer to something a person sent, or a notice of our own. */
  readonly autoSubmitted: 'auto-replied' | 'auto-generated';
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
  }[];
}

export interface Mailer {
  /**
   * Hands a mail to the mail server.
   * @returns the server's answer
   * @throws {InterruptedMailError} when the connection broke after the first byte of the body
   * @throws nodemailer's error else; `classifyMailError` says what follows from both
   */
  send(mail: OutgoingMail): Promise<string>;
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
  // A connection that broke before the body and one that broke after its last byte look the same in the error; whether
  // the body was read tells them apart.
  const bodies = new Map<string, Readable>();
  transport.use('stream', ({ data, message }, done) => {
    const open = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const body = open(options);
      bodies.set(String(data.messageId), body);
      return body;
    };
    done();
  });
  return {
    async send({ to, messageId, subject, html, text, autoSubmitted, attachments }) {
      try {
        const { response } = await transport.sendMail({
          from: { name: brand.name, address: from },
          to: { name: '', address: to },
          replyTo: { name: brand.name, address: brand.email },
          messageId,
          subject,
          html,
          text,
          headers: { 'Auto-Submitted': autoSubmitted },
          attachments: [...(attachments ?? [])],
          signal: AbortSignal.timeout(sendDeadlineSeconds * 1000),
        });
        return response;
      } catch (error) {
        const isAnswered = error instanceof Error && 'code' in error && error.code === 'EMESSAGE';
        throw !isAnswered && bodies.get(messageId)?.readableDidRead ? new InterruptedMailError(error) : error;
      } finally {
        bodies.delete(messageId);
      }
    },
    async close() {
      transport.close();
    },
  };
}

import { Readable } from 'node:stream';
import { brand } from '@dune-tide/domain/brand';
import { codeOf } from '@dune-tide/platform/system-error';
import { createTransport } from 'nodemailer';
import type { Lease, TransportLimits } from '../delivery/transport.ts';
import { InterruptedMailError, MailHeldBackError, MailTimeoutError, PassedOverMailError } from './classify-error.ts';
import { encodedAttachment, encodedContent, type MailAttachment } from './encoded-parts.ts';
import { replaceBodies } from './nodemailer-internals.ts';
import type { MailContent } from './templates/mail-content.ts';

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
   * @param isFirstTry - one that the server stalls over is put off early; a later one, which others need not wait for
   *   where there is more than one connection, has all the time
   * @returns the server's answer
   * @throws {MailHeldBackError} when it is not ours any more, or nobody could say
   * @throws {InterruptedMailError} when the connection broke after the first byte of the body
   * @throws {PassedOverMailError} when the server took another mail while it failed over this one, or kept silent over
   *   it in a session that was open
   * @throws nodemailer's error else; `classifyMailError` says what follows from all
   */
  send(mail: OutgoingMail, lease: Lease, isFirstTry?: boolean): Promise<string>;
  close(): Promise<void>;
}

/** Until the last byte of the body is out, every wait included. */
const sendSeconds = 120;
/** A server that takes longer to answer a mail that it has in full is waited for with a prolonged lease. */
const promptAnswerSeconds = 20;
/** A client that gives up earlier sends a mail again that was accepted (RFC 5321 §4.5.3.2.6). */
const answerSeconds = 600;

/** How long `send` takes at most. */
export const mailLimits: TransportLimits = {
  sendSeconds: sendSeconds + promptAnswerSeconds,
  prolongedSeconds: answerSeconds,
};

/** How long the mail server may take, in milliseconds. */
export interface MailServerLimits {
  readonly connect: number;
  readonly greeting: number;
  /** Until it takes sender and recipient of a mail that is tried for the first time. */
  readonly firstOffer: number;
  readonly send: number;
  readonly promptAnswer: number;
  readonly answer: number;
}

const mailServerLimits: MailServerLimits = {
  connect: 10_000,
  greeting: 10_000,
  firstOffer: 30_000,
  send: sendSeconds * 1000,
  promptAnswer: promptAnswerSeconds * 1000,
  answer: answerSeconds * 1000,
};

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
    requireTLS: isSecret(smtpUrl),
    pool: true,
    maxConnections: connections,
    maxMessages: 500,
    // Delivery decides whether to try again, not the pool.
    maxRequeues: 0,
    connectionTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    dnsTimeout: limits.connect,
    // Never before ours, which know how far a mail has come.
    socketTimeout: limits.send + limits.answer,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const bodies = new Map<string, Body>();
  /** When a mail was last taken, by `performance.now()`. */
  let taken = Number.NEGATIVE_INFINITY;
  replaceBodies(transport, (messageId) => {
    const body = bodies.get(messageId);
    return (
      body &&
      ((open) => {
        body.envelopeStarted = true;
        body.timeouts.startEnvelope();
        return Readable.from(guarded(open(), body), { objectMode: false });
      })
    );
  });
  return {
    async send({ to, messageId, content, autoSubmitted, attachments = [] }, lease, isFirstTry = false) {
      const timeouts = sendTimeouts(limits, isFirstTry, () => lease.prolong());
      const body: Body = { lease, timeouts, bodyStarted: false, envelopeStarted: false };
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
          signal: timeouts.signal,
        });
        taken = performance.now();
        return response;
      } catch (cause) {
        const isOver = timeouts.signal.aborted;
        const error = isOver ? new MailTimeoutError(cause) : cause;
        const isAnswered = codeOf(error) === 'EMESSAGE';
        if (!isAnswered && body.bodyStarted) throw new InterruptedMailError(error);
        if (error instanceof MailHeldBackError) throw error;
        throw (isOver && body.envelopeStarted) || taken > begun ? new PassedOverMailError(error) : error;
      } finally {
        timeouts.close();
        bodies.delete(messageId);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** Whether credentials travel, and to another machine; `?requireTLS=false` in the URL sends them in clear text. */
function isSecret(smtpUrl: string): boolean {
  const { username, hostname } = new URL(smtpUrl);
  return username !== '' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** One mail's way out. */
interface Body {
  readonly lease: Lease;
  readonly timeouts: SendTimeouts;
  /** A connection that broke before the body and one that broke after its last byte look the same in the error. */
  bodyStarted: boolean;
  /** Whether the server was asked to take the mail. */
  envelopeStarted: boolean;
}

/** How long one mail is waited for. */
interface SendTimeouts {
  /** Aborted when it is over. */
  readonly signal: AbortSignal;
  /** The server is told of sender and recipient. */
  startEnvelope(): void;
  /** It takes them, and wants the body. */
  startBody(): void;
  /** The whole mail is out: what is left is the answer. */
  endBody(): void;
  close(): void;
}

function sendTimeouts(
  { firstOffer, send, promptAnswer, answer }: MailServerLimits,
  isFirstTry: boolean,
  onSlowAnswer: () => void,
): SendTimeouts {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  let timers = [setTimeout(end, send)];
  let offer: NodeJS.Timeout | undefined;
  const close = (): void => [...timers, offer].forEach(clearTimeout);
  return {
    signal: ending.signal,
    startEnvelope() {
      if (isFirstTry) offer = setTimeout(end, firstOffer);
    },
    startBody: () => clearTimeout(offer),
    endBody() {
      close();
      timers = [setTimeout(onSlowAnswer, promptAnswer), setTimeout(end, answer)];
    },
    close,
  };
}

const sliceBytes = 64 * 1024;

/** A process that was stopped for long, and wakes up, must not send what another has taken over. */
async function* guarded(stream: Readable, body: Body): AsyncGenerator<Buffer> {
  body.timeouts.startBody();
  let end: number;
  try {
    end = await body.lease.holdsUntil();
  } catch (error) {
    throw new MailHeldBackError(error);
  }
  for await (const chunk of stream) {
    for (const slice of slices(chunk as Buffer)) {
      if (performance.now() >= end) throw new MailHeldBackError();
      body.bodyStarted = true;
      yield slice;
    }
  }
  body.timeouts.endBody();
}

/** The clock is read before each, and an attachment comes in one piece. */
function* slices(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += sliceBytes) yield chunk.subarray(from, from + sliceBytes);
}

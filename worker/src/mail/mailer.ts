import { Readable } from 'node:stream';
import { brand } from '@dune-tide/domain/brand';
import { codeOf } from '@dune-tide/platform/system-error';
import { createTransport } from 'nodemailer';
import type Mail from 'nodemailer/lib/mailer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { Lease, TransportLimits } from '../delivery/transport.ts';
import { InterruptedMailError, MailHeldBackError, MailTimeoutError, PassedOverMailError } from './classify-error.ts';
import { encodedAttachment, encodedContent, type MailAttachment, type EmailTokens } from './encoded-parts.ts';
import { replaceBodies } from './nodemailer-internals.ts';
import type { MailContent } from './templates/mail-content.ts';

/** An email to one recipient, ready to be sent. */
export interface OutgoingMail {
  readonly to: string;
  /** Fixed when the follow-up was stored, so that a second copy can be recognised. */
  readonly messageId: string;
  readonly content: MailContent;
  /** An automatic reply, or a notice (RFC 3834 §5); undefined for what a person wrote. */
  readonly autoSubmitted?: 'auto-replied' | 'auto-generated' | undefined;
  /** The name of the sender; the studio's by default. */
  readonly senderName?: string | undefined;
  /** The Message-IDs of the earlier emails of the conversation, oldest first (RFC 5322 §3.6.4). */
  readonly references?: readonly string[] | undefined;
  /** The recipient of a reply: the studio, the visitor at this address, or the sender (no Reply-To). */
  readonly replyTo: 'studio' | 'none' | { readonly address: string };
  /** The link that stops automatic emails; undefined for emails to staff. */
  readonly unsubscribe?: UnsubscribeLink | undefined;
  readonly attachments?: readonly MailAttachment[];
}

export interface UnsubscribeLink {
  /** The address of the page, with the token, for the headers of RFC 8058. */
  readonly url: string;
  /** They replace the placeholders in the content. */
  readonly tokens: EmailTokens;
}

export interface Mailer {
  /**
   * Sends an email to the mail server.
   * @param isFirstTry - whether a stalling server times out early. A retry gets the full time, because with more than one
   *   connection it does not delay first attempts
   * @returns the server's response
   * @throws {MailHeldBackError} if the lease has expired or cannot be read
   * @throws {InterruptedMailError} if the connection broke after the first byte of the body
   * @throws {PassedOverMailError} if this email failed while the server accepted another one, or if the server stalled
   *   on this email in an open session while it opened others
   * @throws any other error of nodemailer; `classifyMailError` classifies all of them
   */
  send(mail: OutgoingMail, lease: Lease, isFirstTry?: boolean): Promise<string>;
  /**
   * Connects to the mail server and signs in. Concurrent calls share one connection, on which no email is sent.
   * @throws the error of nodemailer
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The longest time until the last byte of the body is sent, including every wait. */
const sendSeconds = 120;
/** If the response to a complete email takes longer, the lease is prolonged. */
const promptResponseSeconds = 20;
/** The longest wait for that response. A shorter one would resend emails that were accepted (RFC 5321 §4.5.3.2.6). */
const responseSeconds = 600;

/** The longest times that `send` takes. */
export const mailLimits: TransportLimits = {
  sendSeconds: sendSeconds + promptResponseSeconds,
  prolongedSeconds: responseSeconds,
};

/** The time limits of the mail server, in milliseconds. */
export interface MailServerLimits {
  readonly connect: number;
  readonly greeting: number;
  /** Until the server accepts the sender and the recipient of a first attempt. */
  readonly firstOffer: number;
  readonly send: number;
  readonly promptResponse: number;
  readonly response: number;
}

const mailServerLimits: MailServerLimits = {
  connect: 10_000,
  greeting: 10_000,
  firstOffer: 30_000,
  send: sendSeconds * 1000,
  promptResponse: promptResponseSeconds * 1000,
  response: responseSeconds * 1000,
};

/**
 * Opens a pool of connections to the mail server.
 * @param connections - the largest number of connections
 */
export function openMailer(
  smtpUrl: string,
  from: string,
  connections: number,
  limits: MailServerLimits = mailServerLimits,
): Mailer {
  const connection = {
    url: smtpUrl,
    requireTLS: isSecret(smtpUrl),
    connectionTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    dnsTimeout: limits.connect,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport({
    ...connection,
    pool: true,
    maxConnections: connections,
    maxMessages: 500,
    // Delivery decides about retries, not the pool.
    maxRequeues: 0,
    // Longer than our own limits, which depend on how much of the email is sent.
    socketTimeout: limits.send + limits.response,
  });
  const checks = createTransport({ ...connection, socketTimeout: limits.greeting });
  let checking: Promise<unknown> | undefined;
  const check = async (): Promise<void> => {
    await (checking ??= checks.verify().finally(() => (checking = undefined)));
  };
  const bodies = new Map<string, Body>();
  /** The time at which the server last accepted an email, by `performance.now()`. */
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
    async send(mail, lease, isFirstTry = false) {
      const { to, messageId, content, autoSubmitted, replyTo, unsubscribe, attachments = [] } = mail;
      const { senderName = brand.name, references = [] } = mail;
      const timeouts = sendTimeouts(limits, isFirstTry, () => lease.prolong());
      const body: Body = { lease, timeouts, bodyStarted: false, envelopeStarted: false };
      bodies.set(messageId, body);
      const startedAt = performance.now();
      try {
        const { response } = await transport.sendMail({
          from: { name: senderName, address: from },
          to: { name: '', address: headerAddress(to) },
          ...(replyTo === 'none' ? {} : { replyTo: replyAddress(replyTo) }),
          messageId,
          ...(references.length > 0 && { inReplyTo: references.at(-1), references: [...references] }),
          subject: headerText(content.subject),
          alternatives: [...(await encodedContent(content, unsubscribe?.tokens))],
          headers: {
            ...(autoSubmitted && { 'Auto-Submitted': autoSubmitted }),
            ...unsubscribeHeaders(unsubscribe?.url),
          },
          attachments: (await Promise.all(attachments.map(encodedAttachment))).flat(),
          signal: timeouts.signal,
        });
        taken = performance.now();
        return response;
      } catch (cause) {
        const isOver = timeouts.signal.aborted;
        const error = isOver ? new MailTimeoutError(cause) : cause;
        const hasResponse = codeOf(error) === 'EMESSAGE';
        if (!hasResponse && body.bodyStarted) throw new InterruptedMailError(error);
        if (error instanceof MailHeldBackError) throw error;
        if (taken > startedAt) throw new PassedOverMailError(error);
        if (!isOver || !body.envelopeStarted) throw error;
        // The server may have stopped altogether.
        await check();
        throw new PassedOverMailError(error);
      } finally {
        timeouts.close();
        bodies.delete(messageId);
      }
    },
    check,
    async close() {
      transport.close();
    },
  };
}

function replyAddress(replyTo: Exclude<OutgoingMail['replyTo'], 'none'>): Mail.Address {
  if (replyTo === 'studio') return { name: brand.name, address: brand.email };
  return { name: '', address: headerAddress(replyTo.address) };
}

/**
 * Returns an address for a header. Mail programs would decode a local part like `=?utf-8?q?text?=` and show its text.
 * In quotes, they must not decode it (RFC 2047 §5). The quotes do not change the address (RFC 5322 §3.2.4).
 */
function headerAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  return local.includes('=?') ? `"${local}"${address.slice(at)}` : address;
}

/** Encodes a text that contains an encoded word, which mail programs would decode (RFC 2047 §2). */
function headerText(text: string): string {
  return text.includes('=?') ? encodeWord(text, 'Q', 52) : text;
}

/** One-click unsubscription (RFC 8058 §3.1). */
function unsubscribeHeaders(url: string | undefined): Readonly<Record<string, string>> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** Returns whether credentials are sent to another machine. `?requireTLS=false` in the URL allows clear text. */
function isSecret(smtpUrl: string): boolean {
  const { username, hostname } = new URL(smtpUrl);
  return username !== '' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The state of one send. */
interface Body {
  readonly lease: Lease;
  readonly timeouts: SendTimeouts;
  /** The error does not show whether the connection broke before the body or after it. */
  bodyStarted: boolean;
  /** Whether the session is open and the envelope is being sent. */
  envelopeStarted: boolean;
}

/** The time limits of one send. */
interface SendTimeouts {
  /** Aborted when a limit is exceeded. */
  readonly signal: AbortSignal;
  /** Called before the sender and the recipient are sent. */
  startEnvelope(): void;
  /** Called when the server has accepted both and waits for the body. */
  startBody(): void;
  /** Called when the whole email is sent and only the response is missing. */
  endBody(): void;
  close(): void;
}

function sendTimeouts(
  { firstOffer, send, promptResponse, response }: MailServerLimits,
  isFirstTry: boolean,
  onSlowResponse: () => void,
): SendTimeouts {
  const timeout = new AbortController();
  const end = (): void => timeout.abort();
  let timers = [setTimeout(end, send)];
  let offer: NodeJS.Timeout | undefined;
  const close = (): void => [...timers, offer].forEach(clearTimeout);
  return {
    signal: timeout.signal,
    startEnvelope() {
      if (isFirstTry) offer = setTimeout(end, firstOffer);
    },
    startBody: () => clearTimeout(offer),
    endBody() {
      close();
      timers = [setTimeout(onSlowResponse, promptResponse), setTimeout(end, response)];
    },
    close,
  };
}

const sliceBytes = 64 * 1024;

/** Stops the body when the lease expires: after this process was suspended, another worker may hold the row. */
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

/** Splits an attachment, which is a single chunk, so that the lease is checked before each slice. */
function* slices(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += sliceBytes) yield chunk.subarray(from, from + sliceBytes);
}

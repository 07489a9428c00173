import { describeError, type Logger } from '@dune-tide/platform/log';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerEnvelope } from 'smtp-server';
import type { MailStore } from './mail-store.ts';
import type { Envelope } from './mail.ts';

export const maxMailBytes = 25 * 1024 * 1024;
/** How long clients that keep their connection open may hold up the end. */
const closeTimeoutMs = 1_000;
const socketTimeoutMs = 60_000;

/** RFC 5321: the mail cannot be kept just now, the client shall try again. */
const temporaryFailure = 451;

/**
 * The SMTP side: takes any mail from anyone, with or without credentials, and answers 250 only for what is kept.
 *
 * @returns the server, not yet listening
 */
export function createSmtpServer(store: MailStore, logger: Logger): SMTPServer {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: maxMailBytes,
    rejectOversized: true,
    socketTimeout: socketTimeoutMs,
    closeTimeout: closeTimeoutMs,
    logger: false,
    onAuth: (credentials, _session, callback) => callback(null, { user: credentials.username ?? 'anonymous' }),
    onData: (stream, session, callback) => {
      keep(store, stream, envelopeOf(session.envelope)).then(
        (id) => {
          logger.info(id === undefined ? { bytes: stream.byteLength } : { id }, id ? 'mail kept' : 'mail too large');
          callback(null, id === undefined ? undefined : `OK: kept as ${id}`);
        },
        (error: unknown) => {
          logger.error({ error: describeError(error) }, 'mail not kept');
          stream.resume();
          callback(Object.assign(new Error('The mail could not be kept'), { responseCode: temporaryFailure }));
        },
      );
    },
  });
  // A client that drops its connection is reported here; without a listener it would end the process.
  server.on('error', (error) => logger.warn({ error: describeError(error) }, 'smtp connection failed'));
  return server;
}

class MailTooLarge extends Error {}

/** @returns the id of the kept mail, or undefined for a mail over the size limit, which the server then refuses */
async function keep(store: MailStore, stream: SMTPServerDataStream, envelope: Envelope): Promise<string | undefined> {
  try {
    return (await store.add(withinLimit(stream), envelope)).id;
  } catch (error) {
    if (error instanceof MailTooLarge) return undefined;
    throw error;
  }
}

/**
 * Reads on past the limit without passing anything on: the client listens for the answer only after its last byte.
 * For the same reason the stream outlives a disk that fails: what is left of it would be taken for SMTP commands.
 */
async function* withinLimit(stream: SMTPServerDataStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    if (!stream.sizeExceeded) yield chunk;
  }
  if (stream.sizeExceeded) throw new MailTooLarge();
}

function envelopeOf({ mailFrom, rcptTo }: SMTPServerEnvelope): Envelope {
  return { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) };
}

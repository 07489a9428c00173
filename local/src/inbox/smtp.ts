import { describeError, type Logger } from '@dune-tide/platform/log';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream } from 'smtp-server';
import type { MailStore } from './mail-store.ts';

export const maxMailBytes = 25 * 1024 * 1024;

/** RFC 5321, 4.2.3: the mail exceeds the limit; it cannot be stored now, and the client should try again. */
const replies = { tooLarge: 552, temporaryFailure: 451 };

class MailTooLarge extends Error {}

/**
 * Creates the SMTP side: it accepts any mail from anyone, with or without credentials, and answers 250 only for what is
 * stored.
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
    socketTimeout: 60_000,
    // Clients keep their connection open.
    closeTimeout: 1_000,
    logger: false,
    onAuth: (credentials, _session, callback) => callback(null, { user: credentials.username ?? 'anonymous' }),
    onData: (stream, { envelope: { mailFrom, rcptTo } }, callback) => {
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
      store.add(withinLimit(stream), envelope).then(
        (id) => {
          logger.info({ id }, 'mail kept');
          callback(null, `OK: kept as ${id}`);
        },
        (error: unknown) => {
          logger.error({ error: describeError(error) }, 'mail not kept');
          stream.resume();
          const responseCode = error instanceof MailTooLarge ? replies.tooLarge : replies.temporaryFailure;
          callback(Object.assign(new Error('The mail could not be kept'), { responseCode }));
        },
      );
    },
  });
  // Without a listener a client that drops its connection would end the process.
  server.on('error', (error) => logger.warn({ error: describeError(error) }, 'smtp connection failed'));
  return server;
}

/**
 * Reads on past the limit without passing anything on: the client listens for the answer only after its last byte.
 * For the same reason the stream outlives a disk that fails: the rest of it would be taken for SMTP commands.
 */
async function* withinLimit(stream: SMTPServerDataStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    if (!stream.sizeExceeded) yield chunk;
  }
  if (stream.sizeExceeded) throw new MailTooLarge('The mail is too large');
}

import { describeError, type Logger } from '@dune-tide/platform/log';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream } from 'smtp-server';
import type { MailStore } from './mail-store.ts';

export const maxMailBytes = 25 * 1024 * 1024;

/** Reply codes of RFC 5321, 4.2.3. A client tries again after 451. */
const replies = { tooLarge: 552, temporaryFailure: 451 };

class MailTooLarge extends Error {}

/**
 * Creates the SMTP server. It accepts every email, with or without credentials, and replies 250 after it has stored
 * the email.
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
    // Clients keep their connections open, so the server closes them when it stops.
    closeTimeout: 1_000,
    logger: false,
    onAuth: (credentials, _session, callback) => callback(null, { user: credentials.username ?? 'anonymous' }),
    onData: (stream, { envelope: { mailFrom, rcptTo } }, callback) => {
      const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
      store.add(withinLimit(stream), envelope).then(
        (id) => {
          logger.info({ id }, 'email stored');
          callback(null, `OK: stored as ${id}`);
        },
        (error: unknown) => {
          logger.error({ error: describeError(error) }, 'email not stored');
          stream.resume();
          const responseCode = error instanceof MailTooLarge ? replies.tooLarge : replies.temporaryFailure;
          callback(Object.assign(new Error('The email could not be stored'), { responseCode }));
        },
      );
    },
  });
  // Without a listener, a client that drops its connection would end the process.
  server.on('error', (error) => logger.warn({ error: describeError(error) }, 'smtp connection failed'));
  return server;
}

/**
 * Yields an email up to the limit and discards the rest, because the client reads the reply only after its last byte.
 * The stream is not destroyed after a disk error: the server would read the rest of the email as SMTP commands.
 */
async function* withinLimit(stream: SMTPServerDataStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    if (!stream.sizeExceeded) yield chunk;
  }
  if (stream.sizeExceeded) throw new MailTooLarge('The email is too large');
}

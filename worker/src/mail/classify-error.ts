import { mailRejections, readMailRejection } from '@dune-tide/domain/mail-rejections';
import type { FailureResult } from '../delivery/transport.ts';

/**
 * The connection broke after the first byte of the body, so the server may have accepted the email. It counts as an
 * attempt, because each retry may deliver another copy.
 */
export class InterruptedMailError extends Error {
  override readonly name = 'InterruptedMailError';

  constructor(cause: unknown) {
    super('The connection broke while the email was being sent', { cause });
  }
}

/**
 * The server stalled or disconnected on this email although it was available: it opened another session or accepted
 * another email in the meantime. Some servers do this while they contact the recipient's server. It counts as an
 * attempt, because a few such addresses could otherwise occupy all connections.
 */
export class PassedOverMailError extends Error {
  override readonly name = 'PassedOverMailError';

  constructor(cause: unknown) {
    super('The mail server stalled or disconnected on this email', { cause });
  }
}

/** The server exceeded a time limit. */
export class MailTimeoutError extends Error {
  override readonly name = 'MailTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(cause: unknown) {
    super('The mail server took too long', { cause });
  }
}

/** The email was aborted before it was complete, because its lease had expired or could not be read. */
export class MailHeldBackError extends Error {
  override readonly name = 'MailHeldBackError';

  constructor(cause?: unknown) {
    super('The email was aborted because its lease had expired or could not be read', { cause });
  }
}

/** Codes of nodemailer for problems with the connection or with our credentials. */
const connectionCodes = new Set([
  'EAUTH',
  'ENOAUTH',
  'EOAUTH2',
  'ECONNECTION',
  'EDNS',
  'EPROTOCOL',
  'EPROXY',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);

/** The service is not available and closes the connection (RFC 5321 §3.8). */
const serviceClosing = 421;
/** The server expected another command. The email was not judged. */
const badSequence = 503;
/** The server requires other credentials. It may return these for any command (RFC 4954 §6). */
const credentialFaults = new Set([530, 534, 535, 538]);

/** The result of a rejection with a permanent code, by the retries that it is worth. */
const resultOfRetries = { schedule: 'temporary', few: 'doubtful', none: 'permanent' } as const satisfies Readonly<
  Record<string, FailureResult>
>;

/**
 * Classifies an error of a send:
 * - `outage`: the server is unavailable, sends no greeting, or rejects us; it has not judged this email
 * - `temporary`: the server deferred this email or stalled on it, or rejected it because of a quota, a policy or us; or
 *   the connection broke during the body, or on this email while others were accepted
 * - `doubtful`: the server rejected this email permanently, but its text says that the rejection is temporary
 * - `permanent`: the server will never accept this email (RFC 5321 §4.2.1, 5yz), for a reason that is not about us
 * @param error - thrown by the mailer
 * @returns the result and the server's response, or the error's code if there was none
 */
export function classifyMailError(error: unknown): { readonly result: FailureResult; readonly serverResponse: string } {
  if (!(error instanceof Error)) return { result: 'temporary', serverResponse: 'unknown' };
  if (error instanceof InterruptedMailError) {
    return { result: 'temporary', serverResponse: classifyMailError(error.cause).serverResponse };
  }
  if (error instanceof PassedOverMailError) {
    const { result, serverResponse } = classifyMailError(error.cause);
    return { result: result === 'outage' ? 'temporary' : result, serverResponse };
  }
  if (error instanceof MailHeldBackError) return { result: 'outage', serverResponse: error.name };
  const { code, originalCode, command, responseCode, response } = error as Error & {
    code?: string;
    /** The code of the system or of TLS that nodemailer replaced with its own, e.g. SELF_SIGNED_CERT_IN_CHAIN. */
    originalCode?: string;
    command?: string;
    responseCode?: number;
    response?: string;
  };
  return {
    result: resultOf(code, command, responseCode, response),
    serverResponse: response ?? originalCode ?? code ?? error.name,
  };
}

function resultOf(code = '', command = '', responseCode = 0, response = ''): FailureResult {
  if (responseCode === serviceClosing || credentialFaults.has(responseCode)) return 'outage';
  // A rejection of our sender address, temporary or permanent, is not about this email.
  if (command === 'MAIL FROM') return 'outage';
  if (connectionCodes.has(code)) return 'outage';
  const isResponse = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isResponse || responseCode < 500 || responseCode === badSequence) return 'temporary';
  return resultOfRetries[mailRejections[readMailRejection(response)].retries];
}

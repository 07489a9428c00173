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
 * The server stalled or disconnected on this email although it was available: it had opened a session for this email or
 * accepted another one in the meantime. Some servers do this while they contact the recipient's server. It counts as an
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

/**
 * Permanent rejections that are worth a retry, by their enhanced status (RFC 3463 §3). Most of them are about us and not
 * about this email: many servers check the sender only when they receive the recipient. A block may be lifted, and a
 * quota starts again the next day.
 */
const passing = [
  /** Our own address or its domain, which may not resolve at the moment. */
  /^5\.1\.[78]$/,
  /** The mailbox is full (RFC 3463 §3.3). */
  /^5\.2\.2$/,
  /** The mail system is full or does not accept emails. A retry cannot help against 5.3.4 (too large). */
  /^5\.3\.(?!4$)/,
  /** Congestion, which servers also return for a quota. */
  /^5\.4\.5$/,
  /** Security and policy: relaying denied, blocked, not trusted. */
  /^5\.7\./,
] as const;

/**
 * Words by which a permanent rejection says that it is temporary. Greylisting servers and providers under load send
 * such rejections, although the code should be 4yz.
 */
const doubtful = [
  /gr[ae]y-?\s?list/i,
  /\btry (?:it )?(?:again|later)\b/i,
  /\bretry (?:again|later|in \d)/i,
  /\btemporar(?:y|ily)\b/i,
  /\bcome back later\b/i,
] as const;

/**
 * Classifies an error of a send:
 * - `outage`: the server is unavailable, sends no greeting, or rejects us; it has not judged this email
 * - `temporary`: the server deferred this email or stalled on it; or the connection broke during the body, or on this
 *   email while others were accepted
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
  const status = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})(?!\d)/.exec(response)?.[1] ?? '';
  if (passing.some((pattern) => pattern.test(status))) return 'temporary';
  const isTemporaryStatus = /^5\d\d[ -]4\.\d{1,3}\.\d{1,3}(?!\d)/.test(response);
  return isTemporaryStatus || doubtful.some((pattern) => pattern.test(response)) ? 'doubtful' : 'permanent';
}

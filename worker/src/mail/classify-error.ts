import type { FailureResult } from '../delivery/transport.ts';

/**
 * The connection broke after the first byte of the body: the server may have taken the mail all the same. Each try may
 * put one more copy into the inbox, so it counts as a try.
 */
export class InterruptedMailError extends Error {
  override readonly name = 'InterruptedMailError';

  constructor(cause: unknown) {
    super('The connection broke over the mail', { cause });
  }
}

/**
 * The server took another mail meanwhile, or had opened a session for this one, so it is not away: it stalls or hangs up
 * over this one, e.g. because it asks the recipient's server first. Counted, or a few such addresses would hold the
 * connections for ever.
 */
export class PassedOverMailError extends Error {
  override readonly name = 'PassedOverMailError';

  constructor(cause: unknown) {
    super('The server passed the mail over', { cause });
  }
}

/** The server took longer over the mail than it may; no answer of its own. */
export class MailTimeoutError extends Error {
  override readonly name = 'MailTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(cause: unknown) {
    super('The mail server took too long', { cause });
  }
}

/** The mail was not ours to send any more, or nobody could say whether it was; the server was told to forget it. */
export class MailHeldBackError extends Error {
  override readonly name = 'MailHeldBackError';

  constructor(cause?: unknown) {
    super('The mail was held back', { cause });
  }
}

/** Codes of nodemailer that speak of the connection or of our own credentials. */
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

/** Service not available, closing (RFC 5321 §3.8). */
const serviceClosing = 421;
/** The session was in another state than ours; nothing is said about the mail. */
const badSequence = 503;
/** It wants other credentials of ours, or any: may be said to every command (RFC 4954 §6). */
const credentialFaults = new Set([530, 534, 535, 538]);

/**
 * Answers "for good" that pass all the same, by their enhanced status (RFC 3463 §3). Most are about us rather than about
 * this mail: many servers judge who sends only once they hear the recipient. Our address may be let in again, a quota
 * begins anew tomorrow.
 */
const passing = [
  /** Our own address or its domain, which may not resolve just now. */
  /^5\.1\.[78]$/,
  /** The mailbox is full, for now (RFC 3463 §3.3). */
  /^5\.2\.2$/,
  /** System: full, or not accepting mails; but not "too big", which this mail stays. */
  /^5\.3\.(?!4$)/,
  /** Congestion, which stands for a quota. */
  /^5\.4\.5$/,
  /** Security and policy: not allowed to relay, blocked, not trusted. */
  /^5\.7\./,
] as const;

/**
 * Classifies an error of a send:
 * - `outage`: the mail itself was never judged: the server is away, says nothing before a session is open, or refuses us
 * - `temporary`: the server put this mail off, or kept silent over it; or the connection broke over its body, or only over
 *   this mail while others were taken
 * - `permanent`: the server will never take this mail (RFC 5321 §4.2.1, 5yz), and says so of the mail, not of us
 * @param error - as the mailer threw it
 * @returns the result and the server's answer, or the error's code when there was none
 */
export function classifyMailError(error: unknown): { readonly result: FailureResult; readonly answer: string } {
  if (!(error instanceof Error)) return { result: 'temporary', answer: 'unknown' };
  if (error instanceof InterruptedMailError) {
    return { result: 'temporary', answer: classifyMailError(error.cause).answer };
  }
  if (error instanceof PassedOverMailError) {
    const { result, answer } = classifyMailError(error.cause);
    return { result: result === 'outage' ? 'temporary' : result, answer };
  }
  if (error instanceof MailHeldBackError) return { result: 'outage', answer: error.name };
  const { code, originalCode, command, responseCode, response } = error as Error & {
    code?: string;
    /** Of the system or of TLS, where nodemailer gave it a code of its own, e.g. SELF_SIGNED_CERT_IN_CHAIN. */
    originalCode?: string;
    command?: string;
    responseCode?: number;
    response?: string;
  };
  return {
    result: resultOf(code, command, responseCode, response),
    answer: response ?? originalCode ?? code ?? error.name,
  };
}

function resultOf(code = '', command = '', responseCode = 0, response = ''): FailureResult {
  if (responseCode === serviceClosing || credentialFaults.has(responseCode)) return 'outage';
  // What is said to our own address, for now or for good, is no judgement of this mail.
  if (command === 'MAIL FROM') return 'outage';
  if (connectionCodes.has(code)) return 'outage';
  const isAnswer = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAnswer || responseCode < 500 || responseCode === badSequence) return 'temporary';
  const status = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})(?!\d)/.exec(response)?.[1] ?? '';
  return passing.some((pattern) => pattern.test(status)) ? 'temporary' : 'permanent';
}

import { withheldReasonTexts, type FollowUpState, type WithheldReason } from './follow-ups.ts';
import { mailRejections, readMailRejection } from './mail-rejections.ts';
import { isUuid } from './uuid.ts';

/** Codes of Node.js, TLS and nodemailer, e.g. ECONNREFUSED. The worker stores one if the server sent no response. */
const connectionError = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/** Returns whether a stored response is the code of a connection error. */
export const isConnectionError = (response: string): boolean => connectionError.test(response);

/**
 * Explains the response of a mail server in a plain sentence.
 * @param response - the response or the code of a connection error, as the worker stored it
 * @returns undefined if it is not a failure of the mail server
 */
export function mailResponseInWords(response: string): string | undefined {
  if (isConnectionError(response)) return 'The mail server could not be reached.';
  const [, code] = /^([45])\d\d(?!\d)/.exec(response) ?? [];
  if (code === undefined) return undefined;
  const rejection = readMailRejection(response);
  const isDeferral = code === '4' && mailRejections[rejection].retries === 'none';
  return mailRejections[isDeferral ? 'temporary' : rejection].sentence;
}

/** The facts of a follow-up's delivery. */
export interface DeliveryRecord {
  readonly kind: string;
  readonly state: FollowUpState;
  readonly serverAnswer: string | null;
  readonly withheldReason: WithheldReason | null;
}

/** States whether a follow-up was delivered and, if not, why, in one or two sentences. */
export function deliveryInWords({ kind, state, serverAnswer, withheldReason }: DeliveryRecord): string {
  const receiver = kind === 'webhook' ? 'receiver' : 'mail server';
  const outcome = {
    sent: `The ${receiver} accepted it.`,
    pending: 'It waits until its next attempt.',
    sending: 'A worker is sending it.',
    failed: 'It was not sent and is not tried again.',
    withheld: 'It was not sent.',
    cancelled: 'It was cancelled.',
  }[state];
  if (state === 'sent') return outcome;
  if (withheldReason !== null) return `${outcome} ${withheldReasonTexts[withheldReason]}`;
  if (serverAnswer === null) return state === 'pending' ? 'It waits for its first attempt.' : outcome;
  return `${outcome} ${failureInWords(kind, serverAnswer) ?? serverAnswer}`;
}

function failureInWords(kind: string, response: string): string | undefined {
  if (kind !== 'webhook') return mailResponseInWords(response);
  if (isConnectionError(response)) return 'The receiver could not be reached or did not respond.';
  return /^\d{3}\b/.test(response) ? `The receiver responded with ${response.slice(0, 3)}.` : undefined;
}

/** A text that selects follow-ups. */
export type FollowUpTerm =
  | { readonly address: string }
  /** The id of a lead or of a follow-up. */
  | { readonly id: string }
  | { readonly messageId: string };

/** The addresses of staff may be on a host without a domain, e.g. root@localhost. */
const addressForm = /^[^<>@\s]+@[^<>@\s]+$/;
const messageIdForm = /^([0-9a-f-]{36})@/i;

/**
 * Reads the address of a person, the id of a lead or of a follow-up, or a Message-ID with or without angle brackets.
 * @returns undefined if the text is none of them
 */
export function readFollowUpTerm(text: string): FollowUpTerm | undefined {
  const term = text.trim();
  if (isUuid(term)) return { id: term.toLowerCase() };
  const bare = term.replaceAll(/^<|>$/g, '');
  if (!addressForm.test(bare)) return undefined;
  const [, id = ''] = messageIdForm.exec(bare) ?? [];
  return isUuid(id) ? { messageId: `<${bare}>` } : { address: bare };
}

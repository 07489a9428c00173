import { mailRejections, readMailRejection } from '@dune-tide/domain/mail-rejections';
import { askedToWaitPattern } from '@dune-tide/domain/webhooks';
import { formatDateTime } from '../../format/dates.ts';

/** Codes of Node.js, TLS and nodemailer, e.g. ECONNREFUSED. The worker stores one if the server sent no response. */
const connectionError = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;

/**
 * Adds a plain sentence before the response of a mail server.
 * @param serverResponse - the response or the code of a connection error, as the worker stored it
 * @returns the sentence and the response; only the response if it is not a failure of the mail server
 */
export function explainServerResponse(serverResponse: string): string {
  const sentence = sentenceFor(serverResponse);
  return sentence === undefined ? serverResponse : `${sentence} ${serverResponse}`;
}

/**
 * Adds a plain sentence before the error code of a webhook, and shows a time for which the receiver asked to wait in the
 * reader's time zone.
 * @param response - the status and the start of the response, or the code of a connection error, as the worker stored it
 */
export function explainWebhookResponse(response: string): string {
  return connectionError.test(response)
    ? `The receiver could not be reached or did not respond. ${response}`
    : response.replace(askedToWaitPattern, (_, until: string) => `asked to wait until ${formatDateTime(until)}`);
}

function sentenceFor(serverResponse: string): string | undefined {
  if (connectionError.test(serverResponse)) return 'The mail server could not be reached.';
  const [, code] = /^([45])\d\d(?!\d)/.exec(serverResponse) ?? [];
  if (code === undefined) return undefined;
  const rejection = readMailRejection(serverResponse);
  const isDeferral = code === '4' && mailRejections[rejection].retries === 'none';
  return mailRejections[isDeferral ? 'temporary' : rejection].sentence;
}

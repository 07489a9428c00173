import { isConnectionError, mailResponseInWords } from '@dune-tide/domain/follow-up-reports';
import { askedToWaitPattern } from '@dune-tide/domain/webhooks';
import { formatDateTime } from '../../format/dates.ts';

/**
 * Adds a plain sentence before the response of a mail server.
 * @param serverResponse - the response or the code of a connection error, as the worker stored it
 * @returns the sentence and the response; only the response if it is not a failure of the mail server
 */
export function explainServerResponse(serverResponse: string): string {
  const sentence = mailResponseInWords(serverResponse);
  return sentence === undefined ? serverResponse : `${sentence} ${serverResponse}`;
}

/**
 * Adds a plain sentence before the error code of a webhook, and shows a time for which the receiver asked to wait in the
 * reader's time zone.
 * @param response - the status and the start of the response, or the code of a connection error, as the worker stored it
 */
export function explainWebhookResponse(response: string): string {
  return isConnectionError(response)
    ? `The receiver could not be reached or did not respond. ${response}`
    : response.replace(askedToWaitPattern, (_, until: string) => `asked to wait until ${formatDateTime(until)}`);
}

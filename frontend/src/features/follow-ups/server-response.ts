const addressUnknown = 'This address does not exist.';
const mailboxFull = 'The mailbox is full.';

/** Sentences by the enhanced status of a response (RFC 3463) or, if it has none, by its code (RFC 5321). */
const sentences: Readonly<Record<string, string>> = {
  '5.1.1': addressUnknown,
  '550': addressUnknown,
  '5.2.2': mailboxFull,
  '552': mailboxFull,
};

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
 * Adds a plain sentence before the error code of a webhook.
 * @param response - the status and the start of the response, or the code of a connection error, as the worker stored it
 */
export function explainWebhookResponse(response: string): string {
  return connectionError.test(response)
    ? `The receiver could not be reached or did not respond. ${response}`
    : response;
}

function sentenceFor(serverResponse: string): string | undefined {
  if (connectionError.test(serverResponse)) return 'The mail server could not be reached.';
  const [, code, status] = /^([45]\d\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3})(?!\d))?(?!\d)/.exec(serverResponse) ?? [];
  if (code === undefined) return undefined;
  const decisive = status ?? code;
  if (decisive.startsWith('4')) return 'The mail server asked to try again later.';
  return sentences[decisive] ?? 'The mail server rejected the email.';
}

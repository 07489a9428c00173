/** The content of an email. Addresses, attachments and headers are added when it is sent. */
export interface MailContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/**
 * Takes the place of the unsubscribe token in content that several emails share. It is as long as a token, so that
 * `encodedContent` can replace it after the encoding.
 */
export const tokenPlaceholder = 'UnsubscribeTokenOfTheFollowUp'.padEnd(43, 'X');

/** Takes the place of the token of a lead's receipt in the same way. */
export const receiptPlaceholder = 'ReceiptTokenOfTheLead'.padEnd(43, 'Y');

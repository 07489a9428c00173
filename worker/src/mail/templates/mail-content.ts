/** The content of an email. Addresses, attachments and headers are added when it is sent. */
export interface MailContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

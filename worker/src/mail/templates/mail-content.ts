/** What a mail says; addresses, attachments and headers are added where it is sent. */
export interface MailContent {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

import PostalMime from 'postal-mime';
import type { Address, Attachment, Email } from 'postal-mime';

export interface AttachmentSummary {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
}

/** The addresses of the SMTP dialogue: who the mail was really handed over for. */
export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** What the list needs to know of a mail, kept in memory for each one. */
export interface MailSummary {
  readonly id: string;
  /** The header as a person reads it: `Name <address>`, several joined by commas. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** The mail's own date in ISO 8601, or null where it has none that can be read. */
  readonly date: string | null;
  readonly messageId: string | null;
  readonly receivedAt: string;
  /** In bytes, as received. */
  readonly size: number;
  readonly preview: string;
  readonly attachments: readonly AttachmentSummary[];
  readonly envelope: Envelope;
}

export interface MailAttachment extends AttachmentSummary {
  /** The Content-ID without its angle brackets, by which the HTML part refers to it. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/** A whole mail, parsed. */
export interface MailContent {
  readonly headers: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly MailAttachment[];
}

const previewLength = 140;

/**
 * Parses a mail into what a reader shows.
 *
 * @param raw the mail as it was received
 * @throws when the mail breaks the parser's limits on nesting or header size
 */
export async function parseMail(raw: Uint8Array): Promise<MailContent> {
  return contentOf(raw, await parse(raw));
}

/**
 * Parses a mail into its line in the list.
 *
 * @param id the mail's id in the store
 * @param raw the mail as it was received
 * @param received when it arrived, and the envelope it arrived in
 * @throws when the mail breaks the parser's limits on nesting or header size
 */
export async function summarizeMail(
  id: string,
  raw: Uint8Array,
  received: { readonly receivedAt: string; readonly envelope: Envelope },
): Promise<MailSummary> {
  const email = await parse(raw);
  const content = contentOf(raw, email);
  return {
    id,
    from: email.from === undefined ? received.envelope.from : formatAddress(email.from),
    to: (email.to ?? []).map(formatAddress).join(', ') || received.envelope.to.join(', '),
    subject: email.subject ?? '',
    date: email.date === undefined || Number.isNaN(Date.parse(email.date)) ? null : email.date,
    messageId: email.messageId ?? null,
    receivedAt: received.receivedAt,
    size: raw.byteLength,
    preview: previewOf(content),
    attachments: content.attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
    envelope: received.envelope,
  };
}

/** The line of a mail that could not be parsed: it was accepted, so it stays in sight. */
export function summarizeUnreadableMail(
  id: string,
  size: number,
  received: { readonly receivedAt: string; readonly envelope: Envelope },
): MailSummary {
  return {
    id,
    from: received.envelope.from,
    to: received.envelope.to.join(', '),
    subject: 'Unreadable mail',
    date: null,
    messageId: null,
    receivedAt: received.receivedAt,
    size,
    preview: '',
    attachments: [],
    envelope: received.envelope,
  };
}

/** What can be shown of a mail that could not be parsed. */
export function unreadableContent(raw: Uint8Array): MailContent {
  return { headers: headersOf(raw), html: null, text: Buffer.from(raw).toString('utf8'), attachments: [] };
}

function parse(raw: Uint8Array): Promise<Email> {
  return PostalMime.parse(raw, { forceRfc822Attachments: true });
}

function contentOf(raw: Uint8Array, email: Email): MailContent {
  return {
    headers: headersOf(raw),
    html: email.html ?? null,
    text: email.text ?? null,
    attachments: email.attachments.map(attachmentOf),
  };
}

function attachmentOf(attachment: Attachment, index: number): MailAttachment {
  const content =
    typeof attachment.content === 'string' ? Buffer.from(attachment.content) : new Uint8Array(attachment.content);
  return {
    filename: attachment.filename ?? `attachment-${index + 1}`,
    contentType: attachment.mimeType,
    size: content.byteLength,
    contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
    content,
  };
}

function formatAddress(address: Address): string {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(formatAddress).join(', ')}`;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

function headersOf(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const ends = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')].filter((end) => end !== -1);
  return bytes.subarray(0, ends.length === 0 ? bytes.length : Math.min(...ends)).toString('utf8');
}

function previewOf({ text, html }: MailContent): string {
  const words = text ?? html?.replace(/<(style|script|title)\b[^]*?<\/\1\s*>|<[^>]*>/gi, ' ') ?? '';
  return Array.from(
    words
      .slice(0, 20 * previewLength)
      .replace(/\s+/g, ' ')
      .trim(),
  )
    .slice(0, previewLength)
    .join('');
}

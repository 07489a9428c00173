import { uuidForm } from '@dune-tide/domain/uuid';
import PostalMime from 'postal-mime';
import type { Address, Attachment } from 'postal-mime';

export interface AttachmentSummary {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
}

/** The addresses of the SMTP dialogue, blind copies included. */
export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** The data of an email in the list. */
export interface MailSummary {
  readonly id: string;
  /** `Name <address>`; several are separated by commas. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** The date header in ISO 8601, or null if it is missing or invalid. */
  readonly date: string | null;
  readonly messageId: string | null;
  /** The leads of the staff area to which the text links. */
  readonly leadIds: readonly string[];
  readonly receivedAt: string;
  /** In bytes, as received. */
  readonly size: number;
  readonly preview: string;
  readonly attachments: readonly AttachmentSummary[];
  readonly envelope: Envelope;
}

interface MailAttachment extends AttachmentSummary {
  /** The Content-ID without angle brackets. The HTML part refers to it. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

export interface Mail {
  readonly summary: MailSummary;
  readonly raw: Uint8Array;
  readonly headers: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly MailAttachment[];
}

const previewLength = 140;
const envelopeName = 'X-Envelope: ';
const leadLink = new RegExp(`/admin/leads/(${uuidForm})`, 'g');

/** @returns the first line of a stored email */
export function envelopeLine(envelope: Envelope): Buffer {
  return Buffer.from(`${envelopeName}${JSON.stringify(envelope)}\r\n`);
}

/**
 * Parses a stored email. An email that exceeds the parser's limits is returned as unreadable, so that it stays visible.
 * @param file - the line with the envelope and the email as received; without that line, the envelope is empty
 */
export async function readMail(id: string, file: Buffer): Promise<Mail> {
  const hasEnvelope = file.subarray(0, envelopeName.length).toString() === envelopeName;
  const start = hasEnvelope ? file.indexOf('\n') + 1 : 0;
  const envelope = hasEnvelope
    ? (JSON.parse(file.subarray(envelopeName.length, start).toString()) as Envelope)
    : { from: '', to: [] };
  const raw = file.subarray(start);
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true }).catch((error: unknown) => ({
    subject: 'Unreadable email',
    text: `${String(error)}\n\n${raw.toString()}`,
    attachments: [],
    from: undefined,
    to: undefined,
    html: undefined,
    date: undefined,
    messageId: undefined,
  }));
  const attachments = email.attachments.map(attachmentOf);
  const summary: MailSummary = {
    id,
    from: email.from === undefined ? envelope.from : formatAddress(email.from),
    to: (email.to ?? []).map(formatAddress).join(', ') || envelope.to.join(', '),
    subject: email.subject ?? '',
    date: email.date === undefined || Number.isNaN(Date.parse(email.date)) ? null : email.date,
    messageId: email.messageId ?? null,
    leadIds: [...(email.text ?? '').matchAll(leadLink)].map(([, leadId = '']) => leadId),
    receivedAt: new Date(timeOf(id)).toISOString(),
    size: raw.byteLength,
    preview: previewOf(email.text ?? email.html?.replace(/<(style|script|title)\b[^]*?<\/\1\s*>|<[^>]*>/gi, ' ') ?? ''),
    attachments: attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
    envelope,
  };
  return { summary, raw, headers: headersOf(raw), html: email.html ?? null, text: email.text ?? null, attachments };
}

/** @returns the time of arrival in an id, in milliseconds since 1970; 0 without an id */
export function timeOf(id = ''): number {
  return Date.parse(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3}).*$/, '$1-$2-$3T$4:$5:$6.$7Z')) || 0;
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

function headersOf(raw: Buffer): string {
  const ends = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((end) => end !== -1);
  return raw.subarray(0, Math.min(raw.length, ...ends)).toString();
}

function previewOf(text: string): string {
  const words = text.slice(0, 20 * previewLength).replace(/\s+/g, ' ');
  return Array.from(words.trim()).slice(0, previewLength).join('');
}

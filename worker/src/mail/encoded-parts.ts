import MimeNode from 'nodemailer/lib/mime-node';
import type { MailContent } from './templates/mail-content.ts';

/** A file attached to an email. */
export interface MailAttachment {
  /** ASCII, without quotes. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A MIME part with its headers, in the form that nodemailer accepts. */
export interface EncodedPart {
  readonly raw: Buffer;
}

/**
 * The encoded parts of each object, shared by all emails that contain it: encoding the portfolio costs more than the rest
 * of its email.
 */
const encoded = new WeakMap<object, Promise<readonly EncodedPart[]>>();

function once(source: object, make: () => Promise<readonly EncodedPart[]>): Promise<readonly EncodedPart[]> {
  const known = encoded.get(source);
  if (known) return known;
  const parts = make();
  encoded.set(source, parts);
  // The next email encodes them again. Callers that wait for these parts get the error.
  parts.catch(() => encoded.delete(source));
  return parts;
}

async function encode(contentType: string, content: string | Buffer, filename?: string): Promise<EncodedPart> {
  // A root node would get the headers of a whole email.
  const part = new MimeNode('multipart/mixed').createChild(contentType, { filename });
  if (filename !== undefined) part.setHeader('Content-Disposition', 'attachment');
  return { raw: await part.setContent(content).build() };
}

/** Encodes the text and the HTML of an email, the plainer part first (RFC 2046 §5.1.4). */
export function encodedContent(content: MailContent): Promise<readonly EncodedPart[]> {
  return once(content, () =>
    Promise.all([encode('text/plain; charset=utf-8', content.text), encode('text/html; charset=utf-8', content.html)]),
  );
}

/** Encodes a file as an attachment (RFC 2183). */
export function encodedAttachment({ filename, contentType, content }: MailAttachment): Promise<readonly EncodedPart[]> {
  return once(content, async () => [await encode(contentType, content, filename)]);
}
